// The bits of std::log for several doubles at once, where they can be had: the logarithm is computed to some 58 bits,
// and where that leaves open which double a std::log within 0.5205 ULP gives, std::log is asked.
#ifndef CURVEC_PLATFORM_LOG_HPP
#define CURVEC_PLATFORM_LOG_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <curvec/transforms.hpp>

// glibc states 0.519 ULP for its log since 2.28 (0.520 without fused multiply-add).
#if defined(__GLIBC__) && defined(__AVX2__) && defined(__FMA__)
#if __GLIBC__ > 2 || __GLIBC_MINOR__ >= 28
#define CURVEC_PLATFORM_LOG
#include <immintrin.h>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

// Written here, as those of the compiler's header are not between CURVEC_AS_WRITTEN and CURVEC_AS_OPTIONS.
inline __m256d Plus(const __m256d& a, const __m256d& b) noexcept { return a + b; }
inline __m256d Minus(const __m256d& a, const __m256d& b) noexcept { return a - b; }
inline __m256d Times(const __m256d& a, const __m256d& b) noexcept { return a * b; }
inline __m256d Over(const __m256d& a, const __m256d& b) noexcept { return a / b; }

/// What a transform takes the logarithm of, and what it makes of that.
inline __m256d ArgumentOf(Log /*fx*/, const __m256d& x) noexcept { return x; }
inline __m256d FromLog(Log /*fx*/, const __m256d& /*x*/, const __m256d& log) noexcept { return log; }

inline __m256d ArgumentOf(Log1p /*fx*/, const __m256d& x) noexcept { return Plus(x, _mm256_set1_pd(1.0)); }
inline __m256d FromLog(Log1p fx, const __m256d& x, const __m256d& log) noexcept {
  const __m256d one = _mm256_set1_pd(1.0);
  const __m256d one_plus = ArgumentOf(fx, x);
  const __m256d tiny = _mm256_cmp_pd(one_plus, one, _CMP_EQ_OQ);
  const __m256d distance = _mm256_blendv_pd(Minus(one_plus, one), one, tiny);
  return _mm256_blendv_pd(Times(log, Over(x, distance)), x, tiny);
}

inline __m256d SizeOf(const __m256d& x) noexcept { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
inline __m256d ArgumentOf(SymLog1p /*fx*/, const __m256d& x) noexcept { return ArgumentOf(Log1p{}, SizeOf(x)); }
inline __m256d FromLog(SymLog1p /*fx*/, const __m256d& x, const __m256d& log) noexcept {
  const __m256d sign = _mm256_and_pd(_mm256_set1_pd(-0.0), x);
  return _mm256_or_pd(FromLog(Log1p{}, SizeOf(x), log), sign);
}

/// fx of rows, clamped to [low, high]; what fx takes the logarithm of is positive and normal there.
///
/// x is 2^k m with m between the roots of 1/2 and 2; with f = m - 1 and s = 2 f / (2 + f), log(m) = s + s^3 P(s^2),
/// where P is the Chebyshev interpolant of degree 7, off by 2^-54 of its value. s has a second part, and so has the
/// sum; what errs is the tail s^3 P, by at most seven roundings. The steps are loops of their own, two of them side by
/// side for one group of rows and the next: one loop's chain of instructions would be longer than what processors see.
template <class Fx>
class Transformer {
 public:
  Transformer(double low, double high) noexcept : low_(low), high_(high) {}

  /// Of what is open, fx is taken of one number after the other. There are at most kBlock rows.
  void Transform(const double* x, std::size_t rows, double* result) const noexcept {
    std::uint64_t open[kBlock / kSome];
    Group groups[2];
    std::size_t count = rows < kSome ? rows : kSome;
    for (std::size_t i = 0; i < count; i += 4) Reduce(groups[0], x + i, i);
    for (std::size_t first = 0; first < rows; first += kSome) {
      Group& group = groups[first / kSome % 2];
      Group& next = groups[(first / kSome + 1) % 2];
      const double* ahead = x + first + count;
      const std::size_t left = rows - first - count;
      const std::size_t then = left < kSome ? left : kSome;
      for (std::size_t i = 0; i < then; i += 4) {  // side by side, as either alone leaves half of the processor idle
        Reduce(next, ahead + i, i);
        Polynomial(group, i);
      }
      for (std::size_t i = then; i < count; i += 4) Polynomial(group, i);
      open[first / kSome] = Sums(group, x + first, count, result + first);
      count = then;
    }
    for (std::size_t first = 0; first < rows; first += kSome) {
      for (std::uint64_t bits = open[first / kSome]; bits != 0; bits &= bits - 1) {
        const std::size_t i = first + static_cast<std::size_t>(__builtin_ctzll(bits));
        const double above = x[i] > low_ ? x[i] : low_;
        result[i] = Fx::Forward(above < high_ ? above : high_);
      }
    }
  }

 private:
  static constexpr std::size_t kSome = 64;
  static constexpr double kPlatform = 0.0205 / 4503599627370496.0;  // 2^52
  static constexpr double kRoundings = 0.6 / 9007199254740992.0;    // of s^3 P, which is at most 0.085 s^3; 2^53
  static constexpr double kP[] = {0.08333333333333333,    0.012500000000000275,  0.0022321428570940293,
                                  0.00043402778108833146, 8.877829901957139e-05, 1.8782030948620268e-05,
                                  4.049307797764795e-06,  9.98431414334786e-07};

  /// Some rows' logarithms in the making.
  struct Group {
    alignas(32) double k[kSome], s[kSome], s_low[kSome], p[kSome], cube[kSome];
  };

  std::uint64_t Sums(const Group& group, const double* x, std::size_t count, double* result) const noexcept {
    std::uint64_t open = 0;
    for (std::size_t i = 0; i < count; i += 4) {
      __m256d log;
      open |= static_cast<std::uint64_t>(Sum(group, i, log)) << i;
      _mm256_storeu_pd(result + i, FromLog(Fx{}, Clamped(x + i), log));
    }
    return open;
  }

  __m256d Clamped(const double* x) const noexcept {
    return _mm256_min_pd(_mm256_max_pd(_mm256_loadu_pd(x), _mm256_set1_pd(low_)), _mm256_set1_pd(high_));
  }

  void Reduce(Group& group, const double* from, std::size_t i) const noexcept {
    const __m256d x = ArgumentOf(Fx{}, Clamped(from));
    const __m256i root = _mm256_set1_epi64x(0x3fe6a09e667f3bcd);  // the bits of sqrt(1/2)
    const __m256i half_root = _mm256_set1_epi64x(0x3fd6a09e667f3bcd);
    const __m256i offset = _mm256_set1_epi64x(std::int64_t{2048} << 52);  // keeps the exponent positive
    const __m256i bits = _mm256_add_epi64(_mm256_castpd_si256(x), _mm256_sub_epi64(offset, root));
    const __m256i whole = _mm256_or_si256(_mm256_srli_epi64(bits, 52), _mm256_set1_epi64x(0x4330000000000000));
    const __m256i fraction = _mm256_and_si256(bits, _mm256_set1_epi64x(0xfffffffffffff));
    const __m256d m = _mm256_castsi256_pd(_mm256_add_epi64(fraction, root));
    const __m256d m_half = _mm256_castsi256_pd(_mm256_add_epi64(fraction, half_root));
    const __m256d half = _mm256_set1_pd(0.5);
    const __m256d f = Minus(m, _mm256_set1_pd(1.0));
    const __m256d d = Plus(m_half, half);  // (2 + f) / 2, and what its rounding lost
    const __m256d d_low = Minus(m_half, Minus(d, half));
    const __m256d inverse = Over(_mm256_set1_pd(1.0), d);
    const __m256d s = Times(f, inverse);
    const __m256d rest = _mm256_fnmadd_pd(s, d_low, _mm256_fnmadd_pd(s, d, f));
    _mm256_store_pd(group.k + i, Minus(_mm256_castsi256_pd(whole), _mm256_set1_pd(4503599627372544.0)));
    _mm256_store_pd(group.s + i, s);
    _mm256_store_pd(group.s_low + i, Times(rest, inverse));
  }

  static void Polynomial(Group& group, std::size_t i) noexcept {
    const __m256d s = _mm256_load_pd(group.s + i);
    const __m256d z = Times(s, s);
    __m256d p = _mm256_set1_pd(kP[7]);
    for (std::size_t n = 7; n-- > 0;) p = _mm256_fmadd_pd(p, z, _mm256_set1_pd(kP[n]));
    _mm256_store_pd(group.p + i, p);
    _mm256_store_pd(group.cube + i, Times(s, z));
  }

  static int Sum(const Group& group, std::size_t i, __m256d& log) noexcept {
    const __m256d k = _mm256_load_pd(group.k + i);
    const __m256d s = _mm256_load_pd(group.s + i);
    const __m256d cube = _mm256_load_pd(group.cube + i);
    const __m256d ln2 = _mm256_set1_pd(0.6931471803691238);  // 32 bits of it: its product with k is exact
    const __m256d sum = _mm256_fmadd_pd(k, ln2, s);
    const __m256d lost = Minus(s, _mm256_fnmadd_pd(k, ln2, sum));
    const __m256d small = _mm256_fmadd_pd(k, _mm256_set1_pd(1.9082149292705877e-10), _mm256_load_pd(group.s_low + i));
    const __m256d low = _mm256_fmadd_pd(cube, _mm256_load_pd(group.p + i), Plus(lost, small));
    const __m256d exponent = _mm256_castsi256_pd(_mm256_set1_epi64x(0x7ff0000000000000));
    const __m256d unit = _mm256_and_pd(Plus(sum, low), exponent);  // 2^52 ULP of the result
    const __m256d size = SizeOf(cube);
    const __m256d platform = _mm256_set1_pd(kPlatform);
    const __m256d roundings = _mm256_set1_pd(kRoundings);
    log = Plus(sum, _mm256_fmadd_pd(unit, platform, _mm256_fmadd_pd(size, roundings, low)));
    const __m256d least = Plus(sum, _mm256_fnmadd_pd(unit, platform, _mm256_fnmadd_pd(size, roundings, low)));
    return _mm256_movemask_pd(_mm256_cmp_pd(log, least, _CMP_NEQ_OQ));
  }

  double low_, high_;
};

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif
#endif
#endif  // CURVEC_PLATFORM_LOG_HPP
