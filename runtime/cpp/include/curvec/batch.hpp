// Scoring many rows: block by block, a term at a time, without allocation.
#ifndef CURVEC_BATCH_HPP
#define CURVEC_BATCH_HPP

#include <cstddef>
#include <cstdint>
#include <curvec/columns.hpp>
#include <curvec/config.hpp>
#include <curvec/enum_curve.hpp>
#include <curvec/kernels.hpp>
#include <curvec/line.hpp>
#include <curvec/pwl_curve.hpp>
#include <curvec/special_codes.hpp>
#include <curvec/step_curve.hpp>
#include <string_view>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

/// How a batch is scored.
struct BatchOptions {
  /// Takes logarithms several at once without regard to std::log, whose bits, as in the one-row form, they have by
  /// default: log is within 1 ULP, log1p and symlog1p within 2.5. Only curves of up to 15 points with a logarithm
  /// change: a value by at most its slope times a few ULP of fx(x), also at a point.
  bool vector_log = false;
};

/// A block of the rows [first, last), of at most kBlock rows: `count` from `first` on. A loop over the blocks is
/// `for (Rows rows(first, last); rows.count != 0; rows.Next())`.
struct Rows {
  Rows(std::size_t begin, std::size_t end, BatchOptions how = {}) noexcept
      : first(begin), last(end), count(Count()), options(how) {}
  void Next() noexcept {
    first += count;
    count = Count();
  }
  [[nodiscard]] std::size_t Count() const noexcept { return last - first < kBlock ? last - first : kBlock; }
  std::size_t first;
  std::size_t last;
  std::size_t count;
  BatchOptions options;
};

namespace detail {

/// The block's part of a column as doubles: where they are, or converted into `buffer`.
[[nodiscard]] inline const double* Doubles(const Numbers& column, const Rows& rows, double* buffer) noexcept {
  if (const double* values = ArrayFrom<double>(column.raw(), rows.first)) return values;
  NumbersFrom(column.raw(), rows.first, rows.count, buffer);
  return buffer;
}

template <class Op, std::size_t K, class Fx>
void CurveBlock(const PWLCurve<K, Fx>& curve, const double* x, const Rows& rows, double* result) noexcept {
  const Tables tables{curve.x(), curve.u(), curve.y(), curve.slopes(), K, curve.missing()};
  PwlBlock<Op, Fx, K>(tables, x, rows.count, rows.options.vector_log, result);
}
template <class Op>
void CurveBlock(const Line& line, const double* x, const Rows& rows, double* result) noexcept {
  LineBlock<Op>(line.coefficient(), line.missing(), x, rows.count, result);
}
template <class Op, std::size_t K>
void CurveBlock(const StepCurve<K>& curve, const double* x, const Rows& rows, double* result) noexcept {
  StepBlock<Op>(curve.cuts(), curve.values(), K, curve.missing(), x, rows.count, result);
}

template <class Op, class Curve, std::size_t N>
void CurveBlock(const SpecialCodes<Curve, N>& special, const double* x, const Rows& rows, double* result) noexcept {
  double values[kBlock];
  CurveBlock<Set>(special.curve(), x, rows, values);
  SpecialBlock(special.codes(), special.values(), N, x, rows.count, values);
  for (std::size_t i = 0; i < rows.count; ++i) Op::Apply(result[i], values[i]);
}

/// A curve over a column of float, each widened to double as it is read: without a copy of the block as doubles. False,
/// and nothing is done, where the column is no array of float or the curve has too many points to be chosen among.
template <class Op, std::size_t K>
bool FloatsBlock(const PWLCurve<K>& curve, const Numbers& column, const Rows& rows, double* result) noexcept {
  const float* x = ArrayFrom<float>(column.raw(), rows.first);
  if (K > kMostChosen || x == nullptr) return false;
  const Tables tables{curve.x(), curve.u(), curve.y(), curve.slopes(), K, curve.missing()};
  PwlBlock<Op, Identity, K>(tables, x, rows.count, false, result);
  return true;
}
template <class Op, class Curve>
bool FloatsBlock(const Curve& /*curve*/, const Numbers& /*column*/, const Rows& /*rows*/, double* /*result*/) noexcept {
  return false;
}

/// Text with codes into a dictionary: the values of the first 256 codes, which are all that most columns have, are
/// found once a block, and by code for every further row. They take 2 KB of the stack, and a flag each.
template <class Op, class Curve>
void CodesBlock(const Curve& curve, const Keys<std::string_view>& column, const Rows& rows, double* result) noexcept {
  constexpr std::size_t kRemembered = 256;
  double values[kRemembered];
  bool known[kRemembered] = {};
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t row = rows.first + i;
    const auto code = static_cast<std::uint32_t>(ValueAt<std::int32_t>(column.raw(), row));
    if (code < kRemembered && IsValid(column.raw(), row)) {
      if (!known[code]) values[code] = curve.Eval(column.At(row));
      known[code] = true;
      Op::Apply(result[i], values[code]);
    } else {
      Op::Apply(result[i], curve.Eval(column.At(row)));
    }
  }
}

}  // namespace detail

/// The values of a block's rows while terms are put together: set to one, added to, multiplied.
class Block {
 public:
  Block(const Rows& rows, double* values) noexcept : rows_(rows), values_(values) {}

  void Set(double value) noexcept {
    for (std::size_t i = 0; i < rows_.count; ++i) values_[i] = value;
  }
  template <class... Term>
  void Set(const Term&... term) noexcept {
    Combine<detail::Set>(term...);
  }
  template <class... Term>
  void Add(const Term&... term) noexcept {
    Combine<detail::Add>(term...);
  }
  template <class... Term>
  void Multiply(const Term&... term) noexcept {
    Combine<detail::Multiply>(term...);
  }

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] double* values() const noexcept { return values_; }

  /// What Set, Add and Multiply do, as detail::Set, detail::Add and detail::Multiply. A call is for many rows, so that
  /// its own time does not count; inlined, the loops of some hundred terms in one function take compilers minutes.
  template <class Op, class Curve>
  CURVEC_NOT_INLINED void Combine(const Curve& curve, const Numbers& column) noexcept {
    if (detail::FloatsBlock<Op>(curve, column, rows_, values_)) return;
    using detail::CurveBlock;  // or that of the curve's own header
    double buffer[kBlock];
    CurveBlock<Op>(curve, detail::Doubles(column, rows_, buffer), rows_, values_);
  }
  template <class Op, class Curve>
  CURVEC_NOT_INLINED void Combine(const Curve& curve, const Block& inner) noexcept {
    using detail::CurveBlock;
    CurveBlock<Op>(curve, inner.values_, rows_, values_);
  }
  template <class Op, class Curve, class Key>
  CURVEC_NOT_INLINED void Combine(const Curve& curve, const Keys<Key>& column) noexcept {
    if constexpr (std::is_same_v<Key, std::string_view>) {
      if (column.raw().storage == CURVEC_TEXT_CODES) return detail::CodesBlock<Op>(curve, column, rows_, values_);
    }
    for (std::size_t i = 0; i < rows_.count; ++i) Op::Apply(values_[i], curve.Eval(column.At(rows_.first + i)));
  }
  template <class Op>
  CURVEC_NOT_INLINED void Combine(const Numbers& column) noexcept {
    double buffer[kBlock];
    const double* x = detail::Doubles(column, rows_, buffer);
    for (std::size_t i = 0; i < rows_.count; ++i) Op::Apply(values_[i], x[i]);
  }
  template <class Op>
  CURVEC_NOT_INLINED void Combine(const Block& inner) noexcept {
    for (std::size_t i = 0; i < rows_.count; ++i) Op::Apply(values_[i], inner.values_[i]);
  }

 private:
  Rows rows_;
  double* values_;
};

/// A block that holds its values itself, for what is inside of a term: the sum that a curve is of, the factors of a
/// product.
class Buffer : public Block {
 public:
  explicit Buffer(const Rows& rows) noexcept : Block(rows, values_of_block_) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

 private:
  double values_of_block_[kBlock];
};

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_BATCH_HPP
