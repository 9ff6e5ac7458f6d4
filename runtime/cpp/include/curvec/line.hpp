// Lines: a coefficient times a number.
#ifndef CURVEC_LINE_HPP
#define CURVEC_LINE_HPP

#include <curvec/config.hpp>
#include <curvec/pwl_curve.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

/// A coefficient times x, without an end on either side.
///
///     constexpr Line age(0.031);
///     double y = age.Eval(30);
class Line {
 public:
  explicit constexpr Line(double coefficient, Missing missing = {}) noexcept
      : coefficient_(coefficient), missing_(missing.value) {}

  /// The product with x, rounded before it is added to anything; NaN is missing.
  [[nodiscard]] constexpr double Eval(double x) const noexcept {
    return detail::IsNan(x) ? missing_ : detail::Rounded(coefficient_ * x);
  }

  [[nodiscard]] constexpr double coefficient() const noexcept { return coefficient_; }
  [[nodiscard]] constexpr double missing() const noexcept { return missing_; }

 private:
  double coefficient_;
  double missing_;
};

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_LINE_HPP
