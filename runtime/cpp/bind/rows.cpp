// Reducing rows for Python: bins of about equal weight, and their moments, without a sort.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "bind/register.hpp"
#include "fit/accumulate.hpp"
#include "fit/bins.hpp"

namespace py = pybind11;

namespace curvec::bind {
namespace {

using Doubles = py::array_t<double, py::array::c_style>;
using fit::Bin;
using fit::Fx;

static_assert(sizeof(Bin) == Bin::kDoubles * sizeof(double), "a bin is a row of doubles");

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::size_t kRowsBetweenSignals = std::size_t{1} << 20;

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

// (least, largest) of the values whose weight is above zero.
std::pair<double, double> extent(const Doubles& values, const std::optional<Doubles>& weights) {
  double low = kInf;
  double high = -kInf;
  const double* v = values.data();
  const double* w = weights ? weights->data() : nullptr;
  in_blocks(static_cast<std::size_t>(values.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (w && !(w[k] > 0.0)) continue;
      low = std::min(low, v[k]);
      high = std::max(high, v[k]);
    }
  });
  return {low, high};
}

std::vector<double> find_edges(const Doubles& x, const std::optional<Doubles>& w, double scale, double low, double high,
                               std::size_t most) {
  py::gil_scoped_release release;
  fit::EdgeFinder finder(x.data(), w ? w->data() : nullptr, scale, static_cast<std::size_t>(x.size()), most);
  return finder.find(low, high);
}

using Put = void (*)(Bin*, const fit::Edges&, const fit::Rows&, std::size_t, std::size_t) noexcept;

// First transform, second (identity: none), whether products are kept exactly.
Put choose(int first, int second, bool exactly) {
  using fit::put_rows;
  if (exactly) {
    constexpr std::array<Put, 4> table{&put_rows<Fx::identity, Fx::identity, true>,
                                       &put_rows<Fx::log, Fx::identity, true>, &put_rows<Fx::log1p, Fx::identity, true>,
                                       &put_rows<Fx::symlog1p, Fx::identity, true>};
    return table[static_cast<std::size_t>(first)];
  }
  if (second == 0) {
    constexpr std::array<Put, 4> table{
        &put_rows<Fx::identity, Fx::identity, false>, &put_rows<Fx::log, Fx::identity, false>,
        &put_rows<Fx::log1p, Fx::identity, false>, &put_rows<Fx::symlog1p, Fx::identity, false>};
    return table[static_cast<std::size_t>(first)];
  }
  constexpr std::array<Put, 4> table{nullptr, &put_rows<Fx::identity, Fx::log, false>,
                                     &put_rows<Fx::identity, Fx::log1p, false>,
                                     &put_rows<Fx::identity, Fx::symlog1p, false>};
  return table[static_cast<std::size_t>(second)];
}

void accumulate(Doubles bins, const Doubles& edges, const Doubles& u, const Doubles& v, const Doubles& x,
                const Doubles& y, const std::optional<Doubles>& w, double scale, double y_origin,
                std::pair<int, int> transforms, bool exactly) {
  const fit::Binner binner(std::vector<double>(edges.data(), edges.data() + edges.size()));
  const fit::Edges where{&binner, u.data(), v.data()};
  const fit::Rows rows{x.data(), y.data(), w ? w->data() : nullptr, scale, y_origin};
  const Put put = choose(transforms.first, transforms.second, exactly);
  Bin* at = reinterpret_cast<Bin*>(bins.mutable_data());
  in_blocks(static_cast<std::size_t>(x.size()),
            [&](std::size_t begin, std::size_t end) { put(at, where, rows, begin, end); });
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
  module.attr("BIN_DOUBLES") = Bin::kDoubles;
  module.def("extent", &extent, py::arg("values"), py::arg("weights"));
  module.def("find_edges", &find_edges, py::arg("x"), py::arg("w"), py::arg("scale"), py::arg("low"), py::arg("high"),
             py::arg("most"));
  module.def("accumulate", &accumulate, py::arg("bins").noconvert(), py::arg("edges"), py::arg("u"), py::arg("v"),
             py::arg("x"), py::arg("y"), py::arg("w"), py::arg("scale"), py::arg("y_origin"), py::arg("transforms"),
             py::arg("exactly"));
  module.def("merge_bins", &merge_bins, py::arg("bins").noconvert(), py::arg("other"));
  module.def("bin_moments", &bin_moments, py::arg("bins"), py::arg("second"), py::arg("y_origin"));
}

}  // namespace curvec::bind
