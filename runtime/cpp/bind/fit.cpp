// The fit's data for Python: rows to points, points to candidates and to the moments of gaps.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "bind/register.hpp"
#include "bind/tables.hpp"
#include "fit/candidates.hpp"
#include "fit/points.hpp"
#include "fit/sample.hpp"

namespace curvec::bind {
namespace {

Doubles fuse(const Doubles& x, const Doubles& y, const std::optional<Doubles>& w) {
  std::vector<fit::Point> points;
  {
    py::gil_scoped_release release;
    points = fit::fuse(x.data(), y.data(), w ? w->data() : nullptr, static_cast<std::size_t>(x.size()));
  }
  using P = fit::Point;
  return to_table(points, &P::x, &P::w, &P::y, &P::spread);
}

// The data under one transform. Keeps the arrays that it reads.
class Sample {
 public:
  Sample(Doubles table, Doubles u, std::optional<Doubles> moments)
      : table_(std::move(table)), u_(std::move(u)), moments_(std::move(moments)), sample_(make()) {}

  Doubles gaps(const Doubles& knots_x, const Doubles& knots_u) const {
    const auto count = static_cast<std::size_t>(knots_x.size());
    return gap_table(std::visit([&](const auto& s) { return s.gaps(knots_x.data(), knots_u.data(), count); }, sample_));
  }

  Doubles around(const Doubles& knots, const Doubles& pool) const {
    return to_array(
        std::visit([&](const auto& s) { return fit::around(to_vector(knots), to_vector(pool), s.parts()); }, sample_));
  }

 private:
  using Either = std::variant<fit::Sample<fit::Singles>, fit::Sample<fit::Binned>>;

  [[nodiscard]] Either make() const {
    const auto count = static_cast<std::size_t>(table_.shape(0));
    if (!moments_) return fit::Sample<fit::Singles>({table_.data(), u_.data(), count});
    return fit::Sample<fit::Binned>({table_.data(), u_.data(), moments_->data(), count});
  }

  Doubles table_;
  Doubles u_;
  std::optional<Doubles> moments_;
  Either sample_;
};

Doubles candidates(const Doubles& points, std::size_t most, double enough) {
  return to_array(fit::candidates(to_points(points), most, enough));
}

}  // namespace

void register_fit(py::module_& module) {
  module.def("fuse", &fuse, py::arg("x"), py::arg("y"), py::arg("w"));
  module.def("candidates", &candidates, py::arg("points"), py::arg("most"), py::arg("enough"));
  py::class_<Sample>(module, "Sample")
      .def(py::init<Doubles, Doubles, std::optional<Doubles>>(), py::arg("table"), py::arg("u"), py::arg("moments"))
      .def("gaps", &Sample::gaps, py::arg("knots_x"), py::arg("knots_u"))
      .def("around", &Sample::around, py::arg("knots"), py::arg("pool"));
}

}  // namespace curvec::bind
