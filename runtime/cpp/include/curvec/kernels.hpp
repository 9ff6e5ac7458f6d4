// Curves over a block of rows: no branch on a row's value, several rows at once, and the bits of the one-row form.
#ifndef CURVEC_KERNELS_HPP
#define CURVEC_KERNELS_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/cut_finder.hpp>
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

/// The doubles of a cache line of 64 bytes. Vectors have 1, 2, 4 or 8 lanes, so that so many rows are whole vectors.
inline constexpr std::size_t kLine = 8;

/// Curves of at most so many points are evaluated by choosing among all their segments, others by a search. 15 points
/// are 14 segments; with what is above the points, and what is missing, they fill the 16 entries of a SegmentTable.
inline constexpr std::size_t kMostChosen = 15;

/// The tables of a curve, `count` numbers each.
struct Tables {
  const double* x;
  const double* u;  // fx(x)
  const double* y;
  const double* slopes;  // from a point to the next one, in y over u; the last is 0
  std::size_t count;
  double missing;
};

/// Asks for this column's part of the next block while one block is evaluated. A processor notices by itself that an
/// array is read from front to back, but not beyond the page of memory (4 KB on x86-64) that it is in, and with some
/// columns more than that lies between a column's blocks.
template <class T>
void PrefetchNextBlock(const T* x) noexcept {
  PrefetchAfter(x, kBlock * sizeof(T));
}

#if defined(CURVEC_LOOKUP)

/// The values of 8 rows at a time, whose segments a SegmentFinder has found.
template <std::size_t K, bool kIdentity>
class Lookup {
 public:
  explicit Lookup(const Tables& curve) noexcept
      : u_(kIdentity ? curve.x : curve.u, kIdentity ? std::numeric_limits<double>::infinity() : 0.0, 0.0),
        y_(curve.y, curve.y[K - 1], curve.missing),
        slopes_(curve.slopes, 0.0, 0.0) {}

  template <class T>
  void Values(const __m256i& segments, const T* fx_of_x, Lanes& first, Lanes& second) const noexcept {
    Lanes u[2], u_k[2], y_k[2], slope[2];
    Load(fx_of_x, u[0]);
    Load(fx_of_x + kLanes, u[1]);
    u_.Choose(segments, u_k[0], u_k[1]);
    y_.Choose(segments, y_k[0], y_k[1]);
    slopes_.Choose(segments, slope[0], slope[1]);
    Line(u[0], u_k[0], y_k[0], slope[0], first);
    Line(u[1], u_k[1], y_k[1], slope[1], second);
  }

 private:
  /// The contract's y_k + s_k (u - u_k). With a logarithm x was clamped before it was taken. With the identity nothing
  /// was, and the distance u - u_k is made 0 where the curve is constant instead: it is negative below the points;
  /// -infinity above them, where u_k is infinity, or NaN where u is, too; and NaN where u is missing. Of a NaN and 0
  /// _mm256_max_pd gives its second operand, 0. (With a logarithm the
  /// distance stays as it is, as it does in the one-row form: where this machine's log is less than the emitter's, of
  /// which u_k is, it may be negative by an ULP of u.)
  static void Line(const Lanes& u, const Lanes& u_k, const Lanes& y_k, const Lanes& slope, Lanes& value) noexcept {
    Lanes distance = u - u_k;
    if constexpr (kIdentity) distance = _mm256_max_pd(distance, Lanes{});
    const Lanes rise = slope * distance;  // a statement of its own: clang contracts within one
    value = y_k + CURVEC_ROUNDED(rise);
  }
  SegmentTable<K + 1> u_, y_, slopes_;
};

/// A curve of K points over rows in eights; `fx_of_x` is fx of the clamped x, or with the identity x itself. The
/// segments are found in a loop of their own: in one loop the instructions for 8 rows would be more than a processor
/// looks ahead over, so that it could not begin the next rows while it waits for the results of these.
template <class Op, std::size_t K, bool kIdentity, class T, class U>
void ChosenBlock(const Tables& curve, const T* x, const U* fx_of_x, std::size_t rows, double* result) noexcept {
  using Finder = SegmentFinder<K, T>;
  __m256i sums[kBlock / Finder::kRows];
  const Finder finder(curve.x);
  for (std::size_t i = 0; i < rows; i += kLookupRows) {
    for (std::size_t j = i; j < i + kLookupRows; j += Finder::kRows) finder.Find(x + j, sums[j / Finder::kRows]);
  }
  const Lookup<K, kIdentity> lookup(curve);
  for (std::size_t i = 0; i < rows; i += kLookupRows) {
    PrefetchNextBlock(x + i);
    __m256i segments;
    Finder::Join(sums + i / Finder::kRows, segments);
    Lanes value[2];
    lookup.Values(segments, fx_of_x + i, value[0], value[1]);
    for (std::size_t j = 0; j < 2; ++j) ApplyTo<Op>(result + i + j * kLanes, value[j]);
  }
}

#else

/// The tables of a curve of K points as vectors, and their use for one vector of rows: from the first segment on, each
/// point at or below x replaces the numbers by those of the segment that it begins.
template <std::size_t K, bool kIdentity, class Index = std::make_index_sequence<K>>
struct Chooser;

template <std::size_t K, bool kIdentity, std::size_t... I>
struct Chooser<K, kIdentity, std::index_sequence<I...>> {
  explicit Chooser(const Tables& curve) noexcept
      // a number minus a vector of zeros is a vector of that number
      : x{curve.x[I] - Lanes{}...},
        u{curve.u[I] - Lanes{}...},
        y{curve.y[I] - Lanes{}...},
        slopes{curve.slopes[I] - Lanes{}...},
        missing(curve.missing - Lanes{}) {}

  /// The curve at `row_x`, where `fx_of_x` is fx of it, clamped; with the identity it need not be clamped.
  void Value(const Lanes& row_x, const Lanes& fx_of_x, Lanes& value) const noexcept {
    Lanes y_k = y[0];
    Lanes slope = slopes[0];
    Lanes u_k = kIdentity ? x[0] : u[0];
    (Choose<I>(row_x, y_k, slope, u_k), ...);
    Lanes distance = fx_of_x - u_k;
    if constexpr (kIdentity) distance = distance > 0.0 ? distance : Lanes{};  // below the points
    const Lanes rise = slope * distance;  // a statement of its own: clang contracts within one
    value = y_k + CURVEC_ROUNDED(rise);
    value = row_x >= x[K - 1] ? y[K - 1] : value;
    value = row_x == row_x ? value : missing;
  }

  template <std::size_t k>
  void Choose(const Lanes& row_x, Lanes& y_k, Lanes& slope, Lanes& u_k) const noexcept {
    if constexpr (k > 0 && k + 1 < K) {
      y_k = row_x >= x[k] ? y[k] : y_k;
      slope = row_x >= x[k] ? slopes[k] : slope;
      u_k = row_x >= x[k] ? (kIdentity ? x[k] : u[k]) : u_k;  // with the identity u is x, which is in a register
    }
  }

  Lanes x[K], u[K], y[K], slopes[K], missing;
};

/// A curve of K points over whole cache lines of rows; `fx_of_x` is fx of the clamped x, or with the identity x itself.
template <class Op, std::size_t K, bool kIdentity, class T, class U>
void ChosenBlock(const Tables& curve, const T* x, const U* fx_of_x, std::size_t rows, double* result) noexcept {
  const Chooser<K, kIdentity> chooser(curve);
  for (std::size_t i = 0; i < rows; i += kLine) {
    PrefetchNextBlock(x + i);
    for (std::size_t j = i; j < i + kLine; j += kLanes) {
      Lanes row_x, row_fx, value;
      Load(x + j, row_x);
      Load(fx_of_x + j, row_fx);
      chooser.Value(row_x, row_fx, value);
      ApplyTo<Op>(result + j, value);
    }
  }
}

#endif

/// fx of whole cache lines of rows, clamped to the curve's points; a NaN becomes the first of them.
template <class Fx>
void TransformBlock(const Tables& curve, const double* x, std::size_t rows, bool vector_log, double* fx_of_x) noexcept {
  const double low = curve.x[0];
  const double high = curve.x[curve.count - 1];
  const bool has_vector_form = HasVectorForm(Fx{}, low);
#if defined(CURVEC_PLATFORM_LOG)
  if constexpr (HasVectorForm(Fx{}, kLeastNormal)) {
    if (!vector_log && has_vector_form) return Transformer<Fx>(low, high).Transform(x, rows, fx_of_x);
  }
#endif
  for (std::size_t i = 0; i < rows; ++i) {
    const double at_least_low = x[i] > low ? x[i] : low;
    fx_of_x[i] = at_least_low < high ? at_least_low : high;
  }
  if (!vector_log || !has_vector_form) {
    for (std::size_t i = 0; i < rows; ++i) fx_of_x[i] = Fx::Forward(fx_of_x[i]);
    return;
  }
  for (std::size_t i = 0; i < rows; i += kLanes) {
    Lanes value;
    Load(fx_of_x + i, value);
    TransformOf(Fx{}, value, value);
    Store(value, fx_of_x + i);
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
      double fx_of_x[kBlock];
      TransformBlock<Fx>(curve, x, whole, vector_log, fx_of_x);
      ChosenBlock<Op, K, false>(curve, x, fx_of_x, whole, result);
    }
  }
  SearchedBlock<Op, Fx>(curve, x + whole, rows - whole, result + whole);
}

/// A line row by row.
template <class Op>
void LineBlock(double coefficient, double missing, const double* x, std::size_t rows, double* result) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    const double product = CURVEC_ROUNDED(coefficient * x[i]);
    Op::Apply(result[i], IsNan(x[i]) ? missing : product);
  }
}

/// The values of a curve at x, replaced where x is a special code.
inline void SpecialBlock(const double* codes, const double* values, std::size_t count, const double* x,
                         std::size_t rows, double* result) noexcept {
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < rows; ++i) result[i] = Equal(x[i], codes[k]) ? values[k] : result[i];
  }
}

/// A step curve row by row.
template <class Op>
void StepBlock(const double* cuts, const double* values, std::size_t count, double missing, const double* x,
               std::size_t rows, double* result) noexcept {
#if defined(CURVEC_CUT_FINDER)
  if (count >= CutFinder::kFewest && count <= CutFinder::kMost && rows >= CutFinder::kFewestRows) {
    const CutFinder finder(cuts, count);
    for (std::size_t i = 0; i < rows; ++i) {
      Op::Apply(result[i], IsNan(x[i]) ? missing : values[finder.Count(x[i])]);
    }
    return;
  }
#endif
  for (std::size_t i = 0; i < rows; ++i) {
    Op::Apply(result[i], IsNan(x[i]) ? missing : values[CountUpTo(cuts, count, x[i])]);
  }
}

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_KERNELS_HPP
