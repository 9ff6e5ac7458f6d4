#define CURVEC_ABI v1_x86_64_v4
#include "fit/row_kernels.hpp"

namespace curvec::fit {

const Kernels& kernels_x86_64_v4() { return row_kernels::kKernels; }

}  // namespace curvec::fit
