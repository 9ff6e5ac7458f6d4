#include "fit/all_kernels.hpp"

namespace curvec::fit {

const Kernels& kernels_base() { return kKernels; }

}  // namespace curvec::fit
