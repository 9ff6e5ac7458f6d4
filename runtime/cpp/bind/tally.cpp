// Counting rows for Python: in cells, and in sums without rounding.
#include "fit/tally.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/register.hpp"
#include "fit/exact_sum.hpp"

namespace py = pybind11;

namespace curvec::bind {
namespace {

using Doubles = py::array_t<double, py::array::c_style>;
using fit::ExactSum;
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
  if (w) tally.set_weighted();
  py::gil_scoped_release release;
  tally.add(data, w ? w->data() : nullptr, rows);
}

double value_of(std::uint64_t key) {
  return key == Tally::kMissing ? std::numeric_limits<double>::quiet_NaN() : fit::from_order_key(key);
}

// (cells, columns) the least and the largest values, (cells,) the rows and the weights, in the order of the values.
std::tuple<Doubles, Doubles, Doubles, Doubles> cells(Tally& tally) {
  tally.settle();
  const auto count = static_cast<py::ssize_t>(tally.cells().size());
  const auto width = static_cast<py::ssize_t>(tally.width());
  Doubles least({count, width});
  Doubles largest({count, width});
  Doubles rows(count);
  Doubles weights(count);
  py::ssize_t to = 0;
  for (const std::size_t k : tally.order()) {
    for (py::ssize_t c = 0; c < width; ++c) {
      const std::size_t at = k * tally.width() + static_cast<std::size_t>(c);
      least.mutable_at(to, c) = value_of(tally.least()[at]);
      largest.mutable_at(to, c) = value_of(tally.largest()[at]);
    }
    rows.mutable_at(to) = static_cast<double>(tally.cells()[k].rows);
    weights.mutable_at(to) = tally.weighted() ? tally.cells()[k].weight.value() : rows.at(to);
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
  tally.sort();
  std::vector<std::vector<double>> cuts;
  for (const auto& own : tally.cuts()) {
    cuts.emplace_back();
    for (const std::uint64_t key : own) cuts.back().push_back(fit::from_order_key(key));
  }
  return py::make_tuple(cuts, tally.most(), tally.full() ? 0 : tally.shift(), tally.weighted(), tally.full(),
                        bytes_of(tally.cells()), bytes_of(tally.least()), bytes_of(tally.largest()));
}

std::unique_ptr<Tally> tally_of(const py::tuple& state) {
  auto tally =
      std::make_unique<Tally>(py::cast<std::vector<std::vector<double>>>(state[0]), py::cast<std::size_t>(state[1]));
  tally->restore(py::cast<int>(state[2]), py::cast<bool>(state[3]), py::cast<bool>(state[4]),
                 from_bytes<Tally::Cell>(state[5]), from_bytes<std::uint64_t>(state[6]),
                 from_bytes<std::uint64_t>(state[7]));
  return tally;
}

void add_values(ExactSum& sum, const Doubles& values) {
  py::gil_scoped_release release;
  std::for_each(values.data(), values.data() + values.size(), [&](double value) { sum.add(value); });
}

// Adds w, w y and w y^2 of every row to the three sums; the last to twice a double's precision.
void add_squares(ExactSum& weight, ExactSum& first, ExactSum& second, const Doubles& y, const Doubles& w) {
  if (y.size() != w.size()) throw py::value_error("weights differ in length");
  py::gil_scoped_release release;
  for (py::ssize_t k = 0; k < y.size(); ++k) {
    const double value = y.data()[k];
    const fit::Wide once = fit::two_product(w.data()[k], value);
    const fit::Wide twice = fit::two_product(once.hi, value);
    weight.add(w.data()[k]);
    first.add(once.hi);
    first.add(once.lo);
    second.add(twice.hi);
    second.add(twice.lo);
    second.add(once.lo * value);
  }
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

}  // namespace

void register_tally(py::module_& module) {
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
  module.def("add_squares", &add_squares, py::arg("weight"), py::arg("first"), py::arg("second"), py::arg("y"),
             py::arg("w"));
}

}  // namespace curvec::bind
