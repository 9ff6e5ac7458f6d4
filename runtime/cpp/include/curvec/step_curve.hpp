// Step curves: what trees and binned models are.
#ifndef CURVEC_STEP_CURVE_HPP
#define CURVEC_STEP_CURVE_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/pwl_curve.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

/// A cut and the value from it on.
struct Step {
  double cut;
  double value;
};

/// The value below the first cut.
struct Below {
  double value;
};

/// A curve that is constant from each cut to the next; x == cut belongs to the right.
///
///     constexpr StepCurve age({{18, 3.13}, {21, 0.5914}}, Below{0.5});
template <std::size_t K>
class StepCurve {
 public:
  constexpr StepCurve(const Step (&steps)[K], Below below, Missing missing = {}) noexcept : missing_(missing.value) {
    values_[0] = below.value;
    for (std::size_t k = 0; k < K; ++k) {
      cuts_[k] = steps[k].cut;
      values_[k + 1] = steps[k].value;
    }
  }

  /// The curve at x; NaN is missing.
  [[nodiscard]] constexpr double Eval(double x) const noexcept {
    return detail::IsNan(x) ? missing_ : values_[detail::CountUpTo(cuts_, K, x)];
  }

  /// The tables that it evaluates: K cuts and K + 1 values.
  [[nodiscard]] constexpr const double* cuts() const noexcept { return cuts_; }
  [[nodiscard]] constexpr const double* values() const noexcept { return values_; }
  [[nodiscard]] constexpr double missing() const noexcept { return missing_; }

 private:
  double cuts_[K] = {};
  double values_[K + 1] = {};
  double missing_;
};

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_STEP_CURVE_HPP
