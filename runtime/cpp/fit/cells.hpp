// Doubles cut into cells of about equal relative width, and the table by which a value finds its cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fit/kernels.hpp"

namespace curvec::fit {

[[nodiscard]] inline std::int64_t bits_of(double x) noexcept {
  std::int64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

[[nodiscard]] inline double from_bits(std::int64_t bits) noexcept {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// The span between two values cut into cells by their leading bits, those of the exponent first: the bits of positive
// doubles, read as integers, are in the doubles' order. So cells are narrow where values are small: with three bits of
// the fraction, 1 to 1.125 is a cell, and so is 1024 to 1152. Values closer to zero than `floor` count as `floor`: else
// most cells would lie between it and zero.
class Cells {
 public:
  Cells(double low, double high, int bits) noexcept {
    const double largest = std::max(std::abs(low), std::abs(high));
    const double least = std::min(std::abs(low), std::abs(high));
    map_.low = low;
    map_.high = high;
    map_.floor = low < 0.0 && high > 0.0 ? largest * 0x1p-32 : std::max(least, largest * 0x1p-64);
    map_.floor_bits = bits_of(map_.floor);
    map_.first = key(low);
    last_ = static_cast<std::uint64_t>(key(high) - map_.first);
    while ((last_ >> map_.shift) >> bits) ++map_.shift;
  }

  // Wider cells, as long as at least 2^13 are left, but at most 2^-10 of their values wide (42 of 52 bits cut off).
  [[nodiscard]] Cells coarser() const noexcept {
    Cells other = *this;
    while (other.map_.shift < 42 && (last_ >> other.map_.shift) >> 13) ++other.map_.shift;
    return other;
  }

  [[nodiscard]] const CellMap& map() const noexcept { return map_; }
  [[nodiscard]] std::size_t count() const noexcept { return static_cast<std::size_t>(last_ >> map_.shift) + 1; }
  [[nodiscard]] std::size_t cell(double x) const noexcept {
    const double inside = std::min(std::max(x, map_.low), map_.high);
    return static_cast<std::size_t>(static_cast<std::uint64_t>(key(inside) - map_.first) >> map_.shift);
  }
  // The least value of a cell.
  [[nodiscard]] double begin(std::size_t cell) const noexcept {
    const std::int64_t k = map_.first + (static_cast<std::int64_t>(cell) << map_.shift);
    return std::max(map_.low, k > 0 ? from_bits(k + map_.floor_bits) : -from_bits(map_.floor_bits - k));
  }
  // The largest.
  [[nodiscard]] double end(std::size_t cell) const noexcept {
    const std::int64_t k = map_.first + (static_cast<std::int64_t>(cell + 1) << map_.shift) - 1;
    return std::min(map_.high, k < 0 ? -from_bits(map_.floor_bits - k) : from_bits(k + map_.floor_bits));
  }
  [[nodiscard]] bool divisible() const noexcept { return map_.shift > 0; }

 private:
  // An integer that ascends with x: how many doubles lie between the floor and |x|, with the sign of x.
  [[nodiscard]] std::int64_t key(double x) const noexcept {
    const std::int64_t distance = bits_of(std::max(std::abs(x), map_.floor)) - map_.floor_bits;
    return x < 0.0 ? -distance : distance;
  }

  CellMap map_;
  std::uint64_t last_;
};

}  // namespace curvec::fit
