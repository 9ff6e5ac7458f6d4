// Curves of a few points where there is AVX2: a row's segment is a count of comparisons, and the segment's numbers come
// by permutations of tables that stay in registers. That is less than a blend for each number of each point.
#ifndef CURVEC_LOOKUP_HPP
#define CURVEC_LOOKUP_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <limits>

#if defined(__GNUC__) && defined(__AVX2__) && !defined(__AVX512F__)
#define CURVEC_LOOKUP
#include <immintrin.h>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

/// The rows that one permutation serves: two vectors of doubles, or one of floats.
inline constexpr std::size_t kLooked = 8;

/// The least float that is not below `number`: a float is >= the one exactly where it is >= the other.
[[nodiscard]] inline float FloatFrom(double number) noexcept {
  const auto nearest = static_cast<float>(number);
  std::int32_t bits = 0;
  std::memcpy(&bits, &nearest, sizeof bits);
  const std::int32_t above = Equal(static_cast<double>(nearest), 0.0) ? 1 : bits >= 0 ? bits + 1 : bits - 1;
  bits = static_cast<double>(nearest) < number ? above : bits;
  float result = 0;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/// Which segments rows are in, as counts below zero: -k (modulo the tables' size) is segment k, -(K - 1) is above the
/// points, -K is missing: a NaN passes every comparison, and the one with itself.
template <std::size_t K, class T>
class Counter;

template <std::size_t K>
class Counter<K, double> {
 public:
  static constexpr std::size_t kRows = 4;

  explicit Counter(const double* x) noexcept {
    for (std::size_t k = 1; k < K; ++k) x_[k] = _mm256_set1_pd(x[k]);
  }
  void Count(const double* from, __m256i& count) const noexcept {
    const __m256d x = _mm256_loadu_pd(from);
    count = _mm256_castpd_si256(_mm256_cmp_pd(x, x, _CMP_UNORD_Q));
    for (std::size_t k = 1; k < K; ++k) {
      count = _mm256_add_epi64(count, _mm256_castpd_si256(_mm256_cmp_pd(x, x_[k], _CMP_NLT_UQ)));
    }
  }
  /// The index of eight rows, in the order in which Entries::At gives the first four, and the others.
  static void Join(const __m256i* counts, __m256i& index) noexcept {
    const __m256 first = _mm256_castsi256_ps(counts[0]);
    const __m256 second = _mm256_castsi256_ps(counts[1]);
    index = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
  }

 private:
  __m256d x_[K];
};

template <std::size_t K>
class Counter<K, float> {
 public:
  static constexpr std::size_t kRows = 8;

  explicit Counter(const double* x) noexcept {
    for (std::size_t k = 1; k < K; ++k) x_[k] = _mm256_set1_ps(FloatFrom(x[k]));
  }
  void Count(const float* from, __m256i& count) const noexcept {
    const __m256 x = _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(_mm256_loadu_ps(from)), 0xD8));
    count = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    for (std::size_t k = 1; k < K; ++k) {
      count = _mm256_add_epi32(count, _mm256_castps_si256(_mm256_cmp_ps(x, x_[k], _CMP_NLT_UQ)));
    }
  }
  static void Join(const __m256i* counts, __m256i& index) noexcept { index = counts[0]; }

 private:
  __m256 x_[K];
};

/// One number of each segment, the low and the high halves of their bits apart, so that eight fit into a register.
template <std::size_t kCount>
class Entries {
  static constexpr std::size_t kParts = (kCount + kLooked - 1) / kLooked;
  static_assert(kParts <= 2, "a blend chooses between two tables");

 public:
  /// Segment k's number is numbers[k] for the first kCount - 2, then `above` and `missing`.
  Entries(const double* numbers, double above, double missing) noexcept {
    double entries[kParts * kLooked] = {};
    for (std::size_t k = 0; k < kCount; ++k) {
      entries[(kParts * kLooked - k) % (kParts * kLooked)] = k + 2 < kCount    ? numbers[k]
                                                             : k + 2 == kCount ? above
                                                                               : missing;
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      const __m256 first = _mm256_castpd_ps(_mm256_loadu_pd(entries + part * kLooked));
      const __m256 second = _mm256_castpd_ps(_mm256_loadu_pd(entries + part * kLooked + 4));
      low_[part] = InOrder(_mm256_shuffle_ps(first, second, 0x88));
      high_[part] = InOrder(_mm256_shuffle_ps(first, second, 0xDD));
    }
  }

  void At(const __m256i& index, __m256d& first, __m256d& second) const noexcept {
    const __m256 low = Chosen(low_, index);
    const __m256 high = Chosen(high_, index);
    first = _mm256_castps_pd(_mm256_unpacklo_ps(low, high));
    second = _mm256_castps_pd(_mm256_unpackhi_ps(low, high));
  }

 private:
  static __m256 InOrder(__m256 halves) noexcept {
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(halves), 0xD8));
  }
  static __m256 Chosen(const __m256 (&table)[kParts], __m256i index) noexcept {
    __m256 chosen = _mm256_permutevar8x32_ps(table[0], index);
    if constexpr (kParts == 2) {
      const __m256 second = _mm256_permutevar8x32_ps(table[1], index);
      chosen = _mm256_blendv_ps(chosen, second, _mm256_castsi256_ps(_mm256_slli_epi32(index, 28)));
    }
    return chosen;
  }
  __m256 low_[kParts], high_[kParts];
};

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif
#endif  // CURVEC_LOOKUP_HPP
