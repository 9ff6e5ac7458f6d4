// Step curves of many cuts where there is AVX2: of every 16th cut 16 are compared with a row's x at once, and then the
// 16 that these leave. Of 255 cuts that is 2 steps without a branch, where a search by halves takes 8.
#ifndef CURVEC_CUT_FINDER_HPP
#define CURVEC_CUT_FINDER_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <limits>

#if defined(__GNUC__) && defined(__AVX2__) && defined(__POPCNT__)
#define CURVEC_CUT_FINDER
#include <immintrin.h>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

/// How many of 17 to 4,096 cuts are at or below x, as CountUpTo counts them, for many x.
///
/// An example: of 40 cuts, those that are compared first are number 15 and number 31. Where x is between them, 16 cuts
/// or more are at or below it, and fewer than 32: 16 and how many of the numbers 16 to 31 are. Where x is above both,
/// the last 16 are compared, number 24 to 39, and what is below them is known to count.
class CutFinder {
 public:
  static constexpr std::size_t kAtOnce = 16;
  static constexpr std::size_t kFewest = kAtOnce + 1;
  static constexpr std::size_t kMost = kAtOnce * kAtOnce * kAtOnce;
  static constexpr std::size_t kFewestRows = 256;  // fewer are searched while the tables here are made

  CutFinder(const double* cuts, std::size_t count) noexcept
      : cuts_(cuts), count_(count), middle_count_(Every16th(cuts, count, middle_)) {
    top_count_ = middle_count_ > kAtOnce ? Every16th(middle_, middle_count_, top_) : 0;
  }

  [[nodiscard]] std::size_t Count(double x) const noexcept {
    const std::size_t most = top_count_ != 0 ? kAtOnce * CountOf16(top_, x) : 0;
    const std::size_t middle = Refined(middle_, middle_count_ > kAtOnce ? middle_count_ : kAtOnce, most, x);
    return Refined(cuts_, count_, kAtOnce * middle, x);
  }

 private:
  /// The count, which is at least `least`, and at most 16 more where there are so many numbers.
  [[nodiscard]] static std::size_t Refined(const double* numbers, std::size_t count, std::size_t least,
                                           double x) noexcept {
    const std::size_t first = least < count - kAtOnce ? least : count - kAtOnce;
    return first + CountOf16(numbers + first, x);
  }

  [[nodiscard]] static std::size_t CountOf16(const double* numbers, double x) noexcept {
#if defined(__AVX512F__)
    const __m512d all = _mm512_set1_pd(x);
    const unsigned low = _mm512_cmp_pd_mask(_mm512_loadu_pd(numbers), all, _CMP_LE_OQ);
    const unsigned high = _mm512_cmp_pd_mask(_mm512_loadu_pd(numbers + 8), all, _CMP_LE_OQ);
    const unsigned found = low | high << 8;
#else
    const __m256d all = _mm256_set1_pd(x);
    unsigned found = 0;
    for (unsigned i = 0; i < kAtOnce; i += 4) {
      const __m256d below = _mm256_cmp_pd(_mm256_loadu_pd(numbers + i), all, _CMP_LE_OQ);
      found |= static_cast<unsigned>(_mm256_movemask_pd(below)) << i;
    }
#endif
    return static_cast<std::size_t>(__builtin_popcount(found));
  }

  /// Numbers 15, 31, 47, ..., filled up with infinity to 16 of them; how many there are.
  static std::size_t Every16th(const double* numbers, std::size_t count, double* every) noexcept {
    const std::size_t found = count / kAtOnce;
    for (std::size_t i = 0; i < found; ++i) every[i] = numbers[kAtOnce * i + kAtOnce - 1];
    for (std::size_t i = found; i < kAtOnce; ++i) every[i] = std::numeric_limits<double>::infinity();
    return found;
  }

  const double* cuts_;
  std::size_t count_;
  double middle_[kAtOnce * kAtOnce];
  std::size_t middle_count_;
  double top_[kAtOnce];
  std::size_t top_count_;
};

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_CUT_FINDER

#endif  // CURVEC_CUT_FINDER_HPP
