#include "fit/all_kernels.hpp"

namespace curvec::fit {

const Kernels& kernels_x86_64_v4() { return kKernels; }

}  // namespace curvec::fit
