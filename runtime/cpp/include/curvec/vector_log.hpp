// A logarithm of several doubles at once, for batches that ask for it (BatchOptions::vector_log): within 1 ULP of the
// true value, where the platform's std::log is usually within 0.52. Its bits are no part of the contract.
#ifndef CURVEC_VECTOR_LOG_HPP
#define CURVEC_VECTOR_LOG_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <curvec/log_constants.hpp>
#include <curvec/transforms.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

#if defined(__GNUC__)

using Bits __attribute__((vector_size(kLanes * sizeof(std::uint64_t)))) = std::uint64_t;

/// The logarithm of positive, normal doubles, by the method of fdlibm's e_log.c without its branches.
///
/// x = 2^k m with m in [sqrt(1/2), sqrt(2)), as log_constants.hpp splits it. With f = m - 1 (exact, as m is between 1/2
/// and 2) and s = f / (2 + f), the series of the logarithm has odd powers only:
///
///     log(m) = log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2),    P(z) = 2/3 + 2/5 z + 2/7 z^2 + ...
///
/// |s| is at most 3 - 2 sqrt(2) = 0.1716, so that few terms do. 2 s carries the rounding of the division; with
/// 2 s = f - s f and f - s f = f - f^2/2 + s f^2/2 it comes from f, which is exact, and s is left in small terms only:
///
///     log(m) = f - (f^2/2 - s (f^2/2 + s^2 P(s^2)))
///
/// Instead of the series, P is the polynomial of degree 6 that equals it in the 7 Chebyshev nodes of [0, 0.1716^2]. It
/// is at most 3.2e-16 off; s^3, at most 0.00505, makes that 1.6e-18 of a logarithm of 0.35, 0.03 ULP.
///
/// An example: x = 10 is 2^3 * 1.25, f = 0.25, s = 1/9; log(1.25) = 0.25 - (0.03125 - 0.00439355...) = 0.22314355...,
/// and 3 ln 2 = 2.07944154... more are 2.30258509...
inline void LogOf(const Lanes& x, Lanes& result) noexcept {
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits += kAddedToBits;
  const Bits exponent_bits = bits >> kFractionBits | kBitsOf2To52;
  bits = (bits & kFractionMask) + kBitsOfRootHalf;
  Lanes k, m;
  std::memcpy(&k, &exponent_bits, sizeof k);
  std::memcpy(&m, &bits, sizeof m);
  k -= kSubtractedFromExponent;
  const Lanes f = m - 1.0;
  const Lanes s = f / (f + 2.0);
  const Lanes z = s * s;
  const Lanes w = z * z;
  // P(z), its even and its odd powers in two chains that a processor works at together
  const Lanes even = 0.666666666666667 + w * (0.2857142862600327 + w * (0.18182889455674947 + w * 0.14616585424888623));
  const Lanes odd = 0.39999999999899444 + w * (0.22222211130259878 + w * 0.15331710618210773);
  const Lanes tail = z * (even + z * odd);  // s^2 P(s^2)
  const Lanes half_square = 0.5 * f * f;
  result = k * kLn2High - ((half_square - (s * (half_square + tail) + k * kLn2Low)) - f);
}

#endif

/// Whether fx has a form for several rows at once (TransformOf, and that of platform_log.hpp), where `low` is the
/// curve's first x and thus the least that fx is taken of. One that has none is computed row by row.
template <class Fx>
[[nodiscard]] constexpr bool HasVectorForm(Fx /*fx*/, double /*low*/) noexcept {
  return false;
}

/// fx of several rows; row by row where nothing better is written below.
template <class Fx>
void TransformOf(Fx /*fx*/, const Lanes& x, Lanes& result) noexcept {
  double rows[kLanes];
  Store(x, rows);
  for (double& row : rows) row = Fx::Forward(row);
  Load(rows, result);
}

#if defined(__GNUC__)

/// The logarithm is that of normal doubles: log needs such an x, and 1 + x is one.
[[nodiscard]] constexpr bool HasVectorForm(Log /*fx*/, double low) noexcept { return low >= kLeastNormal; }
[[nodiscard]] constexpr bool HasVectorForm(Log1p /*fx*/, double /*low*/) noexcept { return true; }
[[nodiscard]] constexpr bool HasVectorForm(SymLog1p /*fx*/, double /*low*/) noexcept { return true; }

/// By the formulas of transforms.hpp. All rows take both sides of each choice, so that where 1 + x == 1 the unused
/// quotient is by 1.0 in place of 0.0.
inline void TransformOf(Log /*fx*/, const Lanes& x, Lanes& result) noexcept { LogOf(x, result); }
inline void TransformOf(Log1p /*fx*/, const Lanes& x, Lanes& result) noexcept {
  const Lanes one_plus = 1.0 + x;
  const Lanes distance = one_plus - 1.0;
  const Lanes divisor = distance == 0.0 ? 1.0 - Lanes{} : distance;
  LogOf(one_plus, result);
  result = distance == 0.0 ? x : result * (x / divisor);
}
inline void TransformOf(SymLog1p /*fx*/, const Lanes& x, Lanes& result) noexcept {
  const Lanes magnitude = x < 0.0 ? -x : x;
  TransformOf(Log1p{}, magnitude, result);
  result = x < 0.0 ? -result : result;
}

#endif

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_VECTOR_LOG_HPP
