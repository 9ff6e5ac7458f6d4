// Moments of weighted points: all that a squared error of a line over them depends on.
#pragma once

#include <cmath>
#include <cstddef>

namespace curvec::fit {

// Means and centred second moments. `u` is measured from a reference point that the caller keeps (the gap's left knot),
// so that neither a far origin nor a far outlier costs digits. `rest` is the squared error of the points' own
// regression line; it is carried instead of sum (y - mean)^2 because merging it only ever adds non-negative terms, so
// a perfect line stays perfect to the last digit.
struct Moments {
  double w = 0.0;      // sum of weights
  double u = 0.0;      // weighted mean of u, from the reference point
  double y = 0.0;      // weighted mean of y
  double suu = 0.0;    // sum w (u - mean)^2
  double slope = 0.0;  // of the regression line; 0 where suu is
  double rest = 0.0;   // sum w (y - line)^2

  // Squared error of the best constant.
  [[nodiscard]] double spread() const noexcept { return rest + slope * slope * suu; }
};

// The union of two sets of points; `shift` is the distance from a's reference point to b's.
[[nodiscard]] inline Moments merge(const Moments& a, const Moments& b, double shift) noexcept {
  if (b.w == 0.0) return a;
  if (a.w == 0.0) {
    Moments moved = b;
    moved.u += shift;
    return moved;
  }
  Moments sum;
  sum.w = a.w + b.w;
  const double du = (b.u - a.u) + shift;
  const double dy = b.y - a.y;
  const double share = b.w / sum.w;
  const double between = a.w * share;
  sum.u = a.u + du * share;
  sum.y = a.y + dy * share;
  sum.suu = a.suu + b.suu + between * du * du;
  sum.rest = a.rest + b.rest;
  if (!(sum.suu > 0.0)) {
    sum.rest += between * dy * dy;
    return sum;
  }
  // Three weighted statements about the common slope: a's, b's, and that of the line through the two means. The rest
  // grows by what the best compromise t leaves of
  //     a.suu (t - a.slope)^2 + b.suu (t - b.slope)^2 + between (du t - dy)^2,
  // which is a sum over pairs of them by Lagrange's identity (segment.hpp), with D = sum.suu.
  // An example: (0, 0) and (1, 1) with (2, 0): du = 1.5, dy = -0.5, between = 2/3, sum.suu = 0.5 + 2/3 * 2.25 = 2, the
  // slope is 0, and the rest 0.5 / 2 * 2/3 * (-0.5 - 1.5)^2 = 2/3, as of the constant 1/3.
  const double inverse = 1.0 / sum.suu;
  const double ab = a.slope - b.slope;
  const double am = dy - a.slope * du;
  const double bm = dy - b.slope * du;
  sum.slope = (a.slope * a.suu + b.slope * b.suu + between * du * dy) * inverse;
  sum.rest += a.suu * inverse * (b.suu * ab * ab + between * am * am) + b.suu * inverse * between * bm * bm;
  return sum;
}

// The moments of points [begin, end), one by one: means first, so that nothing waits for the point before. `w`, `u` and
// `y` take an index; u is measured from the first point's.
template <class W, class U, class Y>
[[nodiscard]] Moments moments_of(std::size_t begin, std::size_t end, W&& w, U&& u, Y&& y) noexcept {
  Moments out;
  if (begin == end) return out;
  const double origin_u = u(begin);
  const double origin_y = y(begin);
  double sum_u = 0.0;
  double sum_y = 0.0;
  for (std::size_t k = begin; k < end; ++k) {
    out.w += w(k);
    sum_u += w(k) * (u(k) - origin_u);
    sum_y += w(k) * (y(k) - origin_y);
  }
  out.u = sum_u / out.w;
  const double mean_y = sum_y / out.w;
  out.y = origin_y + mean_y;
  double suy = 0.0;
  for (std::size_t k = begin; k < end; ++k) {
    const double du = (u(k) - origin_u) - out.u;
    out.suu += w(k) * du * du;
    suy += w(k) * du * ((y(k) - origin_y) - mean_y);
  }
  if (out.suu > 0.0) out.slope = suy / out.suu;
  for (std::size_t k = begin; k < end; ++k) {
    const double off = ((y(k) - origin_y) - mean_y) - out.slope * ((u(k) - origin_u) - out.u);
    out.rest += w(k) * off * off;
  }
  return out;
}

}  // namespace curvec::fit
