// The fit's data for Python: rows to points, points to candidates and to what frames read.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <tuple>
#include <vector>

#include "bind/register.hpp"
#include "bind/sample.hpp"
#include "bind/tables.hpp"
#include "fit/candidates.hpp"
#include "fit/decimal.hpp"
#include "fit/points.hpp"

namespace curvec::bind {
namespace {

// Points with distinct x, y less its mean: the table, that mean, and the total weight.
std::tuple<Doubles, double, double> fuse(const Doubles& x, const Doubles& y, const std::optional<Doubles>& w) {
  std::vector<fit::Point> points;
  double weight = 0.0;
  double origin = 0.0;
  {
    py::gil_scoped_release release;
    points = fit::fuse(x.data(), y.data(), w ? w->data() : nullptr, static_cast<std::size_t>(x.size()));
    for (const fit::Point& p : points) weight += p.w, origin += p.w * p.y;
    origin /= weight;
    for (fit::Point& p : points) p.y -= origin;
  }
  using P = fit::Point;
  return {to_table(points, &P::x, &P::w, &P::y, &P::spread), origin, weight};
}

Doubles candidates(const Doubles& points, std::size_t most, double enough) {
  return to_array(fit::candidates(to_points(points), most, enough));
}

double round_significant(double value, int digits) { return fit::round_significant(value, digits); }

}  // namespace

void register_fit(py::module_& module) {
  module.def("fuse", &fuse, py::arg("x"), py::arg("y"), py::arg("w"));
  module.def("candidates", &candidates, py::arg("points"), py::arg("most"), py::arg("enough"));
  module.def("round_significant", py::vectorize(&round_significant), py::arg("values"), py::arg("digits"));
  py::class_<Sample>(module, "Sample")
      .def(py::init<Doubles, Doubles, std::optional<Doubles>>(), py::arg("table"), py::arg("u"), py::arg("moments"));
}

}  // namespace curvec::bind
