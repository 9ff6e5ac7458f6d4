// One function a part of the compiled core; module.cpp calls each once.
#pragma once

#include <pybind11/pybind11.h>

namespace curvec::bind {

void register_fit(pybind11::module_& module);
void register_problem(pybind11::module_& module);
void register_rows(pybind11::module_& module);
void register_runtime(pybind11::module_& module);
void register_score(pybind11::module_& module);
void register_tally(pybind11::module_& module);

}  // namespace curvec::bind
