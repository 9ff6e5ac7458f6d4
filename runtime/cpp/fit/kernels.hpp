// The loops over all rows and over all pairs of knots, as a table of functions: compiled once for each instruction set,
// with the same bits in each. What they read and write is declared here as plain data.
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
  double unused[4] = {};  // fills up three cache lines of 64 bytes
};

// Where a bin begins under both transforms.
struct Start {
  double u;
  double v;
};

// Rows to be put into bins. `w` is null where every weight is one, and is divided by `unit`. `second` is identity
// where there is one transform; both are places in Transforms. starts[b] is where bin b measures u from.
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
  std::int32_t first;
  std::int32_t second;
  bool normal;  // no x is subnormal
  BinSums* bins;
};

// The rows that are looked at together.
inline constexpr std::size_t kRowBlock = 256;

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

// What lies between neighbouring knots, and what a segment's slope may be; see Problem and Moments.
struct Gaps {
  const double* u;        // [knots]
  const double* moments;  // [knots + 1][6]
  std::size_t knots;
  double slope_low;
  double slope_high;
};

// Where tables keep the pairs of knots i < j. Sorted by i, then j: at row_of(n, i) + j - i - 1.
[[nodiscard]] static constexpr std::size_t row_of(std::size_t n, std::size_t i) noexcept {
  return i * (2 * n - i - 1) / 2;
}
// Sorted by j, then i: at column_of(j) + i.
[[nodiscard]] static constexpr std::size_t column_of(std::size_t j) noexcept { return j * (j - 1) / 2; }

// The numbers of each segment (see Segment) and a lower bound of its cost, sorted by i. The bounds also sorted by j,
// and that for the mirror image of the knots too.
struct SegmentTable {
  double* w;
  double* lam;
  double* mean;
  double* s;
  double* beta;
  double* rest;
  double* bound;
  double* left_bounds;
  double* right_bounds;
};

// The constant part on one side of each knot, as a (y - v)^2 + h; knots from left to right.
struct EndCosts {
  const double* a;
  const double* v;
  const double* h;
};

// What a jump at each knot costs, and limits; see Tilt.
struct Prices {
  const double* u;      // [knots]
  const double* tilts;  // [knots]
  std::size_t knots;
  double slope_low;
  double slope_high;
  double y_low;
  double y_high;
};

struct Kernels {
  // Widens the survey by some values.
  void (*survey)(const double* values, std::size_t count, Survey& to) noexcept;
  // The cells of at most kRowBlock values.
  void (*locate)(const CellMap& cells, const double* x, std::size_t count, std::uint32_t* to) noexcept;
  // A number of each row from its values in so many columns, of `rows` doubles each.
  void (*hash)(const double* const* columns, std::size_t count, std::size_t rows, std::uint64_t seed,
               std::uint64_t* to) noexcept;
  // Adds rows [begin, end) to their bins.
  void (*put)(const Rows& rows, std::size_t begin, std::size_t end) noexcept;
  // The segments between all pairs of knots.
  void (*tabulate)(const Gaps& gaps, const SegmentTable& to) noexcept;
  // For each knot the least that a constant part and one segment that ends there cost, the other end of which may be
  // any knot: from the left, and from the right.
  void (*meet_starts)(const SegmentTable& table, std::size_t n, const EndCosts& left, const EndCosts& right,
                      double* left_to, double* right_to) noexcept;
  // Least cost of each segment and its payments (see Tilt), at column_of(j) + i, and so for the mirror image.
  void (*price)(const Prices& prices, const SegmentTable& table, double* left, double* right) noexcept;
  // One more segment: to[j] = the least of before[i] + edges[column_of(j) + i] over firsts[j] <= i < j, i >= begin - 1.
  void (*carry)(const double* before, const double* edges, const int* firsts, std::size_t begin, std::size_t n,
                double* to) noexcept;
  // The first k where a[k] + b[k] is least, of at least one.
  std::size_t (*least_at)(const double* a, const double* b, std::size_t count) noexcept;
  // Every k where a[k] + b[k] < ceiling, and how many there are; `to` has room for one more than `count`.
  std::size_t (*find_below)(const double* a, const double* b, std::size_t count, double ceiling,
                            std::uint32_t* to) noexcept;
};

// Those in use: chosen once for the processor, when the core is loaded.
inline const Kernels*& kernels_in_use() noexcept {
  static const Kernels* kernels = nullptr;
  return kernels;
}
[[nodiscard]] inline const Kernels& kernels() noexcept { return *kernels_in_use(); }

}  // namespace curvec::fit
