// One problem of the fit for Python: candidates and moments once, then searches and solutions on them.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <vector>

#include "bind/register.hpp"
#include "bind/tables.hpp"
#include "fit/peak.hpp"
#include "fit/search.hpp"

namespace curvec::bind {
namespace {

using Knots = std::vector<int>;
using Found = std::tuple<Knots, Doubles, double, double, bool>;

fit::Problem to_problem(const Doubles& knots, const Doubles& gaps, std::pair<double, double> slopes,
                        std::pair<double, double> y_bounds, const Knots& required) {
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

Found found(const fit::Answer& a) { return {a.curve.knots, to_array(a.curve.y), a.curve.cost, a.lower, a.optimal}; }

class Problem {
 public:
  Problem(const Doubles& knots, const Doubles& gaps, std::pair<double, double> slopes,
          std::pair<double, double> y_bounds, const Knots& required)
      : sides_(to_problem(knots, gaps, slopes, y_bounds, required)) {}

  // The best curve for every number of segments from `fewest` on that costs less than `ceiling`.
  std::vector<Found> search(int most, int fewest, const std::vector<Knots>& starts, double ceiling, double seconds,
                            const std::string& turn) const {
    std::vector<fit::Answer> answers;
    {
      py::gil_scoped_release release;
      fit::Watch watch(seconds, check_signals);
      if (turn == "peak") {
        answers = fit::PeakSearch(problem(), most, watch).run(starts);
      } else if (turn == "valley") {
        answers = fit::search_valley(problem(), most, watch, starts);
      } else {
        answers = fit::Search(sides_, most, watch, fewest).run(starts, ceiling);
      }
    }
    std::vector<Found> out;
    for (const fit::Answer& a : answers) out.push_back(found(a));
    return out;
  }

  // A good curve of `most` segments, without a proof.
  Found quick(int most, const std::vector<Knots>& starts, double seconds) const {
    fit::Answer answer;
    {
      py::gil_scoped_release release;
      fit::Watch watch(seconds, check_signals);
      answer = fit::Search(sides_, most, watch, most).quick(starts).back();
    }
    return found(answer);
  }

  // The cost of curves on these knots, one row of y each.
  Doubles costs(const Knots& chosen, const Doubles& y) const {
    const auto rows = y.shape(0);
    Doubles out(rows);
    for (py::ssize_t r = 0; r < rows; ++r) {
      const double* at = y.data() + r * y.shape(1);
      out.mutable_data()[r] = fit::cost_of(sides_.left, tail(chosen), chosen, at);
    }
    return out;
  }

  // The moments of the gaps between these knots.
  Doubles gaps(const Knots& chosen) const { return gap_table(fit::gaps_on(problem(), chosen)); }

 private:
  [[nodiscard]] const fit::Problem& problem() const noexcept { return sides_.left.problem(); }
  [[nodiscard]] const fit::Quadratic& tail(const Knots& chosen) const noexcept {
    return sides_.right.start(sides_.left.size() - 1 - chosen.back());
  }

  fit::Sides sides_;
};

}  // namespace

void register_problem(py::module_& module) {
  using Pair = std::pair<double, double>;
  py::class_<Problem>(module, "Problem")
      .def(py::init<const Doubles&, const Doubles&, Pair, Pair, const Knots&>(), py::arg("knots"), py::arg("gaps"),
           py::arg("slopes"), py::arg("y_bounds"), py::arg("required"))
      .def("search", &Problem::search, py::arg("most"), py::arg("fewest"), py::arg("starts"), py::arg("ceiling"),
           py::arg("seconds"), py::arg("turn"))
      .def("quick", &Problem::quick, py::arg("most"), py::arg("starts"), py::arg("seconds"))
      .def("costs", &Problem::costs, py::arg("chosen"), py::arg("y"))
      .def("gaps", &Problem::gaps, py::arg("chosen"));
}

}  // namespace curvec::bind
