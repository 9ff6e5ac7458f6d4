// Piecewise-linear curves.
#ifndef CURVEC_PWL_CURVE_HPP
#define CURVEC_PWL_CURVE_HPP

#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/transforms.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

/// What a curve gives for a missing input.
struct Missing {
  double value = kNaN;
};

/// A point that a curve passes through.
struct Point {
  double x;
  double y;
};

/// A point with u = fx(x) beside it, as the emitter's logarithm gave it: a constant, and the same on every machine.
struct Knot {
  constexpr Knot(double x_, double u_, double y_) noexcept : x(x_), u(u_), y(y_) {}
  double x;
  double u;
  double y;
};

namespace detail {

/// Reached where a point's u is not fx of its x: no constant expression calls it, so a curve that is one does not
/// compile. Emit the model again, rather than change an x in the emitted text.
inline void ThisUIsNotFxOfThisX() noexcept {}

/// The neighbour of a finite, non-zero double on the side of zero.
[[nodiscard]] constexpr double TowardsZero(double value) noexcept {
  return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, value) - 1);
}

/// The contract's slope between two points: the largest in size that does not overshoot y1 (point 3).
[[nodiscard]] constexpr double SegmentSlope(double u0, double y0, double u1, double y1) noexcept {
  const double du = u1 - u0;
  const double dy = y1 - y0;
  double slope = dy / du;
  while (dy > 0 ? y0 + Rounded(slope * du) > y1 : y0 + Rounded(slope * du) < y1) slope = TowardsZero(slope);
  return slope;
}

/// How many of n increasing numbers are <= x: a count for few, a search for many, neither with a branch on x.
[[nodiscard]] constexpr std::size_t CountUpTo(const double* numbers, std::size_t n, double x) noexcept {
  std::size_t first = 0;
  while (n > 16) {
    const std::size_t half = n / 2;
    first += numbers[first + half - 1] <= x ? half : 0;
    n -= half;
  }
  std::size_t count = first;
  for (std::size_t i = 0; i < n; ++i) count += numbers[first + i] <= x ? 1 : 0;
  return count;
}

/// A curve's value from its tables; slope[count - 1] is 0, so that the last point needs no case of its own.
template <class Fx>
[[nodiscard]] constexpr double PwlValue(const double* x_knots, const double* u_knots, const double* y_knots,
                                        const double* slopes, std::size_t count, double x) noexcept {
  const double above = x > x_knots[0] ? x : x_knots[0];
  const double clamped = above < x_knots[count - 1] ? above : x_knots[count - 1];
  const std::size_t k = CountUpTo(x_knots + 1, count - 1, clamped);
  return y_knots[k] + Rounded(slopes[k] * (Fx::Forward(clamped) - u_knots[k]));
}

}  // namespace detail

/// A curve through K points, linear in fx(x) between them and constant outside.
///
///     constexpr PWLCurve age({{18, 3.13}, {21, 0.5914}, {46, -0.7206}});
///     double y = age.Eval(30);
template <std::size_t K, class Fx = Identity>
class PWLCurve {
  static_assert(K >= 2, "a curve needs two points; fold a constant into the intercept");

 public:
  constexpr PWLCurve(const Point (&points)[K], Fx /*fx*/, Missing missing = {}) noexcept
      : missing_(detail::WithoutSignOfZero(missing.value)) {
    for (std::size_t k = 0; k < K; ++k) Set(k, points[k].x, Fx::Forward(points[k].x), points[k].y);
    SetSlopes();
  }
  explicit constexpr PWLCurve(const Point (&points)[K], Missing missing = {}) noexcept
      : PWLCurve(points, Fx{}, missing) {}
  constexpr PWLCurve(const Knot (&knots)[K], Fx /*fx*/, Missing missing = {}) noexcept
      : missing_(detail::WithoutSignOfZero(missing.value)) {
    for (std::size_t k = 0; k < K; ++k) {
      const double gap = knots[k].u - Fx::Near(knots[k].x);
      if (!(gap < kSameU && gap > -kSameU)) detail::ThisUIsNotFxOfThisX();
      Set(k, knots[k].x, knots[k].u, knots[k].y);
    }
    SetSlopes();
  }

  /// The curve at x; NaN is missing.
  [[nodiscard]] constexpr double Eval(double x) const noexcept {
    return detail::IsNan(x) ? missing_ : detail::PwlValue<Fx>(x_, u_, y_, slope_, K, x);
  }

  /// The tables that it evaluates: K numbers each, with a last slope of 0.
  [[nodiscard]] constexpr const double* x() const noexcept { return x_; }
  [[nodiscard]] constexpr const double* u() const noexcept { return u_; }
  [[nodiscard]] constexpr const double* y() const noexcept { return y_; }
  [[nodiscard]] constexpr const double* slopes() const noexcept { return slope_; }
  [[nodiscard]] constexpr double missing() const noexcept { return missing_; }

 private:
  // How far a point's u may be from Near(x). Near is off by 1e-12 of u, or of 1, and no logarithm of a double is above
  // 710: so no u that is right is refused. A change of x by more than 1e-9 of itself is noticed.
  static constexpr double kSameU = 1e-9;

  // A zero is +0.0, which no product of zero added to it changes: every way of evaluating gives the same bits.
  constexpr void Set(std::size_t k, double x, double u, double y) noexcept {
    x_[k] = detail::WithoutSignOfZero(x);
    u_[k] = detail::WithoutSignOfZero(u);
    y_[k] = detail::WithoutSignOfZero(y);
  }
  constexpr void SetSlopes() noexcept {
    for (std::size_t k = 0; k + 1 < K; ++k) slope_[k] = detail::SegmentSlope(u_[k], y_[k], u_[k + 1], y_[k + 1]);
  }

  double x_[K] = {};
  double u_[K] = {};
  double y_[K] = {};
  double slope_[K] = {};
  double missing_;
};

template <std::size_t K>
PWLCurve(const Point (&)[K]) -> PWLCurve<K>;
template <std::size_t K>
PWLCurve(const Point (&)[K], Missing) -> PWLCurve<K>;
template <std::size_t K, class Fx>
PWLCurve(const Point (&)[K], Fx) -> PWLCurve<K, Fx>;
template <std::size_t K, class Fx>
PWLCurve(const Point (&)[K], Fx, Missing) -> PWLCurve<K, Fx>;
template <std::size_t K, class Fx>
PWLCurve(const Knot (&)[K], Fx) -> PWLCurve<K, Fx>;
template <std::size_t K, class Fx>
PWLCurve(const Knot (&)[K], Fx, Missing) -> PWLCurve<K, Fx>;

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_PWL_CURVE_HPP
