// The gradient and the Gauss-Newton matrix of a loss, summed over rows so that their order leaves no trace.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fit/cells.hpp"

namespace curvec::fit {

// A sum of doubles below 2^120 without rounding, in 32 bits a word from 2^-160 on; what a double has below that is cut
// off before it is added. ExactSum holds any doubles, in seven times the memory.
struct BoundedSum {
  static constexpr std::size_t kWords = 10;
  static constexpr int kFirst = -160;  // the power of two of the last bit
  static constexpr double kLimit = 0x1p120;

  void add(double value) noexcept {
    const auto bits = static_cast<std::uint64_t>(bits_of(value));
    const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    std::uint64_t digits = exponent != 0 ? fraction | std::uint64_t{1} << 52 : fraction;
    int place = (exponent != 0 ? exponent : 1) - 1075 - kFirst;
    if (place < 0) {
      if (place <= -53) return;
      digits >>= -place;
      place = 0;
    }
    constexpr std::uint64_t kMask = 0xFFFFFFFFu;
    const int offset = place % 32;
    const std::uint64_t low = (digits & kMask) << offset;
    const std::uint64_t high = (digits >> 32 << offset) + (low >> 32);
    const std::int64_t sign = bits >> 63 != 0 ? -1 : 1;
    std::int64_t* const to = words.data() + place / 32;
    to[0] += sign * static_cast<std::int64_t>(low & kMask);
    to[1] += sign * static_cast<std::int64_t>(high & kMask);
    to[2] += sign * static_cast<std::int64_t>(high >> 32);
  }

  void add(const BoundedSum& other) noexcept {
    for (std::size_t k = 0; k < kWords; ++k) words[k] += other.words[k];
    carry();
  }

  // Each word but the last within 32 bits: one form for each sum.
  void carry() noexcept {
    for (std::size_t k = 0; k + 1 < kWords; ++k) {
      const std::int64_t up = words[k] >> 32;
      words[k] -= up * (std::int64_t{1} << 32);
      words[k + 1] += up;
    }
  }

  // The sum as a double, to two units of its last place. It has been carried.
  [[nodiscard]] double value() const noexcept {
    if (words[kWords - 1] < 0) {
      BoundedSum opposite;
      for (std::size_t k = 0; k < kWords; ++k) opposite.words[k] = -words[k];
      opposite.carry();
      return -opposite.value();
    }
    std::size_t top = kWords;
    while (top > 0 && words[top - 1] == 0) --top;
    double result = 0.0;
    for (std::size_t k = top; k > 0 && k + 3 > top; --k) {
      result += std::ldexp(static_cast<double>(words[k - 1]), 32 * static_cast<int>(k - 1) + kFirst);
    }
    return result;
  }

  std::array<std::int64_t, kWords> words{};
};

// For each of some groups of rows sum r b and sum h b b', b a row of a sparse matrix of p columns.
class NormalSums {
 public:
  NormalSums(std::size_t p, std::size_t groups)
      : p_(p), groups_(groups), first_(groups * p), second_(groups * p * (p + 1) / 2) {}

  // A row: its entries, all of different columns in ascending order, r, h and its group. False where a number is too
  // large, or none.
  bool add(const std::int32_t* columns, const double* entries, std::size_t count, double r, double h,
           std::size_t group) noexcept {
    bool fine = true;
    for (std::size_t a = 0; a < count; ++a) {
      const auto column = static_cast<std::size_t>(columns[a]);
      const double slope = entries[a] * r;
      const double scaled = entries[a] * h;
      fine = fine && std::abs(slope) < BoundedSum::kLimit && std::abs(scaled * entries[a]) < BoundedSum::kLimit;
      if (!fine) return false;
      first_[group * p_ + column].add(slope);
      BoundedSum* const row = second_.data() + at(group, column, 0);
      for (std::size_t b = a; b < count; ++b) {
        const double product = scaled * entries[b];
        if (!(std::abs(product) < BoundedSum::kLimit)) return false;
        row[columns[b] - columns[a]].add(product);
      }
    }
    if (++added_ == kBetweenCarries) carry();
    return true;
  }

  void add(const NormalSums& other) noexcept {
    for (std::size_t k = 0; k < first_.size(); ++k) first_[k].add(other.first_[k]);
    for (std::size_t k = 0; k < second_.size(); ++k) second_[k].add(other.second_[k]);
  }

  void carry() noexcept {
    for (BoundedSum& sum : first_) sum.carry();
    for (BoundedSum& sum : second_) sum.carry();
    added_ = 0;
  }

  // They have been carried.
  [[nodiscard]] double first(std::size_t group, std::size_t column) const noexcept {
    return first_[group * p_ + column].value();
  }
  [[nodiscard]] double second(std::size_t group, std::size_t a, std::size_t b) const noexcept {
    return a <= b ? second_[at(group, a, b - a)].value() : second(group, b, a);
  }

  [[nodiscard]] std::size_t p() const noexcept { return p_; }
  [[nodiscard]] std::size_t groups() const noexcept { return groups_; }
  [[nodiscard]] std::vector<BoundedSum>& firsts() noexcept { return first_; }
  [[nodiscard]] std::vector<BoundedSum>& seconds() noexcept { return second_; }

 private:
  static constexpr std::uint32_t kBetweenCarries = 1u << 29;

  // The place of column a's product with the column `further` to the right of it.
  [[nodiscard]] std::size_t at(std::size_t group, std::size_t a, std::size_t further) const noexcept {
    return group * p_ * (p_ + 1) / 2 + a * p_ - a * (a + 1) / 2 + a + further;
  }

  std::size_t p_;
  std::size_t groups_;
  std::vector<BoundedSum> first_;
  std::vector<BoundedSum> second_;
  std::uint32_t added_ = 0;
};

}  // namespace curvec::fit
