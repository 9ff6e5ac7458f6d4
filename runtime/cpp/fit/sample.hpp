// The data under one transform, ready to be cut into gaps at any knots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fit/moments.hpp"

namespace curvec::fit {

// The first part at or right of x, from `at` on: near it, as a rule.
template <class Parts>
[[nodiscard]] std::size_t first_from(const Parts& parts, double x, std::size_t at) noexcept {
  const std::size_t count = parts.size();
  std::size_t step = 1;
  std::size_t end = at;
  while (end < count && parts.x(end) < x) at = end + 1, end += step, step *= 2;
  end = std::min(end, count);
  while (at < end) {
    const std::size_t middle = at + (end - at) / 2;
    if (parts.x(middle) < x) {
      at = middle + 1;
    } else {
      end = middle;
    }
  }
  return at;
}

// Single values of x: rows of x, weight, mean y, squared error about it.
struct Singles {
  static constexpr bool kSingle = true;
  const double* table;
  const double* at;  // u
  std::size_t count;

  [[nodiscard]] std::size_t size() const noexcept { return count; }
  [[nodiscard]] double x(std::size_t k) const noexcept { return table[4 * k]; }
  [[nodiscard]] double u(std::size_t k) const noexcept { return at[k]; }
  // Of parts [begin, end), u measured from the first one's.
  [[nodiscard]] Moments sum(std::size_t begin, std::size_t end) const noexcept {
    Moments out = moments_of(
        begin, end, [this](std::size_t k) { return table[4 * k + 1]; }, [this](std::size_t k) { return at[k]; },
        [this](std::size_t k) { return table[4 * k + 2]; });
    for (std::size_t k = begin; k < end; ++k) out.rest += table[4 * k + 3];
    return out;
  }
};

// Bins: the same rows, of which only x counts, and rows of their moments.
struct Binned {
  static constexpr bool kSingle = false;
  const double* table;
  const double* at;
  const double* sums;
  std::size_t count;

  [[nodiscard]] std::size_t size() const noexcept { return count; }
  [[nodiscard]] double x(std::size_t k) const noexcept { return table[4 * k]; }
  [[nodiscard]] double u(std::size_t k) const noexcept { return at[k]; }
  // Of parts [begin, end), u measured from the first one's.
  [[nodiscard]] Moments sum(std::size_t begin, std::size_t end) const noexcept {
    Moments out;
    for (std::size_t k = begin; k < end; ++k) {
      const double* row = sums + 6 * k;
      out = merge(out, {row[0], row[1], row[2], row[3], row[4], row[5]}, u(k) - u(begin));
    }
    return out;
  }
};

// Parts that no knot divides, in ascending order: part k begins at x(k), and its moments measure u from u(k). A part on
// a knot belongs to the gap at its right. Which gap a part is in goes by x, where it is in the gap by u = fx(x), so a
// rounding of fx moves no part over a knot.
template <class Parts>
class Sample {
 public:
  explicit Sample(const Parts& parts) : parts_(parts), count_(parts_.size()) {
    blocks_.resize(count_ / kBlock);
    for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b] = sum(b * kBlock, (b + 1) * kBlock);
  }

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

  // The moments between neighbouring knots, and of the parts outside (see Problem).
  [[nodiscard]] std::vector<Moments> gaps(const double* knots_x, const double* knots_u, std::size_t knots) const {
    std::vector<Moments> out(knots + 1);
    std::size_t begin = 0;
    for (std::size_t gap = 0; gap <= knots; ++gap) {
      const std::size_t end = gap < knots ? first_from(parts_, knots_x[gap], begin) : count_;
      if (begin < end) {
        out[gap] = between(begin, end);
        const std::size_t knot = gap > 0 ? gap - 1 : 0;
        // A value on the knot is at distance 0, even if two ways to take its logarithm differ in the last bit: with a
        // distance of 1e-16 the gap would get a second moment of 1e-32, whose quadratic's vertex is far beyond all y.
        if (!Parts::kSingle || parts_.x(begin) != knots_x[knot]) out[gap].u += parts_.u(begin) - knots_u[knot];
      }
      begin = end;
    }
    return out;
  }

 private:
  static constexpr std::size_t kBlock =
      16;  // parts whose moments are summed beforehand: a gap then takes n / 16 merges

  [[nodiscard]] Moments sum(std::size_t begin, std::size_t end) const noexcept { return parts_.sum(begin, end); }

  // The moments of parts [begin, end), from whole blocks and the parts at either end.
  [[nodiscard]] Moments between(std::size_t begin, std::size_t end) const noexcept {
    const std::size_t first = (begin + kBlock - 1) / kBlock;
    const std::size_t last = end / kBlock;
    if (first >= last) return sum(begin, end);
    Moments out = sum(begin, first * kBlock);
    const double origin = parts_.u(begin);
    for (std::size_t b = first; b < last; ++b) out = merge(out, blocks_[b], parts_.u(b * kBlock) - origin);
    return merge(out, sum(last * kBlock, end), last * kBlock < end ? parts_.u(last * kBlock) - origin : 0.0);
  }

  Parts parts_;
  std::size_t count_;
  std::vector<Moments> blocks_;
};

}  // namespace curvec::fit
