// Rows to points with distinct x.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fit/exact_sum.hpp"
#include "fit/order.hpp"

namespace curvec::fit {

// A distinct x with its total weight, mean y and the squared error about it.
struct Point {
  double x = 0.0;
  double w = 0.0;
  double y = 0.0;
  double spread = 0.0;
};

inline constexpr std::size_t kFew = 256;  // so many distinct values are few whatever the number of rows

// The rows of one x, in sums that do not depend on their order. They take two passes: every row is counted first, and
// then, if their y differ, added, with y measured from the least of them.
class Fused {
 public:
  void count(double y, double w) noexcept {
    origin_ = std::min(origin_, y);
    largest_ = std::max(largest_, y);
    ++count_;
    weight_ = weight_ + w;
  }
  void count(double y) noexcept {
    origin_ = std::min(origin_, y);
    largest_ = std::max(largest_, y);
    ++count_;
  }
  [[nodiscard]] bool differ() const noexcept { return origin_ < largest_; }
  void add(double y) noexcept {
    const double d = y - origin_;
    sum_ = sum_ + d;
    square_ = square_ + two_product(d, d);
  }
  void add(double y, double w) noexcept {
    const double d = y - origin_;
    if (d == 0.0) return;
    const Wide product = two_product(w, d);  // as a double it could lose all its digits beside a far heavier row's
    sum_ = sum_ + product;
    square_ = square_ + product * d;
  }

  // Rows without weights count as one each.
  [[nodiscard]] Point point(double x, bool weighted) const noexcept {
    const Wide weight = weighted ? weight_ : Wide{static_cast<double>(count_)};
    Point p;
    p.x = x;
    p.w = weight.value();
    p.y = origin_;
    if (!differ()) return p;
    const Wide mean = sum_ / weight;
    p.y = (mean + origin_).value();
    p.spread = std::max(0.0, (square_ - mean * sum_).value());
    return p;
  }

 private:
  double origin_ = std::numeric_limits<double>::infinity();
  double largest_ = -std::numeric_limits<double>::infinity();
  std::size_t count_ = 0;
  Wide weight_;
  Wide sum_;
  Wide square_;
};

// Numbers values in the order in which they appear, as long as they are few.
class Numbering {
 public:
  static constexpr std::uint16_t kMost = 1 << 11;

  // The value's number; kMost if it is new and there are already so many.
  [[nodiscard]] std::uint32_t operator()(std::uint64_t key) {
    std::size_t at = (key * 0x9E3779B97F4A7C15u) >> (64 - kBits);
    for (; slots_[at] != kMost; at = (at + 1) & (kSlots - 1)) {
      if (keys_[slots_[at]] == key) return slots_[at];
    }
    if (keys_.size() == kMost) return kMost;
    slots_[at] = static_cast<std::uint16_t>(keys_.size());
    keys_.push_back(key);
    return slots_[at];
  }

  // The values in the order of their numbers.
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }

 private:
  static constexpr int kBits = 12;  // twice as many slots as values, so that few values meet: a table of 8 KB
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;

  std::vector<std::uint16_t> slots_ = std::vector<std::uint16_t>(kSlots, kMost);
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
    w ? fused[at].count(y[k], w[k]) : fused[at].count(y[k]);
  }
  if (std::any_of(fused.begin(), fused.end(), [](const Fused& f) { return f.differ(); })) {
    for (std::size_t k = 0; k < count; ++k) {
      if (w && !(w[k] > 0.0)) continue;
      w ? fused[numbers[k]].add(y[k], w[k]) : fused[numbers[k]].add(y[k]);
    }
  }
  std::vector<Keyed> order;
  order.reserve(fused.size());
  for (const std::uint64_t key : number.keys()) order.push_back({key, static_cast<std::uint32_t>(order.size())});
  Sorter{}(order);
  std::vector<Point> points;
  points.reserve(order.size());
  for (const Keyed& at : order) points.push_back(fused[at.row].point(from_order_key(at.key), w != nullptr));
  return points;
}

// Any rows, by sorting them.
[[nodiscard]] inline std::vector<Point> fuse_many(const double* x, const double* y, const double* w,
                                                  std::size_t count) {
  std::vector<Keyed> rows(count);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {  // fields one by one: a whole row would wait for its parts
    rows[kept].key = order_key(x[k]);
    rows[kept].row = static_cast<std::uint32_t>(k);
    kept += !w || w[k] > 0.0 ? 1 : 0;
  }
  rows.resize(kept);
  Sorter{}(rows);
  std::vector<Point> points(rows.size());
  std::size_t made = 0;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    Point& point = points[made++];
    const std::size_t first = rows[begin].row;
    end = begin + 1;
    if (end == rows.size() || rows[end].key != rows[begin].key) {
      point.x = x[first] + 0.0;
      point.w = w ? w[first] : 1.0;
      point.y = y[first];
      continue;
    }
    Fused fused;
    for (end = begin; end < rows.size() && rows[end].key == rows[begin].key; ++end) {
      const std::size_t row = rows[end].row;
      w ? fused.count(y[row], w[row]) : fused.count(y[row]);
    }
    for (std::size_t k = begin; k < end && fused.differ(); ++k) {
      const std::size_t row = rows[k].row;
      w ? fused.add(y[row], w[row]) : fused.add(y[row]);
    }
    point = fused.point(x[first] + 0.0, w != nullptr);
  }
  points.resize(made);
  return points;
}

// Rows to points with distinct x, ascending. Rows of weight zero are left out; w is null for ones.
[[nodiscard]] inline std::vector<Point> fuse(const double* x, const double* y, const double* w, std::size_t count) {
  std::vector<Point> points = fuse_few(x, y, w, count);
  return points.empty() ? fuse_many(x, y, w, count) : points;
}

}  // namespace curvec::fit
