// Curves of a few points where there is AVX2: a row's segment is a count of comparisons, and the segment's numbers come
// by permutations of tables that stay in registers. For K points that is K comparisons and additions a vector, and then
// one permutation, or two and a blend, for each half of a number; to choose a number by a blend at each point would be
// K blends for each of x, y and the slope.
//
// An example: a curve through K = 4 points, x_0 to x_3. AVX2 says "true" as a vector element of all ones, which is -1
// as an integer. Added up over the comparisons x >= x_1, x >= x_2, x >= x_3 and x != x, and reduced to the 3 bits that
// a permutation of 8 entries reads, that is
//
//     x is             sum    entry    which holds, for y
//     below x_1         0       0      y_0
//     x_1 to x_2       -1       7      y_1
//     x_2 to x_3       -2       6      y_2
//     x_3 or above     -3       5      y_3, with a slope of 0
//     missing (NaN)    -4       4      the value for missing, with a slope of 0
//
// A table is therefore stored backwards from its end, but for entry 0, and the sums are never negated.
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

/// The rows that one permutation of 8 floats serves: two vectors of doubles, or one of floats. Also its entries.
inline constexpr std::size_t kLookupRows = 8;

// What _mm256_shuffle_ps and _mm256_permute4x64_pd take as a constant: two bits an element, the first element's lowest.
inline constexpr int kEvenOfBoth = 0x88;  // elements 0 and 2 of one operand's half, then of the other's: 2 0 2 0
inline constexpr int kOddOfBoth = 0xDD;   // elements 1 and 3: 3 1 3 1
inline constexpr int kSwapMiddle = 0xD8;  // the second and the third of four: 3 1 2 0

/// The least float that is not below `number`: a float is >= the one exactly where it is >= the other.
///
/// An example: the float nearest to 0.7 is 0.699999988, which is not >= 0.7; the next one, 0.700000048, is the least
/// that is.
[[nodiscard]] inline float LeastFloatFrom(double number) noexcept {
  const auto nearest = static_cast<float>(number);
  std::int32_t bits = 0;
  std::memcpy(&bits, &nearest, sizeof bits);
  // The next float above: of positive ones the bits are one more, of negative ones one less; of both zeros they are 1.
  const std::int32_t next = Equal(static_cast<double>(nearest), 0.0) ? 1 : bits >= 0 ? bits + 1 : bits - 1;
  bits = static_cast<double>(nearest) < number ? next : bits;
  float result = 0;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/// Finds the segments of rows, as the sums above: -k for segment k, -(K - 1) from the last point on, -K for missing. (A
/// comparison of AVX2 may be asked to hold for NaN, too: "not less" in place of "greater or equal".)
///
/// The sums of 8 rows are 8 integers of 32 bits in the order of rows 0 1 4 5 2 3 6 7, in which SegmentTable takes them.
template <std::size_t K, class T>
class SegmentFinder;

template <std::size_t K>
class SegmentFinder<K, double> {
 public:
  static constexpr std::size_t kRows = 4;

  explicit SegmentFinder(const double* x) noexcept {
    for (std::size_t k = 1; k < K; ++k) x_[k] = _mm256_set1_pd(x[k]);
  }
  void Find(const double* rows, __m256i& sums) const noexcept {
    const __m256d x = _mm256_loadu_pd(rows);
    sums = _mm256_castpd_si256(_mm256_cmp_pd(x, x, _CMP_UNORD_Q));
    for (std::size_t k = 1; k < K; ++k) {
      sums = _mm256_add_epi64(sums, _mm256_castpd_si256(_mm256_cmp_pd(x, x_[k], _CMP_NLT_UQ)));
    }
  }
  /// The sums of 8 rows, the low 32 bits of two vectors of 64-bit integers.
  static void Join(const __m256i* sums, __m256i& joined) noexcept {
    const __m256 first = _mm256_castsi256_ps(sums[0]);
    const __m256 second = _mm256_castsi256_ps(sums[1]);
    joined = _mm256_castps_si256(_mm256_shuffle_ps(first, second, kEvenOfBoth));
  }

 private:
  __m256d x_[K];
};

template <std::size_t K>
class SegmentFinder<K, float> {
 public:
  static constexpr std::size_t kRows = 8;

  explicit SegmentFinder(const double* x) noexcept {
    for (std::size_t k = 1; k < K; ++k) x_[k] = _mm256_set1_ps(LeastFloatFrom(x[k]));
  }
  void Find(const float* rows, __m256i& sums) const noexcept {
    const __m256d pairs = _mm256_castps_pd(_mm256_loadu_ps(rows));
    const __m256 x = _mm256_castpd_ps(_mm256_permute4x64_pd(pairs, kSwapMiddle));
    sums = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    for (std::size_t k = 1; k < K; ++k) {
      sums = _mm256_add_epi32(sums, _mm256_castps_si256(_mm256_cmp_ps(x, x_[k], _CMP_NLT_UQ)));
    }
  }
  static void Join(const __m256i* sums, __m256i& joined) noexcept { joined = sums[0]; }

 private:
  __m256 x_[K];
};

/// One number of each segment, of kCount - 2 segments, from the last point on, and for missing. AVX2 permutes 8
/// elements of 32 bits by any index, but not doubles: the low and the high halves of the numbers are therefore tables
/// of their own, and are put together after the permutation. A table of more than 8 entries is two registers.
template <std::size_t kCount>
class SegmentTable {
  static constexpr std::size_t kParts = (kCount + kLookupRows - 1) / kLookupRows;
  static_assert(kParts <= 2, "a blend chooses between two registers");
  static constexpr std::size_t kEntries = kParts * kLookupRows;

 public:
  /// Segment k's number is numbers[k] for the first kCount - 2, then `above` and `missing`.
  SegmentTable(const double* numbers, double above, double missing) noexcept {
    double entries[kEntries] = {};
    for (std::size_t k = 0; k < kCount; ++k) {
      entries[(kEntries - k) % kEntries] = k + 2 < kCount ? numbers[k] : k + 2 == kCount ? above : missing;
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      const __m256 first = _mm256_castpd_ps(_mm256_loadu_pd(entries + part * kLookupRows));
      const __m256 second = _mm256_castpd_ps(_mm256_loadu_pd(entries + part * kLookupRows + 4));
      low_[part] = InOrder(_mm256_shuffle_ps(first, second, kEvenOfBoth));
      high_[part] = InOrder(_mm256_shuffle_ps(first, second, kOddOfBoth));
    }
  }

  /// The numbers of 8 rows whose sums a SegmentFinder has joined: of rows 0 to 3, and of rows 4 to 7. (An instruction
  /// on 8 floats works on two halves of 4. Interleaving the first two of each half gives the rows that stand 0th, 1st,
  /// 4th and 5th in the sums, which are 0 1 2 3; hence the order of the sums.)
  void Choose(const __m256i& sums, __m256d& first, __m256d& second) const noexcept {
    const __m256 low = Permuted(low_, sums);
    const __m256 high = Permuted(high_, sums);
    first = _mm256_castps_pd(_mm256_unpacklo_ps(low, high));
    second = _mm256_castps_pd(_mm256_unpackhi_ps(low, high));
  }

 private:
  /// What a shuffle leaves in the order 0 1 4 5 2 3 6 7, in the order of the entries.
  static __m256 InOrder(__m256 shuffled) noexcept {
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(shuffled), kSwapMiddle));
  }
  /// A permutation reads bits 0 to 2 of each sum; a blend reads bit 31, to which bit 3 is shifted.
  static __m256 Permuted(const __m256 (&table)[kParts], __m256i sums) noexcept {
    __m256 permuted = _mm256_permutevar8x32_ps(table[0], sums);
    if constexpr (kParts == 2) {
      const __m256 second = _mm256_permutevar8x32_ps(table[1], sums);
      permuted = _mm256_blendv_ps(permuted, second, _mm256_castsi256_ps(_mm256_slli_epi32(sums, 28)));
    }
    return permuted;
  }
  __m256 low_[kParts], high_[kParts];
};

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif
#endif  // CURVEC_LOOKUP_HPP
