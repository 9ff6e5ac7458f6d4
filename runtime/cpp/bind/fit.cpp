// The fit's data for Python: rows to points, points to candidates and to what search spaces read.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <tuple>
#include <vector>

#include "bind/register.hpp"
#include "bind/sample.hpp"
#include "bind/tables.hpp"
#include "fit/candidates.hpp"
#include "fit/points.hpp"

namespace curvec::bind {
namespace {

// Points with distinct x, y less its mean: the table, that mean, the total weight, and the squared errors that no curve
// avoids and of the mean.
std::tuple<Doubles, double, double, double, double> fuse(const Doubles& x, const Doubles& y,
                                                         const std::optional<Doubles>& w) {
  std::vector<fit::Point> points;
  double weight = 0.0;
  double origin = 0.0;
  double noise = 0.0;
  double total = 0.0;
  {
    py::gil_scoped_release release;
    points = fit::fuse(x.data(), y.data(), w ? w->data() : nullptr, static_cast<std::size_t>(x.size()));
    double above = 0.0;  // the first y, so that one y is its own mean
    for (const fit::Point& p : points) {
      weight += p.w;
      above += p.w * (p.y - points[0].y);
    }
    origin = points[0].y + above / weight;
    for (fit::Point& p : points) {
      p.y -= origin;
      noise += p.spread;
      total += p.w * p.y * p.y;
    }
  }
  using P = fit::Point;
  return {to_table(points, &P::x, &P::w, &P::y, &P::spread), origin, weight, noise, total + noise};
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
