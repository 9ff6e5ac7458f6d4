// Sums in twice the precision of a double: the order of the rows leaves no trace in the double they round to.
#pragma once

#include <cmath>

namespace curvec::fit {

// An unevaluated sum hi + lo with |lo| <= ulp(hi) / 2 (Dekker 1971, Numerische Mathematik 18). An example: 1 + 2^-60 is
// {1, 2^-60}, of which a double alone would keep 1.
struct Wide {
  double hi = 0.0;
  double lo = 0.0;

  constexpr Wide() = default;
  constexpr Wide(double value) noexcept : hi(value) {}  // NOLINT: a double is one
  constexpr Wide(double high, double low) noexcept : hi(high), lo(low) {}

  [[nodiscard]] constexpr double value() const noexcept { return hi + lo; }
};

[[nodiscard]] constexpr Wide two_sum(double a, double b) noexcept {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

[[nodiscard]] constexpr Wide two_product(double a, double b) noexcept {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double p = a * b;
  const double ta = kSplit * a;
  const double tb = kSplit * b;
  const double ah = ta - (ta - a);
  const double bh = tb - (tb - b);
  const double al = a - ah;
  const double bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

[[nodiscard]] constexpr Wide operator+(Wide a, Wide b) noexcept {
  const Wide s = two_sum(a.hi, b.hi);
  return two_sum(s.hi, s.lo + (a.lo + b.lo));
}

[[nodiscard]] constexpr Wide operator-(Wide a, Wide b) noexcept { return a + Wide{-b.hi, -b.lo}; }

[[nodiscard]] constexpr Wide operator*(Wide a, Wide b) noexcept {
  const Wide p = two_product(a.hi, b.hi);
  return two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

[[nodiscard]] constexpr Wide operator/(Wide a, Wide b) noexcept {
  const double first = a.hi / b.hi;
  const Wide rest = a - b * first;
  const double second = rest.hi / b.hi;
  return two_sum(first, second);
}

}  // namespace curvec::fit
