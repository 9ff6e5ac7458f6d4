// The cost of one straight segment between two knots, as a function of the curve's y at both.
#pragma once

#include "fit/quadratic.hpp"

namespace curvec::fit {

// With y at the left knot, z at the right one and the segment's width as the unit of length:
//   cost = w (alpha y + lam z - mean)^2 + s (z - y - beta)^2 + rest,   alpha = 1 - lam.
// mean is the points' mean y, lam their mean position, beta the regression line's rise over the segment.
//
// What is sought below is the least over y of p(y) + cost(y, z), p(y) = p.a (y - p.v)^2 + p.h: of three squares
// a_k (c_k y - d_k)^2, with
//   a = p.a, c = 1, d = p.v;    a = w, c = alpha, d = mean - lam z;    a = s, c = -1, d = beta - z.
// By Lagrange's identity the least of such a sum is, with D = sum of a_k c_k^2,
//   sum over pairs k < l of a_k a_l (c_k d_l - c_l d_k)^2 / D,
// here [p.a w (mean - lam z - alpha p.v)^2 + p.a s (z - p.v - beta)^2 + w s (z - mean - alpha beta)^2] / D: three
// squares in z. Their sum is one square and a rest, by the same identity, with n = p.a (w lam^2 + s) + w s. Nothing is
// subtracted that could cancel, however far the vertices are apart.
//
// An example: points (0, 0) and (1, 2) between knots at 0 and 2, weights one. Then w = 2, lam = 1/4, mean = 1, beta =
// 4, s = 2 (1/4)^2 = 1/8 (the points' positions vary by 1/4 on either side of their mean), rest = 0, and y = 0, z = 4
// costs 2 (0 + 1 - 1)^2 + (4 - 0 - 4)^2 / 8 = 0.
struct Segment {
  double w = 0.0;
  double lam = 0.0;
  double alpha = 1.0;  // kept: of 1 - lam another 1 - lam has lost the digits of a small one
  double mean = 0.0;
  double s = 0.0;
  double beta = 0.0;
  double rest = 0.0;

  [[nodiscard]] double cost(double y, double z) const noexcept {
    const double level = alpha * y + lam * z - mean;
    const double tilt = (z - y) - beta;
    return w * level * level + s * tilt * tilt + rest;
  }

  // The same segment read from right to left.
  [[nodiscard]] Segment mirrored() const noexcept {
    Segment m = *this;
    m.lam = alpha;
    m.alpha = lam;
    m.beta = -beta;
    return m;
  }

  // Least of p(y) + cost(y, z) over both, whatever the constraints.
  [[nodiscard]] double least(const Quadratic& p) const noexcept {
    const double b = w * lam * lam + s;
    const double n = p.a * b + w * s;
    const double gap = p.v + lam * beta - mean;  // p's vertex against the regression line at the left knot
    return n > 0.0 ? p.h + rest + gap * gap * (p.a * w * s / n) : p.h + rest;
  }

  // min over y of p(y) + cost(y, z), y free, as a function of z.
  [[nodiscard]] Quadratic free(const Quadratic& p) const noexcept {
    const double b = w * lam * lam + s;
    const double n = p.a * b + w * s;
    const double al = alpha;
    const double gap = p.v + lam * beta - mean;  // p's vertex against the regression line at the left knot
    const double d = p.a + w * al * al + s;
    if (!(n > 0.0)) {
      // z plays no part: no data here, or all of it at the left knot.
      const double share = d > 0.0 ? p.a * (w * al * al / d) : 0.0;
      return {0.0, p.v, p.h + rest + (share > 0.0 ? share * gap * gap : 0.0)};
    }
    const double centre = p.a * w * lam * (mean - al * p.v) + p.a * s * (p.v + beta) + w * s * (mean + al * beta);
    return {n / d, centre / n, p.h + rest + gap * gap * (p.a * w * s / n)};
  }

  // cost(y, z) with y fixed and value p at it, as a function of z.
  [[nodiscard]] Quadratic pinned(double y, double value) const noexcept {
    const double b = w * lam * lam + s;
    if (!(b > 0.0)) {
      const double level = alpha * y - mean;
      return {0.0, y, value + rest + w * level * level};
    }
    const double gap = y + lam * beta - mean;
    return {b, (w * lam * (mean - alpha * y) + s * (y + beta)) / b, value + rest + gap * gap * (w * s / b)};
  }

  // p(y) + cost(y, z) on the line y = z - rise, as a function of z.
  [[nodiscard]] Quadratic tied(const Quadratic& p, double rise) const noexcept {
    const double a = p.a + w;
    const double tilt = rise - beta;
    const double h = p.h + rest + s * tilt * tilt;
    if (!(a > 0.0)) return {0.0, p.v + rise, h};
    const double v1 = p.v + rise;
    const double v2 = mean + alpha * rise;
    const double gap = v1 - v2;
    return {a, v2 + (p.a / a) * gap, h + p.a * (w / a) * gap * gap};
  }
};

}  // namespace curvec::fit
