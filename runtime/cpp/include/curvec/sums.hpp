// Products and the order of sums (contract, point 5).
#ifndef CURVEC_SUMS_HPP
#define CURVEC_SUMS_HPP

#include <array>
#include <cstddef>
#include <curvec/config.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

/// The product of the factors, left to right; no sum that it goes into is fused with it.
template <class... Factors>
[[nodiscard]] constexpr double Product(double first, Factors... factors) noexcept {
  double product = first;
  ((product = detail::Rounded(product * factors)), ...);
  return product;
}

/// The terms of one group of a sum.
inline constexpr std::size_t kGroup = 25;

/// start plus the terms, in the contract's order: what Score computes from what Contributions gives.
template <std::size_t N>
[[nodiscard]] constexpr double GroupedSum(double start, const std::array<double, N>& terms) noexcept {
  double total = start;
  for (std::size_t first = 0; first < N; first += kGroup) {
    double group = first == 0 ? start + terms[0] : terms[first];
    for (std::size_t i = first + 1; i < N && i < first + kGroup; ++i) group += terms[i];
    total = first == 0 ? group : total + group;
  }
  return total;
}

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_SUMS_HPP
