// A logarithm of several doubles at once, for batches that ask for it: within 1 ULP of the true value, where the
// platform's std::log is usually within 0.52. It is no part of the contract's bits.
#ifndef CURVEC_VECTOR_LOG_HPP
#define CURVEC_VECTOR_LOG_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <curvec/transforms.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

#if defined(__GNUC__)

using Bits __attribute__((vector_size(kLanes * sizeof(std::uint64_t)))) = std::uint64_t;

/// log of positive, normal doubles. x is 2^k m with m between the roots of 1/2 and 2, and with f = m - 1 and
/// s = f / (2 + f), log(m) = log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2) = f - f^2/2 + s (f^2/2 + s^2 P(s^2)). P is the
/// Chebyshev interpolant of degree 6, off by at most 3.2e-16.
inline void LogOf(const Lanes& x, Lanes& result) noexcept {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;  // the bits of sqrt(1/2)
  constexpr std::uint64_t kOffset = 2048;                    // keeps the exponent positive
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits += (kOffset << 52) - kRootOfHalf;
  const Bits whole = bits >> 52 | 0x4330000000000000;  // 2^52 + kOffset + k, as a double
  bits = (bits & 0xfffffffffffff) + kRootOfHalf;
  Lanes k, m;
  std::memcpy(&k, &whole, sizeof k);
  std::memcpy(&m, &bits, sizeof m);
  k -= 4503599627372544.0;  // 2^52 + kOffset
  const Lanes f = m - 1.0;
  const Lanes s = f / (f + 2.0);
  const Lanes z = s * s;
  const Lanes w = z * z;
  const Lanes even = 0.666666666666667 + w * (0.2857142862600327 + w * (0.18182889455674947 + w * 0.14616585424888623));
  const Lanes odd = 0.39999999999899444 + w * (0.22222211130259878 + w * 0.15331710618210773);
  const Lanes tail = z * (even + z * odd);
  const Lanes half = 0.5 * f * f;
  // ln 2 in two parts, the first of 32 bits, so that its product with k is exact.
  result = k * 0.6931471803691238 - ((half - (s * (half + tail) + k * 1.9082149292705877e-10)) - f);
}

/// Whether fx is taken several at once where a curve's first x is `low`: Log leaves subnormal x to std::log.
[[nodiscard]] constexpr bool HasVectorForm(Log /*fx*/, double low) noexcept { return low >= 2.2250738585072014e-308; }
template <class Fx>
[[nodiscard]] constexpr bool HasVectorForm(Fx /*fx*/, double /*low*/) noexcept {
  return true;
}

inline void TransformOf(Identity /*fx*/, const Lanes& x, Lanes& result) noexcept { result = x; }
inline void TransformOf(Log /*fx*/, const Lanes& x, Lanes& result) noexcept { LogOf(x, result); }
inline void TransformOf(Log1p /*fx*/, const Lanes& x, Lanes& result) noexcept {
  const Lanes one_plus = 1.0 + x;
  const Lanes distance = one_plus - 1.0;
  const Lanes safe = distance == 0.0 ? 1.0 - Lanes{} : distance;
  LogOf(one_plus, result);
  result = distance == 0.0 ? x : result * (x / safe);
}
inline void TransformOf(SymLog1p /*fx*/, const Lanes& x, Lanes& result) noexcept {
  const Lanes size = x < 0.0 ? -x : x;
  TransformOf(Log1p{}, size, result);
  result = x < 0.0 ? -result : result;
}

#else

template <class Fx>
[[nodiscard]] constexpr bool HasVectorForm(Fx /*fx*/, double /*low*/) noexcept {
  return true;
}

template <class Fx>
void TransformOf(Fx /*fx*/, const Lanes& x, Lanes& result) noexcept {
  result = Fx::Forward(x);
}

#endif

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_VECTOR_LOG_HPP
