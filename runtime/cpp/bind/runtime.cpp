// The runtime's curves as Python classes: the code that emitted C++ runs, with tables sized at run time.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <curvec/curvec.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bind/register.hpp"

namespace curvec::bind {
namespace {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

template <class... T>
std::variant<T...> any_of(TypeList<T...>);
using AnyTransform = decltype(any_of(Transforms{}));

AnyTransform transform_of(const std::string& name) {
  AnyTransform found;
  if (Transforms::With(Transforms::Place(name), [&](auto transform) { found = transform; })) return found;
  throw py::value_error("fx='" + name + "' is not a transform");
}

class BoundPWLCurve {
 public:
  BoundPWLCurve(const std::vector<std::pair<double, double>>& points, const std::string& fx,
                std::optional<double> missing)
      : fx_(transform_of(fx)), missing_(missing.value_or(kNaN)) {
    for (const auto& [x, y] : points) {
      x_.push_back(x);
      u_.push_back(std::visit([x = x](auto transform) { return transform.Forward(x); }, fx_));
      y_.push_back(y);
    }
    slope_.resize(points.size(), 0.0);
    for (std::size_t k = 0; k + 1 < x_.size(); ++k) {
      slope_[k] = detail::SegmentSlope(u_[k], y_[k], u_[k + 1], y_[k + 1]);
    }
  }

  double eval(double x) const {
    if (x != x) return missing_;
    return std::visit(
        [&](auto transform) {
          return detail::PwlValue<decltype(transform)>(x_.data(), u_.data(), y_.data(), slope_.data(), x_.size(), x);
        },
        fx_);
  }

  Array eval_array(const Array& x) const {
    Array result(std::vector<py::ssize_t>(x.shape(), x.shape() + x.ndim()));
    for (py::ssize_t i = 0; i < x.size(); ++i) result.mutable_data()[i] = eval(x.data()[i]);
    return result;
  }

  std::vector<double> slopes() const { return {slope_.begin(), slope_.end() - 1}; }

 private:
  AnyTransform fx_;
  std::vector<double> x_, u_, y_, slope_;
  double missing_;
};

template <class Key, class Stored>
class BoundEnumCurve {
 public:
  BoundEnumCurve(const std::vector<std::pair<Stored, double>>& levels, std::optional<double> unseen,
                 std::optional<double> missing)
      : unseen_(unseen.value_or(kNaN)), missing_(missing.value_or(kNaN)) {
    for (const auto& level : levels) stored_.push_back(level.first);
    for (std::size_t i = 0; i < levels.size(); ++i) levels_.push_back({Key(stored_[i]), levels[i].second});
  }
  // levels_ may look into stored_, which a copy would leave behind
  BoundEnumCurve(const BoundEnumCurve&) = delete;
  BoundEnumCurve& operator=(const BoundEnumCurve&) = delete;

  double eval(const std::optional<Stored>& key) const {
    if (!key) return missing_;
    const std::size_t i = detail::Find(levels_.data(), levels_.size(), false, Level<Key>{Key(*key), 0.0});
    return i < levels_.size() ? levels_[i].value : unseen_;
  }

 private:
  std::vector<Stored> stored_;
  std::vector<Level<Key>> levels_;
  double unseen_;
  double missing_;
};

template <class Key, class Stored>
void bind_enum(py::module_& module, const char* name) {
  using Curve = BoundEnumCurve<Key, Stored>;
  py::class_<Curve>(module, name)
      .def(py::init<const std::vector<std::pair<Stored, double>>&, std::optional<double>, std::optional<double>>(),
           py::arg("levels"), py::arg("default"), py::arg("missing"))
      .def("eval", &Curve::eval, py::arg("key").noconvert());
}

}  // namespace

void register_runtime(py::module_& module) {
  py::class_<BoundPWLCurve>(module, "PWLCurve")
      .def(py::init<const std::vector<std::pair<double, double>>&, const std::string&, std::optional<double>>(),
           py::arg("points"), py::arg("fx"), py::arg("missing"))
      .def("eval", &BoundPWLCurve::eval, py::arg("x"))
      .def("eval_array", &BoundPWLCurve::eval_array, py::arg("x"))
      .def_property_readonly("slopes", &BoundPWLCurve::slopes);
  bind_enum<std::int64_t, std::int64_t>(module, "IntEnumCurve");
  bind_enum<std::string_view, std::string>(module, "TextEnumCurve");
}

}  // namespace curvec::bind
