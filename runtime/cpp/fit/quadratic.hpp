// A convex quadratic in vertex form: every function of the search is a minimum of these.
#pragma once

#include <cmath>

namespace curvec::fit {

// a (y - v)^2 + h with a >= 0. Sums of such terms are sums of squares again, so nothing ever cancels.
struct Quadratic {
  double a = 0.0;
  double v = 0.0;
  double h = 0.0;

  [[nodiscard]] double operator()(double y) const noexcept {
    const double d = y - v;
    return a == 0.0 ? h : a * d * d + h;
  }
};

[[nodiscard]] inline Quadratic add(const Quadratic& p, const Quadratic& q) noexcept {
  const double a = p.a + q.a;
  if (a == 0.0) return {0.0, p.v, p.h + q.h};
  const double d = p.v - q.v;
  // The new vertex is the mean of the two, weighted by a. It is counted from q's, or from p's where q bends less than a
  // ten-thousandth of what p does: the vertex of what hardly bends may be 1e16 times as far away as the mean, whose
  // digits would then be lost in the difference.
  const bool flat = q.a < 1e-4 * p.a;
  const double v = (flat ? p.v : q.v) + (flat ? -q.a : p.a) / a * d;
  return {a, v, p.h + q.h + p.a * (q.a / a) * d * d};
}

struct Roots {
  bool crossing = false;
  double low = 0.0;
  double high = 0.0;
};

// Where p - q changes sign. With p.a == q.a there is one crossing, and low == high. An example: p = y^2 and
// q = 4 (y - 3)^2 cross at 2 and 6.
[[nodiscard]] inline Roots crossings(const Quadratic& p, const Quadratic& q) noexcept {
  // Counted from p's vertex, but for a p that hardly bends, as in add.
  if (p.a < 1e-4 * q.a) return crossings(q, p);
  const double a = p.a - q.a;
  const double delta = p.v - q.v;
  const double dh = p.h - q.h;
  const double disc = p.a * q.a * delta * delta - a * dh;
  if (!(disc > 0.0)) return {};
  // With z = y - p.v the difference is a z^2 - 2 b z + c, and its roots are t / a and c / t: nothing of opposite signs
  // is added (Press et al. 2007, section 5.6).
  const double b = q.a * delta;
  const double c = dh - b * delta;
  const double t = b >= 0.0 ? b + std::sqrt(disc) : b - std::sqrt(disc);
  const double second = c / t;
  if (a == 0.0) return {true, p.v + second, p.v + second};
  const double first = t / a;
  return first < second ? Roots{true, p.v + first, p.v + second} : Roots{true, p.v + second, p.v + first};
}

}  // namespace curvec::fit
