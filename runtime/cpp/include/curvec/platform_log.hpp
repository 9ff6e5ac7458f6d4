// The bits of std::log for several doubles at once, where the error of std::log is known: the logarithm is computed to
// within 0.11 ULP. Where every value that a std::log within 0.52 ULP may have had before its last rounding rounds to
// one double, that is the result; elsewhere std::log is asked. (Ziv's rounding test: A. Ziv, "Fast evaluation of
// elementary mathematical functions with correctly rounded last bit", ACM Transactions on Mathematical Software 17(3),
// 1991. His test decides for the correctly rounded double, this one for that of a given library.)
//
// An example, in units of the last place: if the logarithm is 1000.30, within 0.01, then what std::log gives is within
// 0.52 of it, 1000 or nothing. If it is 1000.49, std::log may give 1000 or 1001, and is asked. Of the rows of a log
// over [1, 100], some 5 % are.
#ifndef CURVEC_PLATFORM_LOG_HPP
#define CURVEC_PLATFORM_LOG_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <curvec/log_constants.hpp>
#include <curvec/transforms.hpp>

// Since 2.28 glibc has the log of Arm's optimized routines. Its source (sysdeps/ieee754/dbl-64/e_log.c) states a worst
// case of 0.519 ULP, and of 0.520 without fused multiply-add.
#if defined(__GLIBC__) && defined(__AVX2__) && defined(__FMA__)
#if __GLIBC__ > 2 || __GLIBC_MINOR__ >= 28
#define CURVEC_PLATFORM_LOG
#include <immintrin.h>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

// The arithmetic of 4 doubles. <immintrin.h> has functions for it, but they stand outside of CURVEC_AS_WRITTEN, so that
// an option of the compiler could reorder what they do.
inline __m256d Plus(const __m256d& a, const __m256d& b) noexcept { return a + b; }
inline __m256d Minus(const __m256d& a, const __m256d& b) noexcept { return a - b; }
inline __m256d Times(const __m256d& a, const __m256d& b) noexcept { return a * b; }
inline __m256d Over(const __m256d& a, const __m256d& b) noexcept { return a / b; }

/// Each transform (transforms.hpp) in two parts: what it takes the logarithm of, and fx(x) from that logarithm.
inline __m256d ArgumentOf(Log /*fx*/, const __m256d& x) noexcept { return x; }
inline __m256d FromLog(Log /*fx*/, const __m256d& /*x*/, const __m256d& log) noexcept { return log; }

inline __m256d ArgumentOf(Log1p /*fx*/, const __m256d& x) noexcept { return Plus(x, _mm256_set1_pd(1.0)); }
inline __m256d FromLog(Log1p fx, const __m256d& x, const __m256d& log) noexcept {
  const __m256d one = _mm256_set1_pd(1.0);
  const __m256d one_plus = ArgumentOf(fx, x);
  const __m256d is_tiny = _mm256_cmp_pd(one_plus, one, _CMP_EQ_OQ);  // 1 + x == 1: fx(x) is x
  const __m256d divisor = _mm256_blendv_pd(Minus(one_plus, one), one, is_tiny);
  return _mm256_blendv_pd(Times(log, Over(x, divisor)), x, is_tiny);
}

inline __m256d Magnitude(const __m256d& x) noexcept { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
inline __m256d ArgumentOf(SymLog1p /*fx*/, const __m256d& x) noexcept { return ArgumentOf(Log1p{}, Magnitude(x)); }
inline __m256d FromLog(SymLog1p /*fx*/, const __m256d& x, const __m256d& log) noexcept {
  const __m256d sign = _mm256_and_pd(_mm256_set1_pd(-0.0), x);
  return _mm256_or_pd(FromLog(Log1p{}, Magnitude(x), log), sign);
}

/// fx of rows, clamped to [low, high]; what fx takes the logarithm of must be positive and normal there.
///
/// 1. Reduce. x = 2^k m with m in [sqrt(1/2), sqrt(2)), as log_constants.hpp splits it. With f = m - 1, which is exact,
///    and S = 2 f / (2 + f), |S| at most 0.3432,
///
///        log(m) = 2 atanh(S / 2) = S + S^3 P(S^2),    P(z) = 1/12 + z/80 + z^2/448 + ...
///
///    S is found as a sum of two doubles s + s_low: s is the quotient, and s_low what one step of division by hand
///    makes of its remainder. The divisor d + d_low, too, is the sum (2 + f) / 2 and what its rounding lost.
/// 2. Polynomial. For P stands the polynomial of degree 7 that equals it in the 8 Chebyshev nodes of [0, 0.3432^2]. It
///    is 2^-58 of P off, and with its coefficients rounded to doubles 2^-54.
/// 3. Sum. log(x) = k kLn2High + s, as a sum of two doubles `sum` + `lost` (Fast2Sum of T. J. Dekker, "A floating-point
///    technique for extending the available precision", Numerische Mathematik 18, 1971: k is 0 or |k kLn2High| > |s|),
///    and what is smaller, k kLn2Low + s_low + s^3 P(s^2).
///
/// How far that may be off. With e = 2^-53, the largest relative error of one rounding, and relative to the tail
/// T = s^3 P(s^2), at most 0.0849 |s|^3:
///
///     9.2 e   s in place of S in the tail: d, its inverse and s are rounded, so that |s_low| is at most 3 e |s|, and
///             the tail's derivative is at most 3.04 T / s
///     2.0 e   s^2 and s^3 are rounded
///     1.3 e   P(s^2): its approximation and coefficients 0.5 e, its last step 0.75 e, the steps before it 0.05 e
///     3.0 e   T is added to the rest, and then the bounds that are tested to that
///
/// That is 15.5 e T, at most 1.32 e |s|^3 (the most that was seen in 30 million random m is 0.90 e |s|^3). All other
/// roundings are of things smaller than e times the result, and together far below 0.0005 ULP of it.
///
/// The steps are loops of their own over groups of rows, and Reduce of one group goes side by side with Polynomial of
/// the group before: a division and a chain of multiply-adds, of which either alone leaves much of a processor idle. In
/// one loop over all steps, the chain of instructions of one row would be longer than what processors look ahead.
template <class Fx>
class Transformer {
 public:
  Transformer(double low, double high) noexcept : low_(low), high_(high) {}

  /// There are at most kBlock rows, and they are a multiple of 4.
  void Transform(const double* x, std::size_t rows, double* result) const noexcept {
    std::uint64_t undecided[kBlock / kGroupRows];  // for each group, one bit a row, lowest first
    Group groups[2];                               // this one and the next
    std::size_t count = rows < kGroupRows ? rows : kGroupRows;
    for (std::size_t i = 0; i < count; i += 4) Reduce(groups[0], x + i, i);
    for (std::size_t first = 0; first < rows; first += kGroupRows) {
      Group& group = groups[first / kGroupRows % 2];
      Group& next_group = groups[(first / kGroupRows + 1) % 2];
      const double* next_x = x + first + count;
      const std::size_t left = rows - first - count;
      const std::size_t next_count = left < kGroupRows ? left : kGroupRows;
      for (std::size_t i = 0; i < next_count; i += 4) {
        Reduce(next_group, next_x + i, i);
        Polynomial(group, i);
      }
      for (std::size_t i = next_count; i < count; i += 4) Polynomial(group, i);
      undecided[first / kGroupRows] = Sums(group, x + first, count, result + first);
      count = next_count;
    }
    for (std::size_t first = 0; first < rows; first += kGroupRows) {
      for (std::uint64_t bits = undecided[first / kGroupRows]; bits != 0; bits &= bits - 1) {
        const std::size_t i = first + static_cast<std::size_t>(__builtin_ctzll(bits));
        const double at_least_low = x[i] > low_ ? x[i] : low_;
        result[i] = Fx::Forward(at_least_low < high_ ? at_least_low : high_);
      }
    }
  }

 private:
  static constexpr std::size_t kGroupRows = 64;  // the bits of the word that says which rows are undecided

  /// How far std::log may be off beyond the half ULP of its rounding, 0.520 - 0.5, and 0.0005 for what the derivation
  /// above leaves out; in units of `exponent_of_log` below, which is 2^52 ULP.
  static constexpr double kPlatformError = 0.0205 / k2To52;

  /// How far the logarithm may be off here, in units of |s|^3: the 1.32 e derived above.
  static constexpr double kOwnError = 1.32 / (2 * k2To52);

  /// P, lowest power first: close to 1/12, 1/80, 1/448, ..., 1 / ((2 n + 3) 4^(n + 1)).
  static constexpr double kP[] = {0.08333333333333333,    0.012500000000000275,  0.0022321428570940293,
                                  0.00043402778108833146, 8.877829901957139e-05, 1.8782030948620268e-05,
                                  4.049307797764795e-06,  9.98431414334786e-07};

  /// What is known of the rows of a group between the steps.
  struct Group {
    alignas(32) double k[kGroupRows], s[kGroupRows], s_low[kGroupRows], p[kGroupRows], cube[kGroupRows];
  };

  /// fx of a group's rows, and which of them are undecided.
  std::uint64_t Sums(const Group& group, const double* x, std::size_t count, double* result) const noexcept {
    std::uint64_t undecided = 0;
    for (std::size_t i = 0; i < count; i += 4) {
      __m256d log;
      undecided |= static_cast<std::uint64_t>(Sum(group, i, log)) << i;
      _mm256_storeu_pd(result + i, FromLog(Fx{}, Clamped(x + i), log));
    }
    return undecided;
  }

  /// The clamped x of 4 rows; the first operand's NaN gives the second one, `low_`.
  __m256d Clamped(const double* x) const noexcept {
    return _mm256_min_pd(_mm256_max_pd(_mm256_loadu_pd(x), _mm256_set1_pd(low_)), _mm256_set1_pd(high_));
  }

  static __m256i Same(std::uint64_t bits) noexcept { return _mm256_set1_epi64x(static_cast<std::int64_t>(bits)); }

  void Reduce(Group& group, const double* x, std::size_t i) const noexcept {
    const __m256d argument = ArgumentOf(Fx{}, Clamped(x));
    const __m256i bits = _mm256_add_epi64(_mm256_castpd_si256(argument), Same(kAddedToBits));
    const __m256i exponent_bits = _mm256_or_si256(_mm256_srli_epi64(bits, kFractionBits), Same(kBitsOf2To52));
    const __m256i fraction = _mm256_and_si256(bits, Same(kFractionMask));
    const __m256d k = Minus(_mm256_castsi256_pd(exponent_bits), _mm256_set1_pd(kSubtractedFromExponent));
    const __m256d m = _mm256_castsi256_pd(_mm256_add_epi64(fraction, Same(kBitsOfRootHalf)));
    constexpr std::uint64_t kHalved = std::uint64_t{1} << kFractionBits;  // one less in the exponent field
    const __m256d m_half = _mm256_castsi256_pd(_mm256_add_epi64(fraction, Same(kBitsOfRootHalf - kHalved)));
    const __m256d half = _mm256_set1_pd(0.5);
    const __m256d f = Minus(m, _mm256_set1_pd(1.0));
    const __m256d d = Plus(m_half, half);  // (2 + f) / 2 is m / 2 + 1 / 2
    const __m256d d_low = Minus(m_half, Minus(d, half));
    const __m256d inverse = Over(_mm256_set1_pd(1.0), d);
    const __m256d s = Times(f, inverse);
    const __m256d remainder = _mm256_fnmadd_pd(s, d_low, _mm256_fnmadd_pd(s, d, f));  // f - s d - s d_low
    _mm256_store_pd(group.k + i, k);
    _mm256_store_pd(group.s + i, s);
    _mm256_store_pd(group.s_low + i, Times(remainder, inverse));
  }

  static void Polynomial(Group& group, std::size_t i) noexcept {
    const __m256d s = _mm256_load_pd(group.s + i);
    const __m256d square = Times(s, s);
    __m256d p = _mm256_set1_pd(kP[7]);
    for (std::size_t n = 7; n-- > 0;) p = _mm256_fmadd_pd(p, square, _mm256_set1_pd(kP[n]));
    _mm256_store_pd(group.p + i, p);
    _mm256_store_pd(group.cube + i, Times(s, square));
  }

  /// The logarithms of 4 rows, and one bit a row that says whether the largest and the least value that std::log may
  /// have had before its rounding are rounded to different doubles.
  static int Sum(const Group& group, std::size_t i, __m256d& log) noexcept {
    const __m256d k = _mm256_load_pd(group.k + i);
    const __m256d s = _mm256_load_pd(group.s + i);
    const __m256d cube = _mm256_load_pd(group.cube + i);
    const __m256d ln2_high = _mm256_set1_pd(kLn2High);
    const __m256d sum = _mm256_fmadd_pd(k, ln2_high, s);
    const __m256d lost = Minus(s, _mm256_fnmadd_pd(k, ln2_high, sum));
    const __m256d small = _mm256_fmadd_pd(k, _mm256_set1_pd(kLn2Low), _mm256_load_pd(group.s_low + i));
    const __m256d low = _mm256_fmadd_pd(cube, _mm256_load_pd(group.p + i), Plus(lost, small));
    const __m256d exponent_field = _mm256_castsi256_pd(_mm256_set1_epi64x(0x7ff0000000000000));
    const __m256d exponent_of_log = _mm256_and_pd(Plus(sum, low), exponent_field);  // the power of 2 below |log|
    const __m256d platform_error = _mm256_set1_pd(kPlatformError);
    const __m256d own_error = _mm256_set1_pd(kOwnError);
    const __m256d cube_size = Magnitude(cube);
    const __m256d most =
        Plus(sum, _mm256_fmadd_pd(exponent_of_log, platform_error, _mm256_fmadd_pd(cube_size, own_error, low)));
    const __m256d least =
        Plus(sum, _mm256_fnmadd_pd(exponent_of_log, platform_error, _mm256_fnmadd_pd(cube_size, own_error, low)));
    log = most;
    return _mm256_movemask_pd(_mm256_cmp_pd(most, least, _CMP_NEQ_OQ));
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
