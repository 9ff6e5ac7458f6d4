// The transforms fx of a curve: a curve is linear in u = fx(x). Each is a type with its name in a model's file, the
// bound above which its domain is, and Forward(x) = fx(x); all that depends on a transform takes the type as a
// parameter.
#ifndef CURVEC_TRANSFORMS_HPP
#define CURVEC_TRANSFORMS_HPP

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/type_list.hpp>
#include <limits>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

struct Identity {
  static constexpr const char* kName = "identity";
  static constexpr double kLower = -std::numeric_limits<double>::infinity();
  [[nodiscard]] static constexpr double Forward(double x) noexcept { return x; }
};

namespace detail {

/// log(x), off by less than 1e-12 of it or of 1; NaN where x is not above 0 or not finite. It is a constant, which
/// std::log is not, and few steps, as compilers count those of a constant (so it calls no std::numeric_limits).
[[nodiscard]] constexpr double NearLog(double x) noexcept {
  if (!(x > 0.0 && x <= DBL_MAX)) return kNaN;
  const bool subnormal = x < DBL_MIN;
  const auto bits = __builtin_bit_cast(std::uint64_t, subnormal ? x * 0x1p54 : x);
  const auto fraction = __builtin_bit_cast(double, (bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000);  // 1 <= it < 2
  const bool half = fraction > 1.5;
  const double power = static_cast<double>(bits >> 52) - 1023 + (half ? 1 : 0) - (subnormal ? 54 : 0);
  const double m = half ? fraction / 2 : fraction;  // x = m * 2^power
  const double t = (m - 1) / (m + 1);               // log(m) = 2 (t + t^3 / 3 + t^5 / 5 + ...), with |t| <= 1 / 5
  const double s = t * t;
  const double series =
      1 + s * (1. / 3 + s * (1. / 5 + s * (1. / 7 + s * (1. / 9 + s * (1. / 11 + s * (1. / 13 + s / 15))))));
  return 0.6931471805599453 * power + 2 * t * series;
}

}  // namespace detail

struct Log {
  static constexpr const char* kName = "log";
  static constexpr double kLower = 0.0;
  [[nodiscard]] static double Forward(double x) noexcept { return std::log(x); }
  [[nodiscard]] static constexpr double Near(double x) noexcept { return detail::NearLog(x); }
};

/// log(1 + x) by Kahan's formula (Theorem 4 of D. Goldberg, "What every computer scientist should know about
/// floating-point arithmetic", ACM Computing Surveys 23(1), 1991): the rounding of 1 + x puts the logarithm off by
/// nearly the factor that it puts x off by, which the quotient undoes. At most 1.8 ULP off, and the same bits
/// wherever std::log has the same bits.
///
/// An example: 1e-10 is rounded to 1.00000008274e-10 where 1 is added, the logarithm of the sum is 1.00000008269e-10,
/// and times 1e-10 / 1.00000008274e-10 that is 9.9999999995e-11, right to the last digit.
struct Log1p {
  static constexpr const char* kName = "log1p";
  static constexpr double kLower = -1.0;
  [[nodiscard]] static double Forward(double x) noexcept {
    const double one_plus = 1.0 + x;
    return detail::Equal(one_plus, 1.0) ? x : detail::Rounded(std::log(one_plus) * (x / (one_plus - 1.0)));
  }
  [[nodiscard]] static constexpr double Near(double x) noexcept { return detail::NearLog(1.0 + x); }
};

/// log1p of the magnitude, with the sign of x.
struct SymLog1p {
  static constexpr const char* kName = "symlog1p";
  static constexpr double kLower = -std::numeric_limits<double>::infinity();
  [[nodiscard]] static double Forward(double x) noexcept { return x < 0.0 ? -Log1p::Forward(-x) : Log1p::Forward(x); }
  [[nodiscard]] static constexpr double Near(double x) noexcept { return x < 0.0 ? -Log1p::Near(-x) : Log1p::Near(x); }
};

/// Every transform; its code, where it is chosen at run time, is its place here.
using Transforms = TypeList<Identity, Log, Log1p, SymLog1p>;

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_TRANSFORMS_HPP
