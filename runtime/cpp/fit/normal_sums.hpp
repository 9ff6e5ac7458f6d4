// The gradient and the Gauss-Newton matrix of a loss, summed over rows so that their order leaves no trace.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fit/word_sums.hpp"

namespace curvec::fit {

// For each of some groups of rows sum r b and sum h b b', b a row of a sparse matrix of p columns.
class NormalSums {
 public:
  NormalSums(std::size_t p, std::size_t groups)
      : p_(p), groups_(groups), first_(groups * p), second_(groups * p * (p + 1) / 2) {}

  // Adds a row of the matrix, given by its entries in ascending order of their columns. False, and the sums are of no
  // use, where a product is NaN or too large for a BoundedSum.
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

  // Call carry() before these.
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
