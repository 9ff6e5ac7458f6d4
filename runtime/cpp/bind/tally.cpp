// Counting rows for Python: in cells, and in sums without rounding.
#include "fit/tally.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/register.hpp"
#include "fit/exact_sum.hpp"
#include "fit/kernels.hpp"
#include "fit/normal_sums.hpp"
#include "fit/word_sums.hpp"

namespace py = pybind11;

namespace curvec::bind {
namespace {

using Doubles = py::array_t<double, py::array::c_style>;
using fit::ExactSum;
using fit::NormalSums;
using fit::Tally;

void add_rows(Tally& tally, const std::vector<Doubles>& columns, const std::optional<Doubles>& w) {
  const std::size_t rows = columns.empty() ? 0 : static_cast<std::size_t>(columns[0].size());
  std::vector<const double*> data;
  for (const Doubles& column : columns) {
    if (static_cast<std::size_t>(column.size()) != rows) throw py::value_error("columns differ in length");
    data.push_back(column.data());
  }
  if (data.size() != tally.width()) throw py::value_error("another number of columns");
  if (w && static_cast<std::size_t>(w->size()) != rows) throw py::value_error("weights differ in length");
  py::gil_scoped_release release;
  tally.add(data, w ? w->data() : nullptr, rows);
}

double value_of(std::uint64_t key) {
  return key == Tally::kMissing ? std::numeric_limits<double>::quiet_NaN() : fit::from_order_key(key);
}

// (cells, columns) the least and the largest values, (cells,) the rows and the weights, in the order of the values.
std::tuple<Doubles, Doubles, Doubles, Doubles> cells(Tally& tally) {
  tally.settle();
  const auto count = static_cast<py::ssize_t>(tally.size());
  const auto width = static_cast<py::ssize_t>(tally.width());
  Doubles least({count, width});
  Doubles largest({count, width});
  Doubles rows(count);
  Doubles weights(count);
  py::ssize_t to = 0;
  for (const std::size_t k : tally.order()) {
    for (py::ssize_t c = 0; c < width; ++c) {
      least.mutable_at(to, c) = value_of(tally.least(k)[c]);
      largest.mutable_at(to, c) = value_of(tally.largest(k)[c]);
    }
    rows.mutable_at(to) = static_cast<double>(tally.rows(k));
    weights.mutable_at(to) = tally.weight(k).value();
    ++to;
  }
  return {least, largest, rows, weights};
}

template <class T>
py::bytes bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> from_bytes(const py::handle& bytes) {
  const auto text = py::cast<std::string>(bytes);
  std::vector<T> values(text.size() / sizeof(T));
  std::memcpy(static_cast<void*>(values.data()), text.data(), values.size() * sizeof(T));
  return values;
}

// The same bytes for the same rows, in whatever order they came: Spark compares what a task writes when it runs again.
py::tuple tally_state(Tally& tally) {
  tally.settle();
  const auto [cells, weights] = tally.written();
  std::vector<std::vector<double>> cuts;
  for (const auto& own : tally.cuts()) {
    cuts.emplace_back();
    for (const std::uint64_t key : own) cuts.back().push_back(fit::from_order_key(key));
  }
  return py::make_tuple(cuts, tally.most(), tally.full() ? 0 : tally.shift(), tally.weighted(), tally.full(),
                        bytes_of(cells), bytes_of(weights));
}

std::unique_ptr<Tally> tally_of(const py::tuple& state) {
  auto tally =
      std::make_unique<Tally>(py::cast<std::vector<std::vector<double>>>(state[0]), py::cast<std::size_t>(state[1]));
  tally->restore(py::cast<int>(state[2]), py::cast<bool>(state[3]), py::cast<bool>(state[4]),
                 from_bytes<Tally::Words>(state[5]), from_bytes<fit::ExactWeight>(state[6]));
  return tally;
}

void add_values(ExactSum& sum, const Doubles& values) {
  py::gil_scoped_release release;
  std::for_each(values.data(), values.data() + values.size(), [&](double value) { sum.add(value); });
}

// Adds w, w y and w y^2 of every row with a finite y and a positive w (1 where there are no weights) to the three sums;
// the last to twice a double's precision. The number of these rows, of those in which y is NaN whatever their weight,
// and the least and the largest y of the former: infinity and its negative where there are none.
std::tuple<std::uint64_t, std::uint64_t, double, double> add_squares(ExactSum& weight, ExactSum& first,
                                                                     ExactSum& second, const Doubles& y,
                                                                     const std::optional<Doubles>& w) {
  if (w && y.size() != w->size()) throw py::value_error("weights differ in length");
  const double* const values = y.data();
  const double* const weights = w ? w->data() : nullptr;
  const auto count = static_cast<std::size_t>(y.size());
  py::gil_scoped_release release;
  std::uint64_t rows = 0;
  std::uint64_t without = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t k = 0; k < count; ++k) {
    const double value = values[k];
    without += value != value ? 1 : 0;
    if (!std::isfinite(value) || (weights && !(weights[k] > 0.0))) continue;
    ++rows;
    low = std::min(low, value);
    high = std::max(high, value);
    if (weights) weight.add(weights[k]);
    const fit::Wide once = weights ? fit::two_product(weights[k], value) : fit::Wide{value};
    const fit::Wide twice = fit::two_product(once.hi, value);
    first.add(once.hi);
    first.add(once.lo);
    second.add(twice.hi);
    second.add(twice.lo);
    second.add(once.lo * value);
  }
  if (!weights) weight.add(static_cast<double>(rows));
  return {rows, without, low, high};
}

std::vector<std::int64_t> words(ExactSum& sum) {
  sum.carry();
  return {sum.words.begin(), sum.words.end()};
}

std::unique_ptr<ExactSum> sum_of(const std::vector<std::int64_t>& words) {
  if (words.size() != ExactSum::kWords) throw py::value_error("another number of words");
  auto sum = std::make_unique<ExactSum>();
  std::copy(words.begin(), words.end(), sum->words.begin());
  return sum;
}

using Hashes = py::array_t<std::uint64_t, py::array::c_style>;

// (rows,) a number of each row from its values.
Hashes hash_rows(const std::vector<Doubles>& columns, std::uint64_t seed) {
  const auto rows = static_cast<std::size_t>(columns.at(0).size());
  std::vector<const double*> data;
  for (const Doubles& column : columns) {
    if (static_cast<std::size_t>(column.size()) != rows) throw py::value_error("columns differ in length");
    data.push_back(column.data());
  }
  Hashes found(static_cast<py::ssize_t>(rows));
  std::uint64_t* const to = found.mutable_data();
  py::gil_scoped_release release;
  fit::kernels().hash(data.data(), data.size(), rows, seed, to);
  return found;
}

using Integers = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>;

// Adds the rows of a sparse matrix; whether each number was fit to be added.
bool add_normal(NormalSums& sums, const Integers& begins, const Integers& columns, const Doubles& entries,
                const Integers& groups, const Doubles& r, const Doubles& h) {
  const auto rows = static_cast<std::size_t>(groups.size());
  if (begins.size() != groups.size() + 1 || r.size() != groups.size() || h.size() != groups.size() ||
      columns.size() != entries.size()) {
    throw py::value_error("rows differ in number");
  }
  py::gil_scoped_release release;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = static_cast<std::size_t>(begins.data()[row]);
    const auto count = static_cast<std::size_t>(begins.data()[row + 1]) - begin;
    if (!sums.add(columns.data() + begin, entries.data() + begin, count, r.data()[row], h.data()[row],
                  static_cast<std::size_t>(groups.data()[row]))) {
      return false;
    }
  }
  return true;
}

// (groups, p) and (groups, p, p) doubles.
std::pair<Doubles, Doubles> normal_values(NormalSums& sums) {
  sums.carry();
  const std::size_t p = sums.p();
  Doubles first({sums.groups(), p});
  Doubles second({sums.groups(), p, p});
  for (std::size_t group = 0; group < sums.groups(); ++group) {
    for (std::size_t a = 0; a < p; ++a) {
      first.mutable_at(group, a) = sums.first(group, a);
      for (std::size_t b = 0; b < p; ++b) second.mutable_at(group, a, b) = sums.second(group, a, b);
    }
  }
  return {first, second};
}

}  // namespace

void register_tally(py::module_& module) {
  module.def("hash_rows", &hash_rows, py::arg("columns"), py::arg("seed"));
  py::class_<Tally>(module, "Tally")
      .def(py::init<const std::vector<std::vector<double>>&, std::size_t>(), py::arg("cuts"), py::arg("most"))
      .def("add", &add_rows, py::arg("columns"), py::arg("w"))
      .def(
          "merge",
          [](Tally& tally, Tally& other) {
            other.settle();
            tally.merge(other);
          },
          py::arg("other"))
      .def("cells", &cells)
      .def_property_readonly("full", &Tally::full)
      .def(py::pickle(&tally_state, [](const py::tuple& state) { return tally_of(state); }));
  py::class_<ExactSum>(module, "ExactSum")
      .def(py::init<>())
      .def("add", &add_values, py::arg("values"))
      .def(
          "merge", [](ExactSum& sum, const ExactSum& other) { sum.add(other); }, py::arg("other"))
      .def_property_readonly("words", &words)
      .def(py::pickle([](ExactSum& sum) { return py::make_tuple(words(sum)); },
                      [](const py::tuple& state) { return sum_of(py::cast<std::vector<std::int64_t>>(state[0])); }));
  py::class_<NormalSums>(module, "NormalSums")
      .def(py::init<std::size_t, std::size_t>(), py::arg("p"), py::arg("groups"))
      .def("add", &add_normal, py::arg("begins"), py::arg("columns"), py::arg("entries"), py::arg("groups"),
           py::arg("r"), py::arg("h"))
      .def(
          "merge",
          [](NormalSums& sums, NormalSums& other) {
            sums.carry();
            other.carry();
            sums.add(other);
          },
          py::arg("other"))
      .def("values", &normal_values)
      .def(py::pickle(
          [](NormalSums& sums) {
            sums.carry();
            return py::make_tuple(sums.p(), sums.groups(), bytes_of(sums.firsts()), bytes_of(sums.seconds()));
          },
          [](const py::tuple& state) {
            auto sums = std::make_unique<NormalSums>(py::cast<std::size_t>(state[0]), py::cast<std::size_t>(state[1]));
            sums->firsts() = from_bytes<fit::BoundedSum>(state[2]);
            sums->seconds() = from_bytes<fit::BoundedSum>(state[3]);
            return sums;
          }));
  module.def("add_squares", &add_squares, py::arg("weight"), py::arg("first"), py::arg("second"), py::arg("y"),
             py::arg("w"));
}

}  // namespace curvec::bind
