// A second bound for what is still to come, by Lagrange multipliers: segments need not meet, but a jump has its price.
//
// The plain bound lets every segment lie where its own points want it. Here a curve that jumps at knot j, from z to y,
// pays tilt_j (z - y), whatever the sign: a curve that does not jump pays nothing, so the least of cost and payments is
// a bound, for any tilt (weak duality; Boyd and Vandenberghe 2004, section 5.1.3). Good tilts are those of a good
// curve: the slope, by y_j, of what everything left of j costs, which is the sum of the residuals there. Slopes of one
// sign make jumps dear; free curves can cheat by steep segments.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "fit/advance.hpp"
#include "fit/bounds.hpp"
#include "fit/chain.hpp"
#include "fit/isotonic.hpp"
#include "fit/reach.hpp"
#include "fit/reused.hpp"
#include "fit/side.hpp"

namespace curvec::fit {

// How much a sum of costs and payments may be off by rounding, relative to it: each of some thousand additions by
// 2^-53, 1.1e-16, and ten times that in reserve.
inline constexpr double kTiltRounding = 1e-12;

class Tilt {
 public:
  // The tilts that belong to a curve on the side's own knots, for curves whose y stay within `reach`.
  Tilt(const Side& side, const Curve& curve, const Reach& reach) : n_(side.size()), reach_(reach) {
    const Problem& p = side.problem();
    double sum = 0.0;
    std::size_t next = 0;  // of the curve's knots, the first right of the gap
    for (int j = 0; j < n_; ++j) {
      const Moments& gap = p.gaps[at(j)];
      if (gap.w > 0.0) sum += 2.0 * gap.w * (gap.y - value(p, curve, next, p.knots[at(std::max(j - 1, 0))] + gap.u));
      tilts_.push_back(sum);
      if (next < curve.knots.size() && curve.knots[next] == j) ++next;
    }
    edges_ = Reused<double>(column_of(at(n_)));
    mirrored_ = Reused<double>(column_of(at(n_)));
    kernels().price({p.knots.data(), tilts_.data(), at(n_), p.slope_low, p.slope_high, reach.low, reach.high},
                    side.table(), edges_.data(), mirrored_.data());
    build_starts(side);
  }

  // The same prices for the mirror image, which takes what belongs to it.
  Tilt(const Side& side, Tilt& other)
      : n_(other.n_), reach_(other.reach_), tilts_(other.tilts_), edges_(std::move(other.mirrored_)) {
    std::reverse(tilts_.begin(), tilts_.end());
    for (double& tilt : tilts_) tilt = -tilt;
    build_starts(side);
  }

  [[nodiscard]] double operator[](int j) const noexcept { return tilts_[at(j)]; }
  [[nodiscard]] const std::vector<double>& tilts() const noexcept { return tilts_; }
  // Least cost of the segment and of its payments: tilt_j z received, tilt_i y paid.
  [[nodiscard]] double edge(int i, int j) const noexcept { return edges_[column_of(at(j)) + at(i)]; }
  // edge(i, j) at column_of(j) + i.
  [[nodiscard]] const double* edges() const noexcept { return edges_.data(); }
  // The same of the constant part left of the first knot.
  [[nodiscard]] const std::vector<double>& starts() const noexcept { return starts_; }

 private:
  [[nodiscard]] static std::size_t at(int k) noexcept { return static_cast<std::size_t>(k); }

  [[nodiscard]] static double value(const Problem& p, const Curve& curve, std::size_t next, double u) noexcept {
    if (next == 0) return curve.y.front();
    if (next == curve.knots.size()) return curve.y.back();
    const double left = p.knots[at(curve.knots[next - 1])];
    const double right = p.knots[at(curve.knots[next])];
    return curve.y[next - 1] + (curve.y[next] - curve.y[next - 1]) * ((u - left) / (right - left));
  }

  void build_starts(const Side& side) {
    for (int j = 0; j < n_; ++j) {
      const Quadratic& q = side.start(j);
      starts_.push_back(q.h + least(q.a, q.v, tilts_[at(j)], reach_.low, reach_.high));
    }
  }

  // The least of a (t - v)^2 + b t over [low, high].
  [[nodiscard]] static double least(double a, double v, double b, double low, double high) noexcept {
    double t = b > 0.0 ? low : high;
    if (a > 0.0) t = std::min(std::max(v - b / (2.0 * a), low), high);
    return a * (t - v) * (t - v) + b * t;
  }

  int n_;
  Reach reach_;
  std::vector<double> tilts_;
  Reused<double> edges_;
  Reused<double> mirrored_;
  std::vector<double> starts_;
};

// As left_bounds, with payments.
[[nodiscard]] inline Grid tilted_bounds(const Side& side, const Tilt& tilt, int most, const Reach& reach) {
  return left_bounds(side, most, tilt.starts(), tilt.edges(), {}, isotonic_bounds(side.problem(), tilt.tilts(), reach));
}

// The least of q(y) + tilt y on a piece.
[[nodiscard]] inline double tilted_least(const Piece& p, double tilt) noexcept {
  double y = tilt > 0.0 ? p.l : p.r;
  if (p.q.a > 0.0) y = std::min(std::max(p.q.v - tilt / (2.0 * p.q.a), p.l), p.r);
  return tilt == 0.0 ? p.min() : p.q(y) + tilt * y;
}

// Cuts a piece to where q(y) + tilt y is below `ceiling`, and a rounding more: the vertex of a piece that hardly bends
// is far away, and further still with the tilt.
inline bool trim_tilted(Piece& p, double tilt, double ceiling) noexcept {
  constexpr double kRounding = 1e-15;
  double low = -kInf;
  double high = kInf;
  if (p.q.a > 0.0) {
    const double shift = tilt / (2.0 * p.q.a);
    const double far = std::abs(p.q.v) + std::abs(shift);
    const double room = ceiling - (p.q.h + tilt * (p.q.v - 0.5 * shift)) + kRounding * std::abs(tilt) * far;
    if (!(room > 0.0)) return false;
    const double reach = std::sqrt(room / p.q.a) + kRounding * far;
    low = p.q.v - shift - reach;
    high = p.q.v - shift + reach;
  } else if (tilt > 0.0) {
    high = (ceiling - p.q.h) / tilt;
  } else if (tilt < 0.0) {
    low = (ceiling - p.q.h) / tilt;
  } else if (!(p.q.h < ceiling)) {
    return false;
  }
  if (low > p.l) p.l = low, p.hard_l = false;
  if (high < p.r) p.r = high, p.hard_r = false;
  return p.l <= p.r;
}

}  // namespace curvec::fit
