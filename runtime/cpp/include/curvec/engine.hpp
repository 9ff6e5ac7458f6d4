// Runs a program (nodes.hpp) block by block, with what the batch functions of emitted models are made of (batch.hpp),
// and therefore with their bits. It calls no function of the standard library that a linker would share between parts
// that were compiled for different instruction sets.
//
// A kind of node is added in three places: Kind in nodes.hpp, a function in program_reader.hpp that makes the node of
// its JSON, and a case of Evaluate here.
#ifndef CURVEC_ENGINE_HPP
#define CURVEC_ENGINE_HPP

#include <curvec/c_interface.h>

#include <cstddef>
#include <cstdint>
#include <curvec/batch.hpp>
#include <curvec/config.hpp>
#include <curvec/cut_places.hpp>
#include <curvec/line.hpp>
#include <curvec/nodes.hpp>
#include <curvec/sums.hpp>
#include <curvec/transforms.hpp>
#include <string_view>
#include <utility>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

/// A PWLCurve and a StepCurve with as many points and cuts as their tables say.
template <class Fx>
struct AnyPWLCurve {
  Tables tables;
};
struct AnyStepCurve {
  Tables tables;
  program::CutPlaces places;
};

/// PwlBlock is compiled for each number of points from 2 to kMostChosen, so that its tables stay in registers: K is 0,
/// 1, ..., kMostChosen - 2, and the block for K + 2 points is called where the curve has so many. A curve of more
/// points is searched row by row.
template <class Op, class Fx, std::size_t... K>
void PwlOfCount(const Tables& curve, const double* x, const Rows& rows, double* result,
                std::index_sequence<K...> /*counts*/) noexcept {
  constexpr std::size_t kLeastPoints = 2;
  const bool vector_log = rows.options.vector_log;
  const bool chosen = ((curve.count == K + kLeastPoints
                            ? (PwlBlock<Op, Fx, K + kLeastPoints>(curve, x, rows.count, vector_log, result), true)
                            : false) ||
                       ...);
  if (!chosen) SearchedBlock<Op, Fx>(curve, x, rows.count, result);
}
template <class Op, class Fx>
void CurveBlock(const AnyPWLCurve<Fx>& curve, const double* x, const Rows& rows, double* result) noexcept {
  PwlOfCount<Op, Fx>(curve.tables, x, rows, result, std::make_index_sequence<kMostChosen - 1>{});
}
template <class Op>
void CurveBlock(const AnyStepCurve& curve, const double* x, const Rows& rows, double* result) noexcept {
  const Tables& tables = curve.tables;
  const auto placed = [&](auto most) {
    PlacedStepBlock<Op, most>(curve.places, tables.x, tables.y, tables.missing, x, rows.count, result);
  };
  if (curve.places.most == 1) return placed(std::integral_constant<std::size_t, 1>{});
  if (curve.places.most == 2) return placed(std::integral_constant<std::size_t, 2>{});
  if (curve.places.most != 0) return placed(std::integral_constant<std::size_t, kMostPlacedCuts>{});
  StepBlock<Op>(tables.x, tables.y, tables.count, tables.missing, x, rows.count, result);
}

/// An EnumCurve over the levels of its feature, of which each has a code.
template <class Key, class Stored>
struct AnyEnumCurve {
  const Stored* levels;
  std::size_t count;
  const double* y;

  [[nodiscard]] double Eval(const Category<Key>& category) const noexcept {
    if (category.missing()) return ValueOf(program::kMissingCode);
    const std::size_t code = category.has_key() ? Find(levels, count, true, Stored{category.key()}) : count;
    return ValueOf(code < count ? static_cast<std::int32_t>(code) : program::kUnseenCode);
  }
  [[nodiscard]] double ValueOf(std::int32_t code) const noexcept { return y[code - program::kMissingCode]; }
};

template <class Op, class Key, class Stored>
void EvaluateLevels(const AnyEnumCurve<Key, Stored>& curve, const curvec_column& column, Block& result) noexcept {
  if (column.storage != CURVEC_LEVEL_CODES) return result.Combine<Op>(curve, Keys<Key>(column));
  const Rows& rows = result.rows();
  const auto* codes = static_cast<const std::int32_t*>(column.values) + rows.first;
  for (std::size_t i = 0; i < rows.count; ++i) Op::Apply(result.values()[i], curve.ValueOf(codes[i]));
}

template <class Op>
void Evaluate(const program::Node& node, const program::Task& task, Block& result) noexcept;

/// Adds the terms up in the contract's groups of 25: Op is what the first one does to `result`, Set or Add.
template <class Op>
void EvaluateSum(const program::Node* terms, std::size_t count, const program::Task& task, Block& result) noexcept {
  for (std::size_t i = 0; i < count && i < kGroup; ++i) {
    if (i == 0) {
      Evaluate<Op>(terms[i], task, result);
    } else {
      Evaluate<Add>(terms[i], task, result);
    }
  }
  if (count <= kGroup) return;
  Buffer group(result.rows());
  for (std::size_t first = kGroup; first < count; first += kGroup) {
    EvaluateSum<Set>(terms + first, count - first < kGroup ? count - first : kGroup, task, group);
    result.Add(group);
  }
}

/// A curve of a feature, or of the sum inside of it.
template <class Op, class Curve>
void EvaluateCurve(const Curve& curve, const program::Node& node, const program::Task& task, Block& result) noexcept {
  if (node.children_count == 0) return result.Combine<Op>(curve, Numbers(task.numbers[node.feature]));
  Buffer x(result.rows());
  Evaluate<Set>(node.children[0], task, x);
  result.Combine<Op>(curve, x);
}

/// A curve with special codes: the curve without them, then the codes.
template <class Op>
void EvaluateSpecial(const program::Node& node, const program::Task& task, Block& result) noexcept {
  program::Node plain = node;
  plain.codes_count = 0;
  Buffer values(result.rows());
  Evaluate<Set>(plain, task, values);
  Buffer x(result.rows());
  x.Set(Numbers(task.numbers[node.feature]));
  SpecialBlock(node.codes, node.code_values, node.codes_count, x.values(), result.rows().count, values.values());
  result.Combine<Op>(values);
}

/// The value of a node for each row of a block, by which Op changes what is in `result`.
template <class Op>
void Evaluate(const program::Node& node, const program::Task& task, Block& result) noexcept {
  if (node.codes_count != 0) return EvaluateSpecial<Op>(node, task, result);
  const Tables tables{node.x, node.u, node.y, node.slopes, node.count, node.missing};
  switch (node.kind) {
    case program::Kind::kLine:
      return EvaluateCurve<Op>(Line(node.y[0], Missing{node.missing}), node, task, result);
    case program::Kind::kPWLCurve:
      Transforms::With(node.fx,
                       [&](auto fx) { EvaluateCurve<Op>(AnyPWLCurve<decltype(fx)>{tables}, node, task, result); });
      return;
    case program::Kind::kStepCurve:
      return EvaluateCurve<Op>(AnyStepCurve{tables, node.places}, node, task, result);
    case program::Kind::kEnumCurve: {
      const program::Feature& feature = task.features[node.feature];
      const program::Levels& levels = feature.levels;
      const curvec_column& column = task.categories[node.feature];
      if (feature.type == CURVEC_INTEGER) {
        const AnyEnumCurve<std::int64_t, std::int64_t> curve{levels.numbers, levels.count, node.y};
        return EvaluateLevels<Op>(curve, column, result);
      }
      if (feature.type == CURVEC_BOOLEAN) {
        const AnyEnumCurve<bool, std::int64_t> curve{levels.numbers, levels.count, node.y};
        return EvaluateLevels<Op>(curve, column, result);
      }
      const AnyEnumCurve<std::string_view, std::string_view> curve{levels.texts, levels.count, node.y};
      return EvaluateLevels<Op>(curve, column, result);
    }
    case program::Kind::kSum: {
      Buffer sum(result.rows());
      EvaluateSum<Set>(node.children, node.children_count, task, sum);
      return result.Combine<Op>(sum);
    }
    case program::Kind::kProduct: {
      Buffer product(result.rows());
      Evaluate<Set>(node.children[0], task, product);
      for (std::size_t i = 1; i < node.children_count; ++i) Evaluate<Multiply>(node.children[i], task, product);
      return result.Combine<Op>(product);
    }
  }
}

}  // namespace detail

/// A task for the rows [first, last).
inline void RunTask(const program::Task& task, std::size_t first, std::size_t last,
                    BatchOptions options = {}) noexcept {
  for (Rows at(first, last, options); at.count != 0; at.Next()) {
    if (!task.per_term) {
      Block score(at, task.result + at.first);
      score.Set(task.intercept);
      detail::EvaluateSum<detail::Add>(task.terms, task.terms_count, task, score);
      continue;
    }
    for (std::size_t term = 0; term < task.terms_count; ++term) {
      double* result = task.result + at.first * task.row_stride + term * task.term_stride;
      if (task.row_stride == 1) {
        Block value(at, result);
        detail::Evaluate<detail::Set>(task.terms[term], task, value);
        continue;
      }
      Buffer value(at);
      detail::Evaluate<detail::Set>(task.terms[term], task, value);
      for (std::size_t i = 0; i < at.count; ++i) result[i * task.row_stride] = value.values()[i];
    }
  }
}

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_ENGINE_HPP
