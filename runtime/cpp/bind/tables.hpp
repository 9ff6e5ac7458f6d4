// Numpy's tables as the fit's own types, and back.
#pragma once

#include <pybind11/numpy.h>

#include <vector>

#include "fit/moments.hpp"
#include "fit/points.hpp"

namespace curvec::bind {

namespace py = pybind11;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

inline std::vector<double> to_vector(const Doubles& a) { return {a.data(), a.data() + a.size()}; }

inline Doubles to_array(const std::vector<double>& v) { return Doubles(static_cast<py::ssize_t>(v.size()), v.data()); }

// A table of doubles, one row an item.
template <class Item, class... Field>
Doubles to_table(const std::vector<Item>& items, Field Item::*... fields) {
  Doubles out({static_cast<py::ssize_t>(items.size()), static_cast<py::ssize_t>(sizeof...(fields))});
  double* at = out.mutable_data();
  for (const Item& item : items) ((*at++ = item.*fields), ...);
  return out;
}

inline std::vector<fit::Point> to_points(const Doubles& table) {
  std::vector<fit::Point> points(static_cast<std::size_t>(table.shape(0)));
  const double* at = table.data();
  for (fit::Point& p : points) p = {at[0], at[1], at[2], at[3]}, at += 4;
  return points;
}

inline Doubles gap_table(const std::vector<fit::Moments>& gaps) {
  using M = fit::Moments;
  return to_table(gaps, &M::w, &M::u, &M::y, &M::suu, &M::slope, &M::rest);
}

}  // namespace curvec::bind
