// Reducing rows for Python: bins of about equal weight, and their moments, without a sort.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <curvec/transforms.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "bind/register.hpp"
#include "fit/accumulate.hpp"
#include "fit/bins.hpp"
#include "levels/level.hpp"

namespace py = pybind11;

namespace curvec::bind {
namespace {

using Doubles = py::array_t<double, py::array::c_style>;
using fit::Bin;

constexpr std::size_t kBinDoubles = 24;
static_assert(sizeof(Bin) == kBinDoubles * sizeof(double), "a bin is a row of doubles");

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::size_t kRowsBetweenSignals = std::size_t{1} << 20;

int use_level(int level) {
  if (level > levels::of_processor()) throw py::value_error("the processor has no such level");
  fit::kernels_in_use() = &levels::compiled(level).kernels;
  return levels::of_processor();
}

// Runs `work(begin, end)` over all rows without the interpreter lock; Ctrl-C stops it between blocks.
template <class Work>
void in_blocks(std::size_t rows, Work&& work) {
  for (std::size_t begin = 0; begin < rows; begin += kRowsBetweenSignals) {
    {
      py::gil_scoped_release release;
      work(begin, std::min(begin + kRowsBetweenSignals, rows));
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

// Least and largest, and whether all are finite.
std::tuple<double, double, bool> survey(const Doubles& values) {
  fit::Survey all;
  in_blocks(static_cast<std::size_t>(values.size()), [&](std::size_t begin, std::size_t end) {
    fit::kernels().survey(values.data() + begin, end - begin, all);
  });
  return {all.low, all.high, all.finite};
}

// (least, largest) of the values whose weight is above zero.
std::pair<double, double> weighted_extent(const Doubles& values, const Doubles& weights) {
  double low = kInf;
  double high = -kInf;
  const double* v = values.data();
  const double* w = weights.data();
  in_blocks(static_cast<std::size_t>(values.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (!(w[k] > 0.0)) continue;
      low = std::min(low, v[k]);
      high = std::max(high, v[k]);
    }
  });
  return {low, high};
}

std::vector<double> find_edges(const Doubles& x, const std::optional<Doubles>& w, double unit, double low, double high,
                               std::size_t most) {
  py::gil_scoped_release release;
  fit::EdgeFinder finder(fit::kernels(), x.data(), w ? w->data() : nullptr, unit, static_cast<std::size_t>(x.size()),
                         most);
  return finder.find(low, high);
}

void accumulate(Doubles bins, const Doubles& edges, const Doubles& u, const Doubles& v, const Doubles& x,
                const Doubles& y, const std::optional<Doubles>& w, double unit, double y_origin,
                std::pair<int, int> transforms, bool normal, bool compensated) {
  const fit::Binner binner(std::vector<double>(edges.data(), edges.data() + edges.size()));
  std::vector<fit::Start> starts;  // a bin's
  for (py::ssize_t k = 0; k < u.size(); ++k) starts.push_back({u.data()[k], v.data()[k]});
  fit::Rows rows{x.data(),
                 y.data(),
                 w ? w->data() : nullptr,
                 unit,
                 y_origin,
                 binner.cells(),
                 binner.starts(),
                 binner.edges(),
                 starts.data(),
                 transforms.first,
                 transforms.second,
                 normal,
                 reinterpret_cast<Bin*>(bins.mutable_data())};
  in_blocks(static_cast<std::size_t>(x.size()), [&](std::size_t begin, std::size_t end) {
    if (compensated) {
      Transforms::With(rows.first, [&](auto fx) { fit::put_rows_compensated<decltype(fx)>(binner, rows, begin, end); });
    } else {
      fit::kernels().put(rows, begin, end);
    }
  });
}

void merge_bins(Doubles bins, const Doubles& other) {
  Bin* at = reinterpret_cast<Bin*>(bins.mutable_data());
  const Bin* from = reinterpret_cast<const Bin*>(other.data());
  for (py::ssize_t k = 0; k < bins.shape(0); ++k) at[k].merge(from[k]);
}

// One row a bin: w, u, y - y_origin, suu, slope, rest under the first or the second transform.
Doubles bin_moments(const Doubles& bins, bool second, double y_origin) {
  const Bin* at = reinterpret_cast<const Bin*>(bins.data());
  Doubles out({bins.shape(0), py::ssize_t{6}});
  double* to = out.mutable_data();
  for (py::ssize_t k = 0; k < bins.shape(0); ++k, to += 6) {
    const fit::Moments m = at[k].moments(second, y_origin);
    const std::array<double, 6> row{m.w, m.u, m.y, m.suu, m.slope, m.rest};
    std::copy(row.begin(), row.end(), to);
  }
  return out;
}

}  // namespace

void register_rows(py::module_& module) {
  use_level(levels::of_processor());
  module.attr("BIN_DOUBLES") = kBinDoubles;
  module.def("survey", &survey, py::arg("values"));
  module.def("weighted_extent", &weighted_extent, py::arg("values"), py::arg("weights"));
  module.def("use_level", &use_level, py::arg("level"));
  module.def("find_edges", &find_edges, py::arg("x"), py::arg("w"), py::arg("unit"), py::arg("low"), py::arg("high"),
             py::arg("most"));
  module.def("accumulate", &accumulate, py::arg("bins").noconvert(), py::arg("edges"), py::arg("u"), py::arg("v"),
             py::arg("x"), py::arg("y"), py::arg("w"), py::arg("unit"), py::arg("y_origin"), py::arg("transforms"),
             py::arg("normal"), py::arg("compensated"));
  module.def("merge_bins", &merge_bins, py::arg("bins").noconvert(), py::arg("other"));
  module.def("bin_moments", &bin_moments, py::arg("bins"), py::arg("second"), py::arg("y_origin"));
}

}  // namespace curvec::bind
