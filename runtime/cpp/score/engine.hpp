// The evaluation of a program, block by block. Compiled once for each instruction set, under a CURVEC_ABI of its own;
// it calls nothing of the standard library that could be shared between them.
#pragma once

#include <curvec/kernels.hpp>
#include <curvec/sums.hpp>
#include <utility>

#include "score/program.hpp"

namespace curvec {
inline namespace CURVEC_ABI {
namespace engine {

using score::Column;
using score::Fx;
using score::Kind;
using score::Node;
using score::Task;
using score::Type;

/// The rows that are evaluated together.
struct Rows {
  const Column* columns;
  std::size_t first;
  std::size_t count;
};

/// A column's numbers of type T as doubles. Each is copied byte by byte, as it need not be aligned.
template <class T>
void Widen(const Column& column, const Rows& rows, double* to) noexcept {
  const char* from = column.data + static_cast<std::ptrdiff_t>(rows.first) * column.stride;
  for (std::size_t i = 0; i < rows.count; ++i) {
    T value;
    std::memcpy(&value, from + static_cast<std::ptrdiff_t>(i) * column.stride, sizeof value);
    to[i] = static_cast<double>(value);
  }
}

/// A column's part as doubles: where they are, or widened into `buffer`.
inline const double* Numbers(const Column& column, const Rows& rows, double* buffer) noexcept {
  switch (column.type) {
    case Type::kFloat64:
      if (column.stride == sizeof(double)) return reinterpret_cast<const double*>(column.data) + rows.first;
      Widen<double>(column, rows, buffer);
      break;
    case Type::kFloat32:
      Widen<float>(column, rows, buffer);
      break;
    case Type::kInt64:
      Widen<std::int64_t>(column, rows, buffer);
      break;
    case Type::kInt32:
      Widen<std::int32_t>(column, rows, buffer);
      break;
    case Type::kInt16:
      Widen<std::int16_t>(column, rows, buffer);
      break;
    case Type::kInt8:
      Widen<std::int8_t>(column, rows, buffer);
      break;
    case Type::kUint32:
      Widen<std::uint32_t>(column, rows, buffer);
      break;
    case Type::kUint16:
      Widen<std::uint16_t>(column, rows, buffer);
      break;
    case Type::kUint8:
      Widen<std::uint8_t>(column, rows, buffer);
      break;
  }
  return buffer;
}

/// A curve of as many points as its table says. PwlBlock is compiled for each number of points from 2 to kMostChosen,
/// so that its tables stay in registers: K is 0, 1, ..., kMostChosen - 2, and the block for K + 2 points is called
/// where the curve has so many. A curve of more points is searched row by row.
template <class Op, class FxType, std::size_t... K>
void PwlOfCount(const detail::Tables& curve, const double* x, std::size_t rows, double* out,
                std::index_sequence<K...>) noexcept {
  constexpr std::size_t kLeastPoints = 2;
  const bool chosen = ((curve.count == K + kLeastPoints
                            ? (detail::PwlBlock<Op, FxType, K + kLeastPoints>(curve, x, rows, false, out), true)
                            : false) ||
                       ...);
  if (!chosen) detail::SearchedBlock<Op, FxType>(curve, x, rows, out);
}

template <class Op>
void Pwl(const Node& node, const double* x, std::size_t rows, double* out) noexcept {
  const detail::Tables curve{node.x, node.u, node.y, node.slopes, node.count, node.missing};
  constexpr auto kCounts = std::make_index_sequence<detail::kMostChosen - 1>{};
  switch (node.fx) {
    case Fx::kIdentity:
      return PwlOfCount<Op, Identity>(curve, x, rows, out, kCounts);
    case Fx::kLog:
      return PwlOfCount<Op, Log>(curve, x, rows, out, kCounts);
    case Fx::kLog1p:
      return PwlOfCount<Op, Log1p>(curve, x, rows, out, kCounts);
    case Fx::kSymLog1p:
      return PwlOfCount<Op, SymLog1p>(curve, x, rows, out, kCounts);
  }
}

/// A table of categories: its values stand after those for missing and unseen, whose codes are -2 and -1.
template <class Op>
void Levels(const Node& node, const Rows& rows, double* out) noexcept {
  const auto* codes = reinterpret_cast<const std::int32_t*>(rows.columns[node.column].data) + rows.first;
  for (std::size_t i = 0; i < rows.count; ++i) Op::Apply(out[i], node.y[codes[i] + 2]);
}

template <class Op>
void Evaluate(const Node& node, const Rows& rows, double* out) noexcept;

/// Terms [0, count) in the contract's groups of 25, set or added to what is in `out`.
inline void Sum(const Node* terms, std::size_t count, bool started, const Rows& rows, double* out) noexcept {
  for (std::size_t i = 0; i < count && i < kGroup; ++i) {
    if (i == 0 && !started) {
      Evaluate<detail::Set>(terms[i], rows, out);
    } else {
      Evaluate<detail::Add>(terms[i], rows, out);
    }
  }
  if (count <= kGroup) return;
  double group[kBlock];
  for (std::size_t first = kGroup; first < count; first += kGroup) {
    const std::size_t size = count - first < kGroup ? count - first : kGroup;
    Sum(terms + first, size, false, rows, group);
    for (std::size_t i = 0; i < rows.count; ++i) out[i] += group[i];
  }
}

/// The value of a sum or a product by itself, before it is added to others or multiplied.
inline void Inside(const Node& node, const Rows& rows, double* out) noexcept {
  if (node.kind == Kind::kSum) return Sum(node.children, node.children_count, false, rows, out);
  Evaluate<detail::Set>(node.children[0], rows, out);
  for (std::size_t i = 1; i < node.children_count; ++i) Evaluate<detail::Multiply>(node.children[i], rows, out);
}

/// A term's values, by which Op changes what is in `out`.
template <class Op>
void Evaluate(const Node& node, const Rows& rows, double* out) noexcept {
  double buffer[kBlock];
  switch (node.kind) {
    case Kind::kLevels:
      return Levels<Op>(node, rows, out);
    case Kind::kLine:
    case Kind::kPwl:
    case Kind::kStep: {
      const Node& inner = node.children[0];
      const double* x = buffer;
      if (inner.kind == Kind::kNumber) {
        x = Numbers(rows.columns[inner.column], rows, buffer);
      } else {
        Evaluate<detail::Set>(inner, rows, buffer);
      }
      if (node.kind == Kind::kPwl) return Pwl<Op>(node, x, rows.count, out);
      if (node.kind == Kind::kLine) return detail::LineBlock<Op>(node.y[0], node.missing, x, rows.count, out);
      return detail::StepBlock<Op>(node.x, node.y, node.count, node.missing, x, rows.count, out);
    }
    default:
      Inside(node, rows, buffer);
      for (std::size_t i = 0; i < rows.count; ++i) Op::Apply(out[i], buffer[i]);
  }
}

/// All blocks of a task. Scores begin as the intercept, to which the terms are added.
inline void Run(const Task& task) {
  for (std::size_t first = task.first; first < task.last; first += kBlock) {
    const std::size_t count = task.last - first < kBlock ? task.last - first : kBlock;
    const Rows rows{task.columns, first, count};
    if (task.per_term) {
      for (std::size_t term = 0; term < task.terms_count; ++term) {
        Evaluate<detail::Set>(task.terms[term], rows, task.out + term * task.rows + first);
      }
    } else {
      double* out = task.out + first;
      for (std::size_t i = 0; i < count; ++i) out[i] = task.intercept;
      Sum(task.terms, task.terms_count, true, rows, out);
    }
  }
}

}  // namespace engine
}  // namespace CURVEC_ABI
}  // namespace curvec
