// Rows to points with distinct x.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fit/cells.hpp"
#include "fit/exact_sum.hpp"

namespace curvec::fit {

// A distinct x with its total weight, mean y and the squared error about it.
struct Point {
  double x = 0.0;
  double w = 0.0;
  double y = 0.0;
  double spread = 0.0;
};

// Doubles as integers in the same order.
[[nodiscard]] inline std::uint64_t order_key(double x) noexcept {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto bits = static_cast<std::uint64_t>(bits_of(x + 0.0));  // -0 and 0 are one value
  return bits & kSign ? ~bits : bits | kSign;
}

[[nodiscard]] inline double from_order_key(std::uint64_t key) noexcept {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return from_bits(static_cast<std::int64_t>(key & kSign ? key & ~kSign : ~key));
}

struct Keyed {
  std::uint64_t key;  // of x, in the order of the doubles
  std::uint32_t row;
};

// Sorts by key, one digit of 11 bits at a time, the least first; digits that all keys share cost nothing.
inline void sort_by_key(std::vector<Keyed>& rows) {
  constexpr int kBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  std::uint64_t differ = 0;
  for (const Keyed& row : rows) differ |= row.key ^ rows.front().key;
  std::vector<Keyed> other(rows.size());
  for (int shift = 0; shift < 64; shift += kBits) {
    if (((differ >> shift) & (kDigits - 1)) == 0) continue;
    std::array<std::uint32_t, kDigits> start{};
    for (const Keyed& row : rows) ++start[(row.key >> shift) & (kDigits - 1)];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : start) sum += std::exchange(count, sum);
    for (const Keyed& row : rows) other[start[(row.key >> shift) & (kDigits - 1)]++] = row;
    rows.swap(other);
  }
}

// Fuses the rows of one x, in sums that do not depend on their order.
[[nodiscard]] inline Point fuse_run(const std::vector<Keyed>& rows, std::size_t begin, std::size_t end, const double* y,
                                    const double* w) noexcept {
  Point p;
  p.x = from_order_key(rows[begin].key);
  double origin = y[rows[begin].row];
  for (std::size_t k = begin; k < end; ++k) origin = std::min(origin, y[rows[k].row]);
  Wide weight{w ? 0.0 : static_cast<double>(end - begin)};
  Wide sum;
  Wide square;
  for (std::size_t k = begin; k < end; ++k) {
    const double weight_k = w ? w[rows[k].row] : 1.0;
    const double d = y[rows[k].row] - origin;
    if (w) weight = weight + weight_k;
    if (d == 0.0) continue;
    sum = sum + weight_k * d;
    square = square + weight_k * d * d;
  }
  const Wide mean = sum / weight;
  p.w = weight.value();
  p.y = (mean + origin).value();
  p.spread = std::max(0.0, (square - mean * sum).value());
  return p;
}

// Sorts rows by x and makes those with equal x one. Rows of weight zero are left out; w is null for ones.
[[nodiscard]] inline std::vector<Point> fuse(const double* x, const double* y, const double* w, std::size_t count) {
  std::vector<Keyed> rows;
  rows.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (!w || w[k] > 0.0) rows.push_back({order_key(x[k]), static_cast<std::uint32_t>(k)});
  }
  if (!rows.empty()) sort_by_key(rows);
  std::vector<Point> points;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].key == rows[begin].key) ++end;
    points.push_back(fuse_run(rows, begin, end, y, w));
    begin = end;
  }
  return points;
}

}  // namespace curvec::fit
