// Rows into bins, in one pass, as sums that do not depend on the order of the rows and that add up.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "fit/bins.hpp"
#include "fit/exact_sum.hpp"
#include "fit/moments.hpp"

namespace curvec::fit {

// What is kept of the rows of a bin. Lanes: u, y, uu, uy, yy of the first transform, then u, uu, uy of the second.
struct Bin {
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kDoubles = 4 + 2 * kLanes;

  double w_hi = 0.0;
  double w_lo = 0.0;
  double first = std::numeric_limits<double>::infinity();  // least and largest x
  double last = -std::numeric_limits<double>::infinity();
  std::array<double, kLanes> hi{};
  std::array<double, kLanes> lo{};

  void add_lane(std::size_t k, double v) noexcept {
    const Wide s = two_sum(hi[k], v);
    hi[k] = s.hi;
    lo[k] += s.lo;
  }

  void add(const std::array<double, kLanes>& v) noexcept {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double s = hi[k] + v[k];
      const double t = s - hi[k];
      lo[k] += (hi[k] - (s - t)) + (v[k] - t);
      hi[k] = s;
    }
  }

  void add_low(const std::array<double, kLanes>& v) noexcept {
    for (std::size_t k = 0; k < kLanes; ++k) lo[k] += v[k];
  }

  void add_weight(double w) noexcept {
    const Wide s = two_sum(w_hi, w);
    w_hi = s.hi;
    w_lo += s.lo;
  }

  void merge(const Bin& other) noexcept {
    add_weight(other.w_hi);
    w_lo += other.w_lo;
    first = std::min(first, other.first);
    last = std::max(last, other.last);
    add(other.hi);
    add_low(other.lo);
  }

  [[nodiscard]] Wide lane(std::size_t k) const noexcept { return two_sum(hi[k], lo[k]); }

  // As means and centred moments: `second` picks the transform, y_origin is taken off y before it is rounded.
  [[nodiscard]] Moments moments(bool second, double y_origin) const noexcept {
    Moments m;
    const Wide w = two_sum(w_hi, w_lo);
    m.w = w.value();
    if (!(m.w > 0.0)) return {};
    const Wide u = lane(second ? 5 : 0) / w;
    const Wide y = lane(1) / w;
    const Wide suu = lane(second ? 6 : 2) - u * lane(second ? 5 : 0);
    const Wide suy = lane(second ? 7 : 3) - u * lane(1);
    const Wide syy = lane(4) - y * lane(1);
    m.u = u.value();
    m.y = (y - Wide{y_origin}).value();
    if (first == last || !(suu.value() > 0.0)) {
      m.rest = std::max(0.0, syy.value());
      return m;
    }
    m.suu = suu.value();
    const Wide slope = suy / suu;
    m.slope = slope.value();
    m.rest = std::max(0.0, (syy - suy * slope).value());
    return m;
  }
};

enum class Fx { identity, log, log1p, symlog1p };

template <Fx fx>
[[nodiscard]] inline double forward(double x) noexcept {
  if constexpr (fx == Fx::log) return std::log(x);
  if constexpr (fx == Fx::log1p) return std::log1p(x);
  if constexpr (fx == Fx::symlog1p) return std::copysign(std::log1p(std::abs(x)), x);
  return x;
}

// Rows to be added: w is null where every weight is one, and is multiplied by `scale`.
struct Rows {
  const double* x;
  const double* y;
  const double* w;
  double scale;
  double y_origin;
};

// Where the bins begin, in x and under both transforms.
struct Edges {
  const Binner* binner;
  const double* u;
  const double* v;
};

// Adds one row. `ones`: every weight is one; `exactly`: products are kept to twice a double's precision, for y of any
// origin.
template <bool two, bool exactly>
inline void put(Bin& bin, bool ones, double x, double w, double u, double y, double v) noexcept {
  bin.first = std::min(bin.first, x);
  bin.last = std::max(bin.last, x);
  if (ones) {
    bin.w_hi += 1.0;  // a count, exact
  } else {
    bin.add_weight(w);
  }
  if constexpr (exactly) {
    const Wide wu = two_product(w, u);
    const Wide wy = two_product(w, y);
    const Wide uu = two_product(wu.hi, u);
    const Wide uy = two_product(wu.hi, y);
    const Wide yy = two_product(wy.hi, y);
    bin.add({wu.hi, wy.hi, uu.hi, uy.hi, yy.hi, 0.0, 0.0, 0.0});
    bin.add_low({wu.lo, wy.lo, uu.lo + wu.lo * u, uy.lo + wu.lo * y, yy.lo + wy.lo * y, 0.0, 0.0, 0.0});
  } else {
    const double wu = w * u;
    const double wy = w * y;
    const double wv = w * v;
    // Lane by lane: through an array each row would wait for its own stores.
    bin.add_lane(0, wu);
    bin.add_lane(1, wy);
    bin.add_lane(2, wu * u);
    bin.add_lane(3, wu * y);
    bin.add_lane(4, wy * y);
    if constexpr (two) {
      bin.add_lane(5, wv);
      bin.add_lane(6, wv * v);
      bin.add_lane(7, wv * y);
    }
  }
}

// Adds rows [begin, end). Bin 0 is left of the first edge and measures u from it; bin k > 0 begins at edge k - 1. Where
// rows belong is found for a block of them first: both halves then run without waiting for each other.
template <Fx first, Fx second, bool exactly>
void put_rows(Bin* bins, const Edges& edges, const Rows& rows, std::size_t begin, std::size_t end) noexcept {
  constexpr std::size_t kBlock = 256;
  constexpr bool two = second != Fx::identity;
  std::array<std::uint32_t, kBlock> at;
  std::array<double, kBlock> u;
  std::array<double, kBlock> v{};
  for (std::size_t start = begin; start < end; start += kBlock) {
    const std::size_t count = std::min(kBlock, end - start);
    for (std::size_t k = 0; k < count; ++k) {
      const double x = rows.x[start + k];
      const std::size_t b = (*edges.binner)(x);
      const std::size_t e = b > 0 ? b - 1 : 0;
      at[k] = static_cast<std::uint32_t>(b);
      u[k] = forward<first>(x) - edges.u[e];
      if constexpr (two) v[k] = forward<second>(x) - edges.v[e];
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t row = start + k;
      const double w = rows.w ? rows.w[row] * rows.scale : 1.0;
      if (w > 0.0)
        put<two, exactly>(bins[at[k]], rows.w == nullptr, rows.x[row], w, u[k], rows.y[row] - rows.y_origin, v[k]);
    }
  }
}

}  // namespace curvec::fit
