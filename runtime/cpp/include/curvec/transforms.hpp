// The transforms fx of a curve: a curve is linear in u = fx(x).
#ifndef CURVEC_TRANSFORMS_HPP
#define CURVEC_TRANSFORMS_HPP

#include <cmath>
#include <curvec/config.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

struct Identity {
  [[nodiscard]] static constexpr double Forward(double x) noexcept { return x; }
};

struct Log {
  [[nodiscard]] static double Forward(double x) noexcept { return std::log(x); }
};

/// Kahan's log(1 + x): at most 1.8 ULP off, and the same bits wherever std::log has the same bits.
struct Log1p {
  [[nodiscard]] static double Forward(double x) noexcept {
    const double one_plus = 1.0 + x;
    return detail::Equal(one_plus, 1.0) ? x : detail::Rounded(std::log(one_plus) * (x / (one_plus - 1.0)));
  }
};

/// log1p of the magnitude, with the sign of x.
struct SymLog1p {
  [[nodiscard]] static double Forward(double x) noexcept { return x < 0.0 ? -Log1p::Forward(-x) : Log1p::Forward(x); }
};

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_TRANSFORMS_HPP
