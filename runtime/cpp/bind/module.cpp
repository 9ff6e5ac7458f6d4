// The compiled core: registers, nothing else.
#include "bind/register.hpp"

// Its entry is called by another one, below: pybind11's own waits for ever in an interpreter that is not the main one.
#define PyInit__core InitInMainInterpreter
PYBIND11_MODULE(_core, module) {
  module.doc() =
      "curvec's compiled core: the search kernel of the fit, the C++ runtime classes, and models as compiled programs.";
  curvec::bind::register_fit(module);
  curvec::bind::register_problem(module);
  curvec::bind::register_rows(module);
  curvec::bind::register_runtime(module);
  curvec::bind::register_score(module);
  curvec::bind::register_tally(module);
}
#undef PyInit__core

extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError,
                    "curvec works in the main interpreter only, as NumPy does; use a process instead");
    return nullptr;
  }
  return InitInMainInterpreter();
}
