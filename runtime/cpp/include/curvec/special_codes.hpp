// Special codes: inputs that have a value each, beside a curve.
#ifndef CURVEC_SPECIAL_CODES_HPP
#define CURVEC_SPECIAL_CODES_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/pwl_curve.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

/// A curve, and N codes that stand for "no record" and the like: an input that is one of them gives its value, and any
/// other the curve's.
///
///     constexpr PWLCurve months({{0, 0.4}, {60, -0.2}});
///     constexpr SpecialCodes months_special(months, {{-9, 0.1}, {-8, 0.2}});
template <class Curve, std::size_t N>
class SpecialCodes {
 public:
  constexpr SpecialCodes(const Curve& curve, const Point (&values)[N]) noexcept : curve_(curve) {
    for (std::size_t k = 0; k < N; ++k) {
      codes_[k] = values[k].x;
      values_[k] = values[k].y;
    }
  }

  /// The code's value, or the curve at x.
  [[nodiscard]] constexpr double Eval(double x) const noexcept {
    for (std::size_t k = 0; k < N; ++k) {
      if (detail::Equal(x, codes_[k])) return values_[k];
    }
    return curve_.Eval(x);
  }

  [[nodiscard]] constexpr const Curve& curve() const noexcept { return curve_; }
  /// The tables that it evaluates, N numbers each.
  [[nodiscard]] constexpr const double* codes() const noexcept { return codes_; }
  [[nodiscard]] constexpr const double* values() const noexcept { return values_; }

 private:
  Curve curve_;
  double codes_[N] = {};
  double values_[N] = {};
};

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_SPECIAL_CODES_HPP
