// Curves over a block of rows: no branch on a row's value, several rows at once, and the bits of the one-row form.
#ifndef CURVEC_KERNELS_HPP
#define CURVEC_KERNELS_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <curvec/pwl_curve.hpp>
#include <curvec/step_curve.hpp>
#include <curvec/transforms.hpp>
#include <utility>

namespace curvec {
inline namespace CURVEC_ABI {

/// The rows of a block: a column's part of it is a page, and what is summed stays in the first-level cache.
inline constexpr std::size_t kBlock = 512;

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

/// The tables of a curve of K points in vectors, and their use for one vector of rows.
template <std::size_t K, class Index = std::make_index_sequence<K>>
struct Chooser;

template <std::size_t K, std::size_t... I>
struct Chooser<K, std::index_sequence<I...>> {
  explicit Chooser(const double* x_knots, const double* u_knots, const double* y_knots, const double* slopes,
                   double missing_value) noexcept
      // a number minus a vector of zeros is a vector of that number, its sign kept
      : x{x_knots[I] - Lanes{}...},
        u{u_knots[I] - Lanes{}...},
        y{y_knots[I] - Lanes{}...},
        s{slopes[I] - Lanes{}...},
        missing(missing_value - Lanes{}) {}

  /// x within the points; a NaN becomes the first x.
  void Clamp(Lanes& value) const noexcept {
    value = value > x[0] ? value : x[0];
    value = value < x[K - 1] ? value : x[K - 1];
  }

  /// The curve where x was clamped to `clamped` and fx of that is `at`.
  void Value(const Lanes& raw, const Lanes& clamped, const Lanes& at, Lanes& value) const noexcept {
    Lanes y_k = y[0];
    Lanes s_k = s[0];
    Lanes u_k = u[0];
    (Choose<I>(clamped, y_k, s_k, u_k), ...);
    value = y_k + CURVEC_ROUNDED(s_k * (at - u_k));
    value = clamped >= x[K - 1] ? y[K - 1] : value;
    value = raw == raw ? value : missing;
  }

  template <std::size_t k>
  void Choose(const Lanes& clamped, Lanes& y_k, Lanes& s_k, Lanes& u_k) const noexcept {
    if constexpr (k > 0 && k + 1 < K) {
      y_k = clamped >= x[k] ? y[k] : y_k;
      s_k = clamped >= x[k] ? s[k] : s_k;
      u_k = clamped >= x[k] ? u[k] : u_k;
    }
  }

  Lanes x[K], u[K], y[K], s[K], missing;
};

/// fx over a block: `clamped` and fx of it, for a curve whose fx is not the identity.
template <class Fx>
void TransformBlock(const double* x, double low, double high, std::size_t rows, double* clamped, double* at) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    const double above = x[i] > low ? x[i] : low;
    clamped[i] = above < high ? above : high;
  }
  for (std::size_t i = 0; i < rows; ++i) at[i] = Fx::Forward(clamped[i]);
}

template <class Op, std::size_t K, class Fx>
void PwlBlock(const PWLCurve<K, Fx>& curve, const double* x, std::size_t rows, double* result) noexcept {
  constexpr std::size_t kStep = 8;  // a cache line
  const std::size_t whole = K <= kMostChosen ? rows / kStep * kStep : 0;
  if constexpr (K <= kMostChosen) {
    const Chooser<K> chooser(curve.x(), curve.u(), curve.y(), curve.slopes(), curve.missing());
    constexpr bool kIdentity = std::is_same_v<Fx, Identity>;
    double clamped[kIdentity ? 1 : kBlock];
    double at[kIdentity ? 1 : kBlock];
    if constexpr (!kIdentity) TransformBlock<Fx>(x, curve.x()[0], curve.x()[K - 1], whole, clamped, at);
    for (std::size_t i = 0; i < whole; i += kStep) {
      Prefetch(x + i + kBlock);  // this column's part of the next block, whose page no stream of the processor follows
      for (std::size_t j = i; j < i + kStep; j += kLanes) {
        Lanes raw, inside, transformed, value, sum;
        Load(x + j, raw);
        if constexpr (kIdentity) {
          inside = raw;
          chooser.Clamp(inside);
          transformed = inside;
        } else {
          Load(clamped + j, inside);
          Load(at + j, transformed);
        }
        chooser.Value(raw, inside, transformed, value);
        Load(result + j, sum);
        Op::Apply(sum, value);
        Store(sum, result + j);
      }
    }
  }
  for (std::size_t i = whole; i < rows; ++i) Op::Apply(result[i], curve.Eval(x[i]));
}

template <class Op, std::size_t K>
void StepBlock(const StepCurve<K>& curve, const double* x, std::size_t rows, double* result) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    Prefetch(x + i + kBlock);
    Op::Apply(result[i], curve.Eval(x[i]));
  }
}

}  // namespace detail
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_KERNELS_HPP
