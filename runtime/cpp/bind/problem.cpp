// The fit for Python: search spaces, problems on candidates, searches and solutions.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/register.hpp"
#include "bind/sample.hpp"
#include "bind/tables.hpp"
#include "fit/transform_choice.hpp"

namespace curvec::bind {
namespace {

using Knots = std::vector<int>;
using Pair = std::pair<double, double>;
using Found = std::tuple<Knots, Doubles, double, double, bool>;

// A Python function that says whether the job of this thread is to end; null where there is none. The reference is held
// by whoever sets it.
thread_local PyObject* is_stopped = nullptr;

// Stops a long search on Ctrl-C. Python tells only the main thread of it, which then stops the others.
void check_signals() {
  py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (is_stopped != nullptr && py::cast<bool>(py::handle(is_stopped)())) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
}

struct Stopping {
  explicit Stopping(const py::object& asked) { is_stopped = asked.ptr(); }
  ~Stopping() { is_stopped = before; }
  Stopping(const Stopping&) = delete;
  Stopping& operator=(const Stopping&) = delete;

  PyObject* before = is_stopped;
};

py::object stoppable(const py::object& asked, const py::object& job) {
  const Stopping stopping(asked);
  return job();
}

Found found(const fit::Answer& a) { return {a.curve.knots, to_array(a.curve.y), a.curve.cost, a.lower, a.optimal}; }

fit::Answer answer(const Found& f) {
  const auto& [knots, y, cost, lower, optimal] = f;
  return {{knots, to_vector(y), cost}, lower, optimal};
}

std::vector<Found> all_found(const std::vector<fit::Answer>& answers) {
  std::vector<Found> out;
  for (const fit::Answer& a : answers) out.push_back(found(a));
  return out;
}

fit::Turn turn_of(const std::string& name) {
  static const std::map<std::string, fit::Turn> names{
      {"", fit::Turn::none}, {"peak", fit::Turn::peak}, {"valley", fit::Turn::valley}, {"bitonic", fit::Turn::bitonic}};
  return names.at(name);
}

fit::KnotPlaces places_of(const std::string& name) {
  static const std::map<std::string, fit::KnotPlaces> names{
      {"any", fit::KnotPlaces::any}, {"whole", fit::KnotPlaces::whole}, {"values", fit::KnotPlaces::values}};
  return names.at(name);
}

class Problem {
 public:
  explicit Problem(fit::TaskPointer task) : task_(std::move(task)) {}

  [[nodiscard]] const fit::TaskPointer& task() const noexcept { return task_; }
  [[nodiscard]] Doubles x() const { return to_array(task_->x()); }
  [[nodiscard]] Doubles u() const { return to_array(task_->problem().knots); }
  [[nodiscard]] const Knots& required() const noexcept { return task_->problem().required; }

  // The best curves. `joint`: with the constraints that need Python's search (JointSearch), if there are any; else
  // by the search here, which leaves these out.
  std::vector<Found> search(int most, int fewest, const fit::Starts& starts, double ceiling, double seconds,
                            bool joint) const {
    std::vector<fit::Answer> answers;
    {
      py::gil_scoped_release release;
      fit::Watch watch(seconds, check_signals);
      answers = joint ? task_->search(most, starts, watch, fewest, ceiling)
                      : task_->search_without_joint(most, starts, watch, fewest, ceiling);
    }
    return all_found(answers);
  }

  // The cost of curves on these knots, one row of y each.
  Doubles costs(const Knots& chosen, const Doubles& y) const {
    const fit::Sides& sides = task_->sides();
    const fit::Quadratic& tail = sides.right.start(sides.left.size() - 1 - chosen.back());
    const auto rows = y.shape(0);
    Doubles out(rows);
    for (py::ssize_t r = 0; r < rows; ++r) {
      out.mutable_data()[r] = fit::cost_of(sides.left, tail, chosen, y.data() + r * y.shape(1));
    }
    return out;
  }

  // The same for curves that begin and end at this y.
  [[nodiscard]] Problem with_ends(double y) const {
    py::gil_scoped_release release;
    return Problem(task_->with_ends(y));
  }

  // The same with these candidates only.
  [[nodiscard]] Problem on(const Knots& chosen) const {
    py::gil_scoped_release release;
    return Problem(task_->on(chosen));
  }

  // The moments of the gaps between these knots.
  Doubles gaps(const Knots& chosen) const { return gap_table(fit::gaps_on(task_->problem(), chosen)); }

 private:
  fit::TaskPointer task_;
};

using PythonSearch = std::function<std::vector<Found>(const Problem&, int, int, const fit::Starts&, double)>;

fit::JointSearch joint_search_by(const std::optional<PythonSearch>& search) {
  if (!search) return {};
  return [search = *search](const fit::TaskPointer& task, int most, int fewest, const fit::Starts& starts,
                            fit::Watch& watch) {
    py::gil_scoped_acquire acquire;
    std::vector<fit::Answer> out;
    for (const Found& f : search(Problem(task), most, fewest, starts, watch.seconds_left())) out.push_back(answer(f));
    return out;
  };
}

class SearchSpace {
 public:
  SearchSpace(const Sample& sample, int fx, double lower, double closest, int digits, const std::string& places,
              Pair slopes, Pair y_bounds, const std::string& turn, const Doubles& knots, const Doubles& given,
              bool learn_ends, const std::optional<Doubles>& last, const std::optional<PythonSearch>& joint_search)
      : space_(sample.data(), {fit::forward_of(fx), lower, closest, digits, places_of(places)},
               {slopes.first, slopes.second, y_bounds.first, y_bounds.second, turn_of(turn), to_vector(knots),
                to_vector(given), learn_ends},
               last ? to_vector(*last) : std::vector<double>{}, joint_search_by(joint_search)) {}

  [[nodiscard]] const fit::SearchSpace& space() const noexcept { return space_; }
  [[nodiscard]] Problem problem(const Doubles& x) const {
    py::gil_scoped_release release;
    return Problem(space_.task(to_vector(x)));
  }

  // The problem with finer candidates around the knots found, and the best on it.
  std::pair<Problem, Found> refined(const Problem& base, const Found& best, int wanted, double seconds) const {
    fit::Solution solution{base.task(), answer(best)};
    {
      py::gil_scoped_release release;
      fit::Watch watch(seconds, check_signals);
      solution = fit::refined(space_, std::move(solution), wanted, watch);
    }
    return {Problem(solution.task), found(solution.best)};
  }

 private:
  fit::SearchSpace space_;
};

using Spaces = std::vector<const SearchSpace*>;
// Which space won, the number of segments, its last candidates, and the best on them.
using Fitted = std::tuple<std::size_t, int, Problem, Found>;

template <class Fit>
Fitted fitted(const Spaces& spaces, const std::vector<Doubles>& candidates, double seconds, Fit&& fit_on) {
  std::vector<const fit::SearchSpace*> own;
  for (const SearchSpace* space : spaces) own.push_back(&space->space());
  std::vector<std::vector<double>> x;
  for (const Doubles& some : candidates) x.push_back(to_vector(some));
  fit::Fitted best;
  {
    py::gil_scoped_release release;
    fit::Watch watch(seconds, check_signals);
    best = fit_on(own, x, watch);
  }
  return {best.space, best.segments, Problem(best.solution.task), found(best.solution.best)};
}

Fitted fit_best_transform(const Spaces& spaces, const std::vector<Doubles>& candidates, int wanted, bool refines,
                          double floor, double margin, double seconds) {
  return fitted(spaces, candidates, seconds, [&](const auto& own, const auto& x, fit::Watch& watch) {
    return fit::fit_best_transform(own, x, wanted, refines, {floor, margin}, watch);
  });
}

Fitted fit_fewest_segments(const Spaces& spaces, const std::vector<Doubles>& candidates, int most, double enough,
                           bool refines, double floor, double margin, double seconds) {
  return fitted(spaces, candidates, seconds, [&](const auto& own, const auto& x, fit::Watch& watch) {
    return fit::fit_fewest_segments(own, x, most, enough, refines, {floor, margin}, watch);
  });
}

}  // namespace

void register_problem(py::module_& module) {
  module.def("stoppable", &stoppable, py::arg("asked"), py::arg("job"));
  module.def("check_stopped", &check_signals);
  py::class_<Problem>(module, "Problem")
      .def_property_readonly("x", &Problem::x)
      .def_property_readonly("u", &Problem::u)
      .def_property_readonly("required", &Problem::required)
      .def("search", &Problem::search, py::arg("most"), py::arg("fewest"), py::arg("starts"), py::arg("ceiling"),
           py::arg("seconds"), py::arg("joint"))
      .def("costs", &Problem::costs, py::arg("chosen"), py::arg("y"))
      .def("gaps", &Problem::gaps, py::arg("chosen"))
      .def("on", &Problem::on, py::arg("chosen"))
      .def("with_ends", &Problem::with_ends, py::arg("y"));
  py::class_<SearchSpace>(module, "SearchSpace")
      .def(py::init<const Sample&, int, double, double, int, const std::string&, Pair, Pair, const std::string&,
                    const Doubles&, const Doubles&, bool, const std::optional<Doubles>&,
                    const std::optional<PythonSearch>&>(),
           py::arg("sample"), py::arg("fx"), py::arg("lower"), py::arg("closest"), py::arg("digits"), py::arg("places"),
           py::arg("slopes"), py::arg("y_bounds"), py::arg("turn"), py::arg("knots"), py::arg("given"),
           py::arg("learn_ends"), py::arg("last"), py::arg("joint_search"), py::keep_alive<1, 2>())
      .def("problem", &SearchSpace::problem, py::arg("candidates"))
      .def("refined", &SearchSpace::refined, py::arg("base"), py::arg("best"), py::arg("wanted"), py::arg("seconds"));
  module.def("fit_best_transform", &fit_best_transform, py::arg("spaces"), py::arg("candidates"), py::arg("wanted"),
             py::arg("refines"), py::arg("floor"), py::arg("margin"), py::arg("seconds"));
  module.def("fit_fewest_segments", &fit_fewest_segments, py::arg("spaces"), py::arg("candidates"), py::arg("most"),
             py::arg("enough"), py::arg("refines"), py::arg("floor"), py::arg("margin"), py::arg("seconds"));
}

}  // namespace curvec::bind
