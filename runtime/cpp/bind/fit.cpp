#include "bind/register.hpp"

namespace curvec::bind {

void register_fit(pybind11::module_&) {}

}  // namespace curvec::bind
