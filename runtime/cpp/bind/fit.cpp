// The fit's kernel for Python: arrays in, arrays out, without the interpreter lock while it works.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bind/register.hpp"
#include "fit/peak.hpp"
#include "fit/points.hpp"
#include "fit/search.hpp"
#include "fit/split.hpp"

namespace py = pybind11;

namespace curvec::bind {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::vector<double> to_vector(const Doubles& a) { return {a.data(), a.data() + a.size()}; }

Doubles to_array(const std::vector<double>& v) { return Doubles(static_cast<py::ssize_t>(v.size()), v.data()); }

// A table of doubles, one row an item.
template <class Item, class... Field>
Doubles to_table(const std::vector<Item>& items, Field Item::*... fields) {
  Doubles out({static_cast<py::ssize_t>(items.size()), static_cast<py::ssize_t>(sizeof...(fields))});
  double* at = out.mutable_data();
  for (const Item& item : items) ((*at++ = item.*fields), ...);
  return out;
}

std::vector<fit::Point> to_points(const Doubles& table) {
  std::vector<fit::Point> points(static_cast<std::size_t>(table.shape(0)));
  const double* at = table.data();
  for (fit::Point& p : points) p = {at[0], at[1], at[2], at[3]}, at += 4;
  return points;
}

std::vector<fit::Moments> to_gaps(const Doubles& table) {
  std::vector<fit::Moments> gaps(static_cast<std::size_t>(table.shape(0)));
  const double* at = table.data();
  for (fit::Moments& g : gaps) g = {at[0], at[1], at[2], at[3], at[4], at[5]}, at += 6;
  return gaps;
}

Doubles gap_table(const std::vector<fit::Moments>& gaps) {
  using M = fit::Moments;
  return to_table(gaps, &M::w, &M::u, &M::y, &M::suu, &M::slope, &M::rest);
}

Doubles fuse(const Doubles& x, const Doubles& y, const std::optional<Doubles>& w) {
  std::vector<fit::Point> points;
  {
    py::gil_scoped_release release;
    points = fit::fuse(x.data(), y.data(), w ? w->data() : nullptr, static_cast<std::size_t>(x.size()));
  }
  using P = fit::Point;
  return to_table(points, &P::x, &P::w, &P::y, &P::spread);
}

// Parts of one x each.
Doubles gaps_of_points(const Doubles& knots_x, const Doubles& knots_u, const Doubles& table, const Doubles& u) {
  const std::vector<fit::Point> points = to_points(table);
  std::vector<double> x;
  for (const fit::Point& p : points) x.push_back(p.x);
  return gap_table(fit::gaps_between(to_vector(knots_x), to_vector(knots_u), x, to_vector(u), [&](std::size_t k) {
    return fit::Moments{points[k].w, 0.0, points[k].y, 0.0, 0.0, points[k].spread};
  }));
}

// Parts with moments of their own.
Doubles gaps_of_parts(const Doubles& knots_x, const Doubles& knots_u, const Doubles& x, const Doubles& u,
                      const Doubles& moments) {
  const std::vector<fit::Moments> parts = to_gaps(moments);
  return gap_table(fit::gaps_between(to_vector(knots_x), to_vector(knots_u), to_vector(x), to_vector(u),
                                     [&](std::size_t k) { return parts[k]; }));
}

std::vector<std::size_t> splits(const Doubles& points, const std::vector<std::size_t>& bounds, std::size_t count,
                                double enough) {
  return fit::splits(to_points(points), bounds, count, enough);
}

fit::Problem to_problem(const Doubles& knots, const Doubles& gaps, std::pair<double, double> slopes,
                        std::pair<double, double> y_bounds, const std::vector<int>& required) {
  fit::Problem p;
  p.knots = to_vector(knots);
  p.gaps = to_gaps(gaps);
  p.slope_low = slopes.first;
  p.slope_high = slopes.second;
  p.y_low = y_bounds.first;
  p.y_high = y_bounds.second;
  p.required = required;
  return p;
}

// Ctrl-C stops a long search.
void check_signals() {
  py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

using Found = std::tuple<std::vector<int>, Doubles, double, double, bool>;

std::vector<Found> search(const Doubles& knots, const Doubles& gaps, int most_segments,
                          std::pair<double, double> slopes, std::pair<double, double> y_bounds,
                          const std::vector<int>& required, const std::vector<std::vector<int>>& starts, double seconds,
                          const std::string& turn, int fewest) {
  const fit::Problem problem = to_problem(knots, gaps, slopes, y_bounds, required);
  std::vector<fit::Answer> answers;
  {
    py::gil_scoped_release release;
    fit::Watch watch(seconds, check_signals);
    if (turn == "peak") {
      answers = fit::PeakSearch(problem, most_segments, watch).run(starts);
    } else if (turn == "valley") {
      answers = fit::search_valley(problem, most_segments, watch, starts);
    } else {
      answers = fit::Search(problem, most_segments, watch, fewest).run(starts);
    }
  }
  std::vector<Found> out;
  for (const fit::Answer& a : answers) {
    out.emplace_back(a.curve.knots, to_array(a.curve.y), a.curve.cost, a.lower, a.optimal);
  }
  return out;
}

std::pair<Doubles, double> solve(const Doubles& knots, const Doubles& gaps, std::pair<double, double> slopes,
                                 std::pair<double, double> y_bounds, const std::vector<int>& chosen) {
  const fit::Problem problem = to_problem(knots, gaps, slopes, y_bounds, {});
  const fit::Side left(problem);
  const fit::Side right(fit::mirrored(problem));
  const fit::Curve curve = fit::solve(left, right.start(left.size() - 1 - chosen.back()), chosen);
  return {to_array(curve.y), curve.cost};
}

// The cost of curves on the same knots, one row of y each.
Doubles costs(const Doubles& knots, const Doubles& gaps, const Doubles& y) {
  const fit::Problem problem = to_problem(knots, gaps, {-fit::kInf, fit::kInf}, {-fit::kInf, fit::kInf}, {});
  const fit::Side left(problem);
  const fit::Side right(fit::mirrored(problem));
  const auto rows = y.shape(0);
  const int n = left.size();
  Doubles out(rows);
  for (py::ssize_t r = 0; r < rows; ++r) {
    const double* at = y.data() + r * n;
    double cost = left.start(0)(at[0]) + right.start(0)(at[n - 1]);
    for (int k = 1; k < n; ++k) cost += left.segment(k - 1, k).cost(at[k - 1], at[k]);
    out.mutable_data()[r] = cost;
  }
  return out;
}

// Merges the gaps around knots that are left out.
Doubles coarsen(const Doubles& knots, const Doubles& gaps, const std::vector<int>& kept) {
  const std::vector<double> u = to_vector(knots);
  const std::vector<fit::Moments> fine = to_gaps(gaps);
  std::vector<fit::Moments> out(kept.size() + 1);
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  const int n = static_cast<int>(u.size());
  for (std::size_t k = 0; k <= kept.size(); ++k) {
    const int begin = k == 0 ? 0 : kept[k - 1] + 1;
    const int end = k == kept.size() ? n : kept[k];
    const double left = u[at(k == 0 ? 0 : kept[k - 1])];
    for (int g = begin; g <= end; ++g) {
      out[k] = fit::merge(out[k], fine[at(g)], g == 0 ? 0.0 : u[at(g - 1)] - left);
    }
  }
  return gap_table(out);
}

}  // namespace

void register_fit(py::module_& module) {
  module.def("fuse", &fuse, py::arg("x"), py::arg("y"), py::arg("w"));
  module.def("gaps_of_points", &gaps_of_points, py::arg("knots_x"), py::arg("knots_u"), py::arg("points"),
             py::arg("u"));
  module.def("gaps_of_parts", &gaps_of_parts, py::arg("knots_x"), py::arg("knots_u"), py::arg("x"), py::arg("u"),
             py::arg("moments"));
  module.def("splits", &splits, py::arg("points"), py::arg("bounds"), py::arg("count"), py::arg("enough"));
  module.def("search", &search, py::arg("knots"), py::arg("gaps"), py::arg("most_segments"), py::arg("slopes"),
             py::arg("y_bounds"), py::arg("required"), py::arg("starts"), py::arg("seconds"), py::arg("turn"),
             py::arg("fewest") = 1);
  module.def("solve", &solve, py::arg("knots"), py::arg("gaps"), py::arg("slopes"), py::arg("y_bounds"),
             py::arg("chosen"));
  module.def("costs", &costs, py::arg("knots"), py::arg("gaps"), py::arg("y"));
  module.def("coarsen", &coarsen, py::arg("knots"), py::arg("gaps"), py::arg("kept"));
}

}  // namespace curvec::bind
