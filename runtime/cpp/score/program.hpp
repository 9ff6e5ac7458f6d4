// A model whose shape is known at run time: what the Python package scores with. Plain data, so that each instruction
// set's engine reads the same; whoever makes a program keeps the tables it points to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace curvec::score {

enum class Kind : std::int32_t { kNumber, kLine, kPwl, kStep, kLevels, kSum, kProduct };
enum class Fx : std::int32_t { kIdentity, kLog, kLog1p, kSymLog1p };

/// A term. kNumber and kLevels read a column; kLine, kPwl and kStep have one child; kSum and kProduct have some.
struct Node {
  Kind kind;
  Fx fx;
  std::size_t column;
  const double* x;       // kPwl, kStep: knots or cuts
  const double* u;       // kPwl
  const double* y;       // kLine: the coefficient; kPwl, kStep: values; kLevels: missing, unseen, then the levels
  const double* slopes;  // kPwl
  std::size_t count;     // of x; of levels
  double missing;
  const Node* children;
  std::size_t children_count;
};

enum class Type : std::int32_t { kFloat64, kFloat32, kInt64, kInt32, kInt16, kInt8, kUint32, kUint16, kUint8 };

/// A column in memory: numbers `stride` bytes apart; the codes of categories are kInt32, -2 missing and -1 unseen.
struct Column {
  const char* data;
  std::ptrdiff_t stride;
  Type type;
};

/// What is wanted of rows [first, last): the sum from the intercept on, or each term (term t of row r at
/// out[t * rows + r]).
struct Task {
  const Node* terms;
  std::size_t terms_count;
  double intercept;
  const Column* columns;
  std::size_t rows;
  std::size_t first;
  std::size_t last;
  double* out;
  bool per_term;
};

using Engine = void (*)(const Task&);

}  // namespace curvec::score
