// How far the y of a curve can go that costs less than one in hand: a range for the bounds that need one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "fit/side.hpp"

namespace curvec::fit {

struct Reach {
  double low = -kInf;
  double high = kInf;

  [[nodiscard]] bool bounded() const noexcept { return high - low < kInf; }
};

namespace detail {

// The least (`sign` -1) or the largest (1) y at the first knot (`mirror`: at the last one) of a curve that costs at
// most `cost`. It follows from the gap with data that is nearest to that knot: over it the curve is a line, which at
// the mean of u is at most sqrt(cost / w) from the mean of y, and whose slope is at most sqrt(cost / suu) from the
// regression's.
[[nodiscard]] inline double extreme(const Problem& p, bool mirror, double sign, double cost) noexcept {
  const std::size_t n = p.knots.size();
  for (std::size_t k = 0; k <= n; ++k) {
    const std::size_t g = mirror ? n - k : k;
    const Moments& gap = p.gaps[g];
    if (!(gap.w > 0.0)) continue;
    const double level = gap.y + sign * std::sqrt(cost / gap.w);
    if (g == 0 || g == n) return level;
    const double distance = mirror ? p.knots[n - 1] - (p.knots[g - 1] + gap.u) : p.knots[g - 1] + gap.u - p.knots[0];
    if (distance == 0.0) return level;
    if (!(gap.suu > 0.0)) break;
    const double steeper = mirror == (sign > 0.0) ? gap.slope : -gap.slope;
    return level + sign * std::max(0.0, distance * (steeper + std::sqrt(cost / gap.suu)));
  }
  return sign * kInf;
}

}  // namespace detail

// The limits of y that the problem has; without them, for curves that only increase or only decrease, those that
// `extreme` gives at both ends. Both are widened by 1e-9, far more than the roundings on the way.
[[nodiscard]] inline Reach reach_of(const Problem& p, double cost) noexcept {
  Reach reach{p.y_low, p.y_high};
  if (reach.bounded() || !p.required.empty()) return reach;
  const double wide = cost * (1.0 + 1e-9);
  if (p.slope_low == 0.0) {
    reach = {detail::extreme(p, false, -1.0, wide), detail::extreme(p, true, 1.0, wide)};
  } else if (p.slope_high == 0.0) {
    reach = {detail::extreme(p, true, -1.0, wide), detail::extreme(p, false, 1.0, wide)};
  }
  const double slack = 1e-9 * std::max(std::abs(reach.low), std::abs(reach.high));
  return {std::max(p.y_low, reach.low - slack), std::min(p.y_high, reach.high + slack)};
}

}  // namespace curvec::fit
