// Curves over a block of rows: no branch on a row's value, several rows at once, and the bits of the one-row form.
#ifndef CURVEC_KERNELS_HPP
#define CURVEC_KERNELS_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <curvec/lookup.hpp>
#include <curvec/platform_log.hpp>
#include <curvec/pwl_curve.hpp>
#include <curvec/transforms.hpp>
#include <curvec/vector_log.hpp>
#include <limits>
#include <type_traits>
#include <utility>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

namespace detail {

/// What becomes of a term's values: they are the result, or are added to it, or multiply it.
struct Set {
  template <class T>
  static void Apply(T& result, const T& value) noexcept {
    result = value;
  }
};
struct Add {
  template <class T>
  static void Apply(T& result, const T& value) noexcept {
    result += value;
  }
};
struct Multiply {
  template <class T>
  static void Apply(T& result, const T& value) noexcept {
    result = CURVEC_ROUNDED(result * value);
  }
};

/// Op on a vector of results; what is set is not read before.
template <class Op>
void ApplyTo(double* result, const Lanes& value) noexcept {
  if constexpr (std::is_same_v<Op, Set>) {
    Store(value, result);
  } else {
    Lanes before;
    Load(result, before);
    Op::Apply(before, value);
    Store(before, result);
  }
}

inline constexpr std::size_t kLine = 8;  // the doubles of a cache line, and what a block's rows are a multiple of

/// Curves of at most so many points are evaluated by choosing among all their segments, others by a search.
inline constexpr std::size_t kMostChosen = 15;

/// The tables of a curve, K numbers each, the last slope 0.
struct Tables {
  const double* x;
  const double* u;
  const double* y;
  const double* slopes;
  std::size_t count;
  double missing;
};

#if defined(CURVEC_LOOKUP)

/// The values of eight rows at a time, their segments known.
template <std::size_t K, bool kIdentity>
class Lookup {
 public:
  explicit Lookup(const Tables& curve) noexcept
      : at_(kIdentity ? curve.x : curve.u, kIdentity ? std::numeric_limits<double>::infinity() : 0.0, 0.0),
        y_(curve.y, curve.y[K - 1], curve.missing),
        slope_(curve.slopes, 0.0, 0.0) {}

  template <class T>
  void Values(const __m256i& index, const T* at, Lanes& first, Lanes& second) const noexcept {
    Lanes u[2], u_k[2], y_k[2], s_k[2];
    Load(at, u[0]);
    Load(at + kLanes, u[1]);
    at_.At(index, u_k[0], u_k[1]);
    y_.At(index, y_k[0], y_k[1]);
    slope_.At(index, s_k[0], s_k[1]);
    Line(u[0], u_k[0], y_k[0], s_k[0], first);
    Line(u[1], u_k[1], y_k[1], s_k[1], second);
  }

 private:
  /// With the identity nothing was clamped: below the points the distance is negative; above them it is -infinity, or
  /// NaN for infinity; and a missing row's is NaN: all become 0. (Other u are clamped, and need not be in order.)
  static void Line(const Lanes& u, const Lanes& u_k, const Lanes& y_k, const Lanes& s_k, Lanes& value) noexcept {
    Lanes distance = u - u_k;
    if constexpr (kIdentity) distance = _mm256_max_pd(distance, Lanes{});
    const Lanes rise = s_k * distance;  // a statement of its own: clang contracts within one
    value = y_k + CURVEC_ROUNDED(rise);
  }
  Entries<K + 1> at_, y_, slope_;
};

/// A curve of K points over rows in eights; `at` is fx of the clamped x, or with the identity x itself. The segments
/// are found in a loop of their own: one loop's chain of instructions would be longer than what processors see at once.
template <class Op, std::size_t K, bool kIdentity, class T, class U>
void ChosenBlock(const Tables& curve, const T* x, const U* at, std::size_t rows, double* result) noexcept {
  using Counts = Counter<K, T>;
  __m256i counts[kBlock / Counts::kRows];
  const Counts counter(curve.x);
  for (std::size_t i = 0; i < rows; i += kLooked) {
    for (std::size_t j = i; j < i + kLooked; j += Counts::kRows) counter.Count(x + j, counts[j / Counts::kRows]);
  }
  const Lookup<K, kIdentity> lookup(curve);
  for (std::size_t i = 0; i < rows; i += kLooked) {
    PrefetchAfter(
        x + i,
        kBlock * sizeof(T));  // this column's part of the next block, whose page no stream of the processor follows
    __m256i index;
    Counts::Join(counts + i / Counts::kRows, index);
    Lanes value[2];
    lookup.Values(index, at + i, value[0], value[1]);
    for (std::size_t j = 0; j < 2; ++j) ApplyTo<Op>(result + i + j * kLanes, value[j]);
  }
}

#else

/// The tables of a curve of K points as vectors, and their use for one vector of rows.
template <std::size_t K, bool kIdentity, class Index = std::make_index_sequence<K>>
struct Chooser;

template <std::size_t K, bool kIdentity, std::size_t... I>
struct Chooser<K, kIdentity, std::index_sequence<I...>> {
  explicit Chooser(const Tables& curve) noexcept
      // a number minus a vector of zeros is a vector of that number
      : x{curve.x[I] - Lanes{}...},
        u{curve.u[I] - Lanes{}...},
        y{curve.y[I] - Lanes{}...},
        s{curve.slopes[I] - Lanes{}...},
        missing(curve.missing - Lanes{}) {}

  /// The curve at x, where fx of x, clamped, is `at`; with the identity it need not be clamped.
  void Value(const Lanes& raw, const Lanes& at, Lanes& value) const noexcept {
    Lanes y_k = y[0];
    Lanes s_k = s[0];
    Lanes u_k = kIdentity ? x[0] : u[0];
    (Choose<I>(raw, y_k, s_k, u_k), ...);
    Lanes distance = at - u_k;
    if constexpr (kIdentity) distance = distance > 0.0 ? distance : Lanes{};  // below the points
    const Lanes rise = s_k * distance;  // a statement of its own: clang contracts within one
    value = y_k + CURVEC_ROUNDED(rise);
    value = raw >= x[K - 1] ? y[K - 1] : value;
    value = raw == raw ? value : missing;
  }

  template <std::size_t k>
  void Choose(const Lanes& raw, Lanes& y_k, Lanes& s_k, Lanes& u_k) const noexcept {
    if constexpr (k > 0 && k + 1 < K) {
      y_k = raw >= x[k] ? y[k] : y_k;
      s_k = raw >= x[k] ? s[k] : s_k;
      u_k = raw >= x[k] ? (kIdentity ? x[k] : u[k]) : u_k;  // vectors are scarce, and u is x
    }
  }

  Lanes x[K], u[K], y[K], s[K], missing;
};

/// A curve of K points over whole cache lines of rows; `at` is fx of the clamped x, or with the identity x itself.
template <class Op, std::size_t K, bool kIdentity, class T, class U>
void ChosenBlock(const Tables& curve, const T* x, const U* at, std::size_t rows, double* result) noexcept {
  const Chooser<K, kIdentity> chooser(curve);
  for (std::size_t i = 0; i < rows; i += kLine) {
    PrefetchAfter(
        x + i,
        kBlock * sizeof(T));  // this column's part of the next block, whose page no stream of the processor follows
    for (std::size_t j = i; j < i + kLine; j += kLanes) {
      Lanes raw, u, value;
      Load(x + j, raw);
      Load(at + j, u);
      chooser.Value(raw, u, value);
      ApplyTo<Op>(result + j, value);
    }
  }
}

#endif

/// fx of whole cache lines of rows, clamped to the curve's points; a NaN becomes the first of them.
template <class Fx>
void TransformBlock(const Tables& curve, const double* x, std::size_t rows, bool vector_log, double* at) noexcept {
  const double low = curve.x[0];
  const double high = curve.x[curve.count - 1];
  const bool normal = HasVectorForm(Fx{}, low);
#if defined(CURVEC_PLATFORM_LOG)
  if (!vector_log && normal) return Transformer<Fx>(low, high).Transform(x, rows, at);
#endif
  for (std::size_t i = 0; i < rows; ++i) {
    const double above = x[i] > low ? x[i] : low;
    at[i] = above < high ? above : high;
  }
  if (!vector_log || !normal) {
    for (std::size_t i = 0; i < rows; ++i) at[i] = Fx::Forward(at[i]);
    return;
  }
  for (std::size_t i = 0; i < rows; i += kLanes) {
    Lanes value;
    Load(at + i, value);
    TransformOf(Fx{}, value, value);
    Store(value, at + i);
  }
}

/// A curve row by row: what is left of a block, and curves of many points.
template <class Op, class Fx, class T>
void SearchedBlock(const Tables& curve, const T* x, std::size_t rows, double* result) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    const double value = PwlValue<Fx>(curve.x, curve.u, curve.y, curve.slopes, curve.count, static_cast<double>(x[i]));
    Op::Apply(result[i], IsNan(x[i]) ? curve.missing : value);
  }
}

/// A curve over a block's rows: in whole cache lines, then what is left.
template <class Op, class Fx, std::size_t K, class T>
void PwlBlock(const Tables& curve, const T* x, std::size_t rows, bool vector_log, double* result) noexcept {
  std::size_t whole = 0;
  if constexpr (K <= kMostChosen) {
    whole = rows / kLine * kLine;
    if constexpr (std::is_same_v<Fx, Identity>) {
      ChosenBlock<Op, K, true>(curve, x, x, whole, result);
    } else {
      double at[kBlock];
      TransformBlock<Fx>(curve, x, whole, vector_log, at);
      ChosenBlock<Op, K, false>(curve, x, at, whole, result);
    }
  }
  SearchedBlock<Op, Fx>(curve, x + whole, rows - whole, result + whole);
}

/// A step curve row by row.
template <class Op>
void StepBlock(const double* cuts, const double* values, std::size_t count, double missing, const double* x,
               std::size_t rows, double* result) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    Op::Apply(result[i], IsNan(x[i]) ? missing : values[CountUpTo(cuts, count, x[i])]);
  }
}

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_KERNELS_HPP
