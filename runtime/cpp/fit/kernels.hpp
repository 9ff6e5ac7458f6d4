// What is done to every row, compiled once for each instruction set, with the same bits: plain data and functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace curvec::fit {

// See Cells.
struct CellMap {
  double low = 0.0;
  double high = 0.0;
  double floor = 0.0;
  std::int64_t floor_bits = 0;
  std::int64_t first = 0;
  int shift = 0;
};

// Least and largest of the values so far, and whether all were finite.
struct Survey {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool finite = true;
};

// Where a cell's search for the bin of a value begins: at the number of edges in the cells before it. kCrowded is added
// where the cell has more than one edge, so that one comparison does not end the search.
inline constexpr std::uint32_t kCrowded = std::uint32_t{1} << 31;

// What is kept of the rows of a bin. Lanes: u, y, uu, uy, yy of the first transform, then u, uu, uy of the second.
struct BinSums {
  static constexpr std::size_t kLanes = 8;

  double hi[kLanes] = {};
  double lo[kLanes] = {};
  double w_hi = 0.0;
  double w_lo = 0.0;
  double first = std::numeric_limits<double>::infinity();  // least and largest x
  double last = -std::numeric_limits<double>::infinity();
  double unused[4] = {};  // three cache lines
};

// Where a bin begins under both transforms.
struct Start {
  double u;
  double v;
};

enum class Fx : std::int32_t { identity, log, log1p, symlog1p };

// Rows to be put into bins. `w` is null where every weight is one, and is divided by `unit`. `second` is identity
// where there is one transform. starts[b] is where bin b measures u from.
struct Rows {
  const double* x;
  const double* y;
  const double* w;
  double unit;
  double y_origin;
  CellMap cells;
  const std::uint32_t* cell_starts;
  const double* edges;
  const Start* starts;
  Fx first;
  Fx second;
  bool normal;  // no x is subnormal
  BinSums* bins;
};

// The rows that are looked at together.
inline constexpr std::size_t kRowBlock = 256;

struct Kernels {
  // Widens the survey by some values.
  void (*survey)(const double* values, std::size_t count, Survey& to) noexcept;
  // The cells of at most kRowBlock values.
  void (*locate)(const CellMap& cells, const double* x, std::size_t count, std::uint32_t* to) noexcept;
  // Adds rows [begin, end) to their bins.
  void (*put)(const Rows& rows, std::size_t begin, std::size_t end) noexcept;
};

}  // namespace curvec::fit
