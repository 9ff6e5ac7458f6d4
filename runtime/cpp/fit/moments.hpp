// Moments of weighted points: all that a squared error of a line over them depends on.
#pragma once

#include <cmath>

namespace curvec::fit {

// Means and centred second moments. `u` is measured from a reference point that the caller keeps (the gap's left knot),
// so that neither a far origin nor a far outlier costs digits. `rest` is the squared error of the points' own
// regression line; it is carried instead of sum (y - mean)^2 because merging it only ever adds non-negative terms, so
// a perfect line stays perfect to the last digit.
struct Moments {
  double w = 0.0;     // sum of weights
  double u = 0.0;     // weighted mean of u, from the reference point
  double y = 0.0;     // weighted mean of y
  double suu = 0.0;   // sum w (u - mean)^2
  double suy = 0.0;   // sum w (u - mean)(y - mean)
  double rest = 0.0;  // sum w (y - line)^2

  [[nodiscard]] double slope() const noexcept { return suu > 0.0 ? suy / suu : 0.0; }

  // Squared error of the best constant.
  [[nodiscard]] double spread() const noexcept { return rest + slope() * suy; }
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
  const double between = a.w * (b.w / sum.w);
  sum.u = a.u + du * (b.w / sum.w);
  sum.y = a.y + dy * (b.w / sum.w);
  sum.suu = a.suu + b.suu + between * du * du;
  sum.suy = a.suy + b.suy + between * du * dy;
  // Three weighted statements about the common slope: a's, b's, and that of the line through the two means. The rest
  // grows by what the best compromise leaves.
  double excess = 0.0;
  if (sum.suu > 0.0) {
    const double sa = a.slope();
    const double sb = b.slope();
    const double ab = sa - sb;
    const double am = dy - sa * du;
    const double bm = dy - sb * du;
    excess = (a.suu / sum.suu) * (b.suu * ab * ab + between * am * am) + (b.suu / sum.suu) * between * bm * bm;
  } else {
    excess = between * dy * dy;
  }
  sum.rest = a.rest + b.rest + excess;
  return sum;
}

}  // namespace curvec::fit
