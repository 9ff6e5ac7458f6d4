#include "fit/row_kernels.hpp"

namespace curvec::fit {

const Kernels& kernels_base() { return row_kernels::kKernels; }

}  // namespace curvec::fit
