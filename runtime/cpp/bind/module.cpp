// The compiled core: registers, nothing else.
#include "bind/register.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() =
      "curvec's compiled core: the search kernel of the fit, the C++ runtime classes, and models as compiled programs.";
  curvec::bind::register_fit(module);
  curvec::bind::register_problem(module);
  curvec::bind::register_rows(module);
  curvec::bind::register_runtime(module);
  curvec::bind::register_score(module);
}
