// What the bins' sums mean, and how they add up: they do not depend on the order of the rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "fit/bins.hpp"
#include "fit/exact_sum.hpp"
#include "fit/kernels.hpp"
#include "fit/moments.hpp"

namespace curvec::fit {

struct Bin : BinSums {
  void add_lane(std::size_t k, Wide v) noexcept {
    const Wide s = two_sum(hi[k], v.hi);
    hi[k] = s.hi;
    lo[k] += s.lo + v.lo;
  }

  void add_weight(double w) noexcept {
    const Wide s = two_sum(w_hi, w);
    w_hi = s.hi;
    w_lo += s.lo;
  }

  void widen(double least, double largest) noexcept {
    first = std::min(first, least);
    last = std::max(last, largest);
  }

  void merge(const Bin& other) noexcept {
    add_weight(other.w_hi);
    w_lo += other.w_lo;
    widen(other.first, other.last);
    for (std::size_t k = 0; k < kLanes; ++k) add_lane(k, {other.hi[k], other.lo[k]});
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
    m.rest = (syy - suy * slope).value();
    if (!(m.rest >= 0.0)) {  // rounding: no line explains more than there is
      m.slope = std::copysign(std::sqrt(std::max(0.0, syy.value()) / m.suu), m.slope);
      m.rest = 0.0;
    }
    return m;
  }
};

// Adds a row, with products kept to twice a double's precision, so that y needs no origin.
inline void put_compensated(Bin& bin, double x, double w, double u, double y) noexcept {
  const Wide wu = two_product(w, u);
  const Wide wy = two_product(w, y);
  const Wide uu = two_product(wu.hi, u);
  const Wide uy = two_product(wu.hi, y);
  const Wide yy = two_product(wy.hi, y);
  bin.widen(x, x);
  bin.add_weight(w);
  bin.add_lane(0, wu);
  bin.add_lane(1, wy);
  bin.add_lane(2, {uu.hi, uu.lo + wu.lo * u});
  bin.add_lane(3, {uy.hi, uy.lo + wu.lo * y});
  bin.add_lane(4, {yy.hi, yy.lo + wy.lo * y});
}

// Adds rows [begin, end) under one transform. Bin 0 is left of the first edge; bin k > 0 begins at edge k - 1.
template <class Fx>
void put_rows_compensated(const Binner& binner, const Rows& rows, std::size_t begin, std::size_t end) noexcept {
  for (std::size_t k = begin; k < end; ++k) {
    const double w = rows.w ? rows.w[k] / rows.unit : 1.0;
    if (!(w > 0.0)) continue;
    const std::size_t b = binner(rows.x[k]);
    Bin& bin = static_cast<Bin*>(rows.bins)[b];
    put_compensated(bin, rows.x[k], w, Fx::Forward(rows.x[k]) - rows.starts[b].u, rows.y[k]);
  }
}

}  // namespace curvec::fit
