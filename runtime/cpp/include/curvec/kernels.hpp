// Curves over a block of rows: no branch on a row's value, several rows at once, and the bits of the one-row form.
#ifndef CURVEC_KERNELS_HPP
#define CURVEC_KERNELS_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <curvec/pwl_curve.hpp>
#include <curvec/transforms.hpp>
#include <curvec/vector_log.hpp>
#include <type_traits>
#include <utility>

namespace curvec {
inline namespace CURVEC_ABI {

/// The rows of a block: with 20 columns, this block's and the next one's parts stay in the first-level cache.
inline constexpr std::size_t kBlock = 256;

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

/// Curves of at most so many points are evaluated by choosing among all their segments, others by a search.
inline constexpr std::size_t kMostChosen = 16;

/// The tables of a curve, K numbers each, the last slope 0.
struct Tables {
  const double* x;
  const double* u;
  const double* y;
  const double* slopes;
  std::size_t count;
  double missing;
};

/// The tables of a curve of K points as vectors, and their use for one vector of rows.
template <std::size_t K, bool kIdentity, class Index = std::make_index_sequence<K>>
struct Chooser;

template <std::size_t K, bool kIdentity, std::size_t... I>
struct Chooser<K, kIdentity, std::index_sequence<I...>> {
  explicit Chooser(const Tables& curve) noexcept
      // a number minus a vector of zeros is a vector of that number, its sign kept
      : x{curve.x[I] - Lanes{}...},
        u{curve.u[I] - Lanes{}...},
        y{curve.y[I] - Lanes{}...},
        s{curve.slopes[I] - Lanes{}...},
        missing(curve.missing - Lanes{}) {}

  /// x where it is not below the points; a NaN becomes the first x. (Above them fx is taken and not used.)
  void Clamp(Lanes& value) const noexcept { value = value > x[0] ? value : x[0]; }

  /// The curve where x was clamped to `clamped` and fx of that is `at`.
  void Value(const Lanes& raw, const Lanes& clamped, const Lanes& at, Lanes& value) const noexcept {
    Lanes y_k = y[0];
    Lanes s_k = s[0];
    Lanes u_k = kIdentity ? x[0] : u[0];
    (Choose<I>(clamped, y_k, s_k, u_k), ...);
    const Lanes rise = s_k * (at - u_k);  // a statement of its own: clang contracts within one
    value = y_k + CURVEC_ROUNDED(rise);
    value = clamped >= x[K - 1] ? y[K - 1] : value;
    value = raw == raw ? value : missing;
  }

  template <std::size_t k>
  void Choose(const Lanes& clamped, Lanes& y_k, Lanes& s_k, Lanes& u_k) const noexcept {
    if constexpr (k > 0 && k + 1 < K) {
      y_k = clamped >= x[k] ? y[k] : y_k;
      s_k = clamped >= x[k] ? s[k] : s_k;
      u_k = clamped >= x[k] ? (kIdentity ? x[k] : u[k]) : u_k;  // vectors are scarce, and u is x
    }
  }

  Lanes x[K], u[K], y[K], s[K], missing;
};

inline constexpr std::size_t kLine = 8;  // the doubles of a cache line

/// Calls use(i, j) for each vector of rows, the first of a cache line at i = j.
template <class Op, class T, class Use>
void EachVector(const T* x, std::size_t rows, double* result, const Use& use) noexcept {
  for (std::size_t i = 0; i < rows; i += kLine) {
    Prefetch(x + i + kBlock);  // this column's part of the next block, whose page no stream of the processor follows
    for (std::size_t j = i; j < i + kLine; j += kLanes) {
      Lanes raw, value, sum;
      Load(x + j, raw);
      use(j, raw, value);
      Load(result + j, sum);
      Op::Apply(sum, value);
      Store(sum, result + j);
    }
  }
}

/// A curve of K points over whole cache lines of rows, fx taken of several at once.
template <class Op, class Fx, std::size_t K, class T>
void ChosenBlock(const Tables& curve, const T* x, std::size_t rows, double* result) noexcept {
  const Chooser<K, std::is_same_v<Fx, Identity>> chooser(curve);
  EachVector<Op>(x, rows, result, [&chooser](std::size_t, const Lanes& raw, Lanes& value) {
    Lanes clamped = raw;
    Lanes at;
    chooser.Clamp(clamped);
    TransformOf(Fx{}, clamped, at);
    chooser.Value(raw, clamped, at, value);
  });
}

/// The same with fx of one row after the other, as the one-row form takes it.
template <class Op, class Fx, std::size_t K>
void TransformedBlock(const Tables& curve, const double* x, std::size_t rows, double* result) noexcept {
  double clamped[kBlock];
  double at[kBlock];
  for (std::size_t i = 0; i < rows; ++i) clamped[i] = x[i] > curve.x[0] ? x[i] : curve.x[0];
  for (std::size_t i = 0; i < rows; ++i) at[i] = Fx::Forward(clamped[i]);
  const Chooser<K, false> chooser(curve);
  EachVector<Op>(x, rows, result, [&](std::size_t j, const Lanes& raw, Lanes& value) {
    Lanes inside, transformed;
    Load(clamped + j, inside);
    Load(at + j, transformed);
    chooser.Value(raw, inside, transformed, value);
  });
}

/// A curve row by row: what is left of a block, and curves of many points.
template <class Op, class Fx, class T>
void SearchedBlock(const Tables& curve, const T* x, std::size_t rows, double* result) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    const double value = PwlValue<Fx>(curve.x, curve.u, curve.y, curve.slopes, curve.count, static_cast<double>(x[i]));
    Op::Apply(result[i], x[i] != x[i] ? curve.missing : value);
  }
}

template <class Op, class Fx, std::size_t K>
void PwlBlock(const Tables& curve, const double* x, std::size_t rows, bool vector_log, double* result) noexcept {
  std::size_t whole = 0;
  if constexpr (K <= kMostChosen) {
    whole = rows / kLine * kLine;
    if (std::is_same_v<Fx, Identity> || (vector_log && HasVectorForm(Fx{}, curve.x[0]))) {
      ChosenBlock<Op, Fx, K>(curve, x, whole, result);
    } else {
      TransformedBlock<Op, Fx, K>(curve, x, whole, result);
    }
  }
  SearchedBlock<Op, Fx>(curve, x + whole, rows - whole, result + whole);
}

/// A step curve row by row.
template <class Op>
void StepBlock(const double* cuts, const double* values, std::size_t count, double missing, const double* x,
               std::size_t rows, double* result) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    Op::Apply(result[i], x[i] != x[i] ? missing : values[CountUpTo(cuts, count, x[i])]);
  }
}

}  // namespace detail
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_KERNELS_HPP
