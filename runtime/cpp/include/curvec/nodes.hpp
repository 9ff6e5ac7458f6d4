// A model whose shape is known at run time, as plain data: what a program (program.hpp) is made of and the engine
// (engine.hpp) runs. Code that was compiled for different instruction sets reads the same data, so that a program made
// by one of them can be run by another. Whoever makes it keeps what it points to.
#ifndef CURVEC_NODES_HPP
#define CURVEC_NODES_HPP

#include <curvec/column.h>

#include <cstddef>
#include <cstdint>
#include <curvec/abi.hpp>
#include <string_view>

namespace curvec {
namespace program {
inline namespace CURVEC_RELEASE {

enum class Kind : std::int32_t { kLine, kPWLCurve, kStepCurve, kEnumCurve, kSum, kProduct };

/// Where the cuts of a step curve are among places of equal width, see cut_places.hpp.
struct CutPlaces {
  double origin;                // where place 0 begins; smaller numbers are in it, too
  double scale;                 // places of numbers that are 1 apart
  double last;                  // the number of the last place
  const std::uint16_t* before;  // of each place, how many cuts are in those before it
  std::size_t most;             // how many cuts a place has at most; 0 where the curve has no places
};

/// A term, or a part of one. A line, and a curve without children, read a feature as a number; kEnumCurve reads one as
/// a category.
struct Node {
  Kind kind;
  std::int32_t fx;       // kPWLCurve: a place in Transforms
  std::size_t feature;   // its place among the model's
  const double* x;       // kPWLCurve: the points; kStepCurve: the cuts
  const double* u;       // kPWLCurve: fx(x)
  const double* y;       // a curve's values; kLine: the coefficient; kEnumCurve: of missing, of unseen, of each level
  const double* slopes;  // kPWLCurve: the last is 0
  std::size_t count;     // of x
  double missing;        // kLine, kPWLCurve, kStepCurve
  const double* codes;   // kPWLCurve, kStepCurve: the special codes, and the value of each
  const double* code_values;
  std::size_t codes_count;
  const Node* children;  // kSum, kProduct: what is added up or multiplied; a curve of a sum: that sum
  std::size_t children_count;
  CutPlaces places;  // kStepCurve
};

/// The code of a category that is missing, and of one that is no level of its feature.
inline constexpr std::int32_t kMissingCode = -2;
inline constexpr std::int32_t kUnseenCode = -1;

/// The levels of a feature, all that any of its curves lists, in increasing order; a level's code is its place.
struct Levels {
  const std::int64_t* numbers;    // of integers; of bools: 0 and 1
  const std::string_view* texts;  // of text
  std::size_t count;
};

/// A feature: its name, its curvec_type, and its levels if it is one of categories.
struct Feature {
  std::string_view name;
  std::int32_t type;
  Levels levels;
};

/// What is wanted of some rows: the score of row r at result[r], or term t of it at
/// result[r * row_stride + t * term_stride].
struct Task {
  const Node* terms;
  std::size_t terms_count;
  double intercept;
  const Feature* features;
  const curvec_column* numbers;     // a column a feature, as its numbers are read from
  const curvec_column* categories;  // and as its categories are; mostly the same columns
  double* result;
  bool per_term;
  std::size_t row_stride;
  std::size_t term_stride;
};

}  // namespace CURVEC_RELEASE
}  // namespace program
}  // namespace curvec

#endif  // CURVEC_NODES_HPP
