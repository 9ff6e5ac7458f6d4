// Rows to points with distinct x.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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

inline constexpr std::size_t kFew = 256;  // distinct values that are few, however few the rows

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

// The rows of one x, in sums that do not depend on their order.
class Fused {
 public:
  void lower_origin(double y) noexcept { origin_ = std::min(origin_, y); }
  void count() noexcept { ++count_; }

  // With the least y as the origin.
  void add(double y, double w) noexcept {
    const double d = y - origin_;
    if (d == 0.0) return;
    sum_ = sum_ + w * d;
    square_ = square_ + w * d * d;
  }
  void add_weight(double w) noexcept { weight_ = weight_ + w; }

  // Rows without weights count as one each.
  [[nodiscard]] Point point(double x, bool weighted) const noexcept {
    const Wide weight = weighted ? weight_ : Wide{static_cast<double>(count_)};
    Point p;
    p.x = x;
    p.w = weight.value();
    p.y = origin_;
    if (sum_.hi == 0.0) return p;  // one y
    const Wide mean = sum_ / weight;
    p.y = (mean + origin_).value();
    p.spread = std::max(0.0, (square_ - mean * sum_).value());
    return p;
  }

 private:
  double origin_ = std::numeric_limits<double>::infinity();
  std::size_t count_ = 0;
  Wide weight_;
  Wide sum_;
  Wide square_;
};

// Numbers values in the order in which they appear, as long as they are few.
class Numbering {
 public:
  static constexpr std::uint32_t kMost = 1 << 11;

  // kMost if that would be one too many.
  [[nodiscard]] std::uint32_t operator()(std::uint64_t key) {
    std::size_t at = (key * 0x9E3779B97F4A7C15u) >> (64 - kBits);
    while (slots_[at].number != kMost) {
      if (slots_[at].key == key) return slots_[at].number;
      at = (at + 1) & (kSlots - 1);
    }
    if (keys_.size() == kMost) return kMost;
    slots_[at] = {key, static_cast<std::uint32_t>(keys_.size())};
    keys_.push_back(key);
    return slots_[at].number;
  }

  // The values in the order of their numbers.
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = kMost;
  };
  static constexpr int kBits = 12;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;

  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
  std::vector<std::uint64_t> keys_;
};

// Rows of few distinct x, without a sort of them; nothing where the x are many.
[[nodiscard]] inline std::vector<Point> fuse_few(const double* x, const double* y, const double* w, std::size_t count) {
  Numbering number;
  std::vector<std::uint32_t> numbers(count);
  std::vector<Fused> fused;
  for (std::size_t k = 0; k < count; ++k) {
    if (w && !(w[k] > 0.0)) continue;
    const std::uint32_t at = numbers[k] = number(order_key(x[k]));
    if (at == fused.size()) {
      if (at == Numbering::kMost || fused.size() > kFew + k / 2) return {};
      fused.emplace_back();
    }
    fused[at].lower_origin(y[k]);
    fused[at].count();
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (w && !(w[k] > 0.0)) continue;
    Fused& at = fused[numbers[k]];
    if (w) at.add_weight(w[k]);
    at.add(y[k], w ? w[k] : 1.0);
  }
  std::vector<Keyed> order;
  for (const std::uint64_t key : number.keys()) order.push_back({key, static_cast<std::uint32_t>(order.size())});
  std::sort(order.begin(), order.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
  std::vector<Point> points;
  points.reserve(order.size());
  for (const Keyed& at : order) points.push_back(fused[at.row].point(from_order_key(at.key), w != nullptr));
  return points;
}

// Any rows, by sorting them.
[[nodiscard]] inline std::vector<Point> fuse_many(const double* x, const double* y, const double* w,
                                                  std::size_t count) {
  std::vector<Keyed> rows;
  rows.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (!w || w[k] > 0.0) rows.push_back({order_key(x[k]), static_cast<std::uint32_t>(k)});
  }
  if (!rows.empty()) sort_by_key(rows);
  std::vector<Point> points;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    Fused fused;
    for (; end < rows.size() && rows[end].key == rows[begin].key; ++end) {
      fused.lower_origin(y[rows[end].row]);
      fused.count();
    }
    for (std::size_t k = begin; k < end; ++k) {
      if (w) fused.add_weight(w[rows[k].row]);
      fused.add(y[rows[k].row], w ? w[rows[k].row] : 1.0);
    }
    points.push_back(fused.point(from_order_key(rows[begin].key), w != nullptr));
  }
  return points;
}

// Rows to points with distinct x, ascending. Rows of weight zero are left out; w is null for ones.
[[nodiscard]] inline std::vector<Point> fuse(const double* x, const double* y, const double* w, std::size_t count) {
  std::vector<Point> points = fuse_few(x, y, w, count);
  return points.empty() ? fuse_many(x, y, w, count) : points;
}

}  // namespace curvec::fit
