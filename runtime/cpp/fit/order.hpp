// Doubles in order: as integers, and rows sorted by them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fit/cells.hpp"

namespace curvec::fit {

// Doubles as integers in the same order.
[[nodiscard]] inline std::uint64_t order_key(double x) noexcept {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const std::int64_t bits = bits_of(x + 0.0);                                                  // -0 and 0 are one value
  return static_cast<std::uint64_t>(bits) ^ (static_cast<std::uint64_t>(bits >> 63) | kSign);  // without a branch
}

[[nodiscard]] inline double from_order_key(std::uint64_t key) noexcept {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return from_bits(static_cast<std::int64_t>(key & kSign ? key & ~kSign : ~key));
}

struct Keyed {
  std::uint64_t key;  // of x, in the order of the doubles
  std::uint32_t row;
};

// Sorts by key, rows of one key in their order: into about as many buckets as there are rows, by where their values are
// between the least and the largest, and each large bucket again, by the leading bits in which its keys differ.
class Sorter {
 public:
  void operator()(std::vector<Keyed>& rows) {
    other_.resize(rows.size());
    into_small_buckets(rows.data(), rows.size(), true);
    insert(rows.data(), rows.size());
  }

 private:
  static constexpr std::size_t kFewRows = 16;  // a simple sort is faster for so many
  static constexpr int kMostBits = 13;         // the ends of 2^13 buckets fill 32 KB, a first-level cache

  // Sorts into buckets until each holds few rows, or one key. `by_value`: by where x is between the least and the
  // largest; else by the leading bits of the keys.
  void into_small_buckets(Keyed* rows, std::size_t count, bool by_value) {
    if (count <= kFewRows) return;
    std::uint64_t least = rows[0].key;
    std::uint64_t largest = least;
    for (std::size_t k = 1; k < count; ++k) {
      least = std::min(least, rows[k].key);
      largest = std::max(largest, rows[k].key);
    }
    if (least == largest) return;
    int bits = 4;
    while (bits < kMostBits && (count >> (bits + 1)) > 0) ++bits;
    const double low = from_order_key(least);
    const double scale = static_cast<double>((std::size_t{1} << bits) - 1) / (from_order_key(largest) - low);
    if (by_value && scale > 0.0 && scale < std::numeric_limits<double>::infinity()) {
      into_buckets(rows, count, bits,
                   [=](std::uint64_t key) { return static_cast<std::size_t>((from_order_key(key) - low) * scale); });
    } else {
      int shift = 0;
      while (((largest - least) >> shift) >> bits) ++shift;
      into_buckets(rows, count, bits, [=](std::uint64_t key) { return (key - least) >> shift; });
    }
  }

  template <class BucketOf>
  void into_buckets(Keyed* rows, std::size_t count, int bits, BucketOf&& bucket_of) {
    std::vector<std::uint32_t> ends((std::size_t{1} << bits) + 1);
    for (std::size_t k = 0; k < count; ++k) ++ends[bucket_of(rows[k].key) + 1];
    for (std::size_t b = 1; b < ends.size(); ++b) ends[b] += ends[b - 1];
    for (std::size_t k = 0; k < count; ++k) other_[ends[bucket_of(rows[k].key)]++] = rows[k];
    std::copy_n(other_.begin(), count, rows);
    std::uint32_t begin = 0;
    for (std::size_t b = 0; b + 1 < ends.size(); ++b) {  // each end has moved to the next one's begin
      if (ends[b] - begin > kFewRows) into_small_buckets(rows + begin, ends[b] - begin, false);
      begin = ends[b];
    }
  }

  static void insert(Keyed* rows, std::size_t count) noexcept {
    for (std::size_t k = 1; k < count; ++k) {
      const Keyed row = rows[k];
      std::size_t at = k;
      for (; at > 0 && rows[at - 1].key > row.key; --at) rows[at] = rows[at - 1];
      rows[at] = row;
    }
  }

  std::vector<Keyed> other_;
};

}  // namespace curvec::fit
