// A bound for curves whose slopes are limited, however many segments they have: what isotonic regression leaves.
//
// Let no slope be below s <= 0 (s = 0: an increasing curve). Then curve(u) - s u never falls, nor do its means over the
// gaps from left to right. In a gap, the squared error about any function is that of the means, w (mean of y - mean of
// the function)^2, and that of the deviations from the means; so a curve costs at least
//   the squared error of the isotonic regression of the gaps' means of y - s u,
//   and in each gap its regression line's error, or that of the steepest line allowed where the line is steeper.
// No number of segments goes below that. An example: three gaps of weight 1 with means 1, 3, 2. The regression is
// 1, 2.5, 2.5, and every increasing curve costs at least 0.25 + 0.25.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "fit/reach.hpp"
#include "fit/side.hpp"

namespace curvec::fit {

namespace detail {

// Isotonic regression of values that come one after the other, by pooling adjacent violators (Ayer et al. 1955): while
// a block is below the one before it, the two become one at their mean.
class Pool {
 public:
  // `size`: the value is a difference of numbers of about this size, so its rounding is of that size too.
  void add(double value, double weight, double size) {
    largest_ = std::max(largest_, size);
    weight_ += weight;
    blocks_.push_back({value, weight});
    while (blocks_.size() > 1 && blocks_[blocks_.size() - 2].value > blocks_.back().value) {
      const Block last = blocks_.back();
      blocks_.pop_back();
      Block& before = blocks_.back();
      const double apart = before.value - last.value;
      const double share = last.weight / (before.weight + last.weight);
      cost_ += before.weight * share * apart * apart;
      before.value -= share * apart;
      before.weight += last.weight;
    }
  }

  // Its squared error over all values so far, less what roundings may have added: if every value is off by at most e,
  // the root of the squared error is off by at most e sqrt(weight).
  [[nodiscard]] double cost() const noexcept {
    const double off = std::sqrt(weight_) * largest_ * 0x1p-51;
    return std::max(0.0, cost_ - off * (2.0 * std::sqrt(cost_) + off));
  }

  // The least over z in [low, high] of tilt z plus the squared error of the best increasing values that stay below z:
  // those are the regression cut off at z.
  [[nodiscard]] double tilted(double tilt, double low, double high) const noexcept {
    double z = tilt > 0.0 ? low : high;
    double weight = 0.0;
    double sum = 0.0;  // weight times value of the blocks that are cut off; the best z is (sum - tilt / 2) / weight
    for (std::size_t k = blocks_.size(); k-- > 0;) {
      weight += blocks_[k].weight;
      sum += blocks_[k].weight * blocks_[k].value;
      const double best = (sum - tilt / 2.0) / weight;
      if (k == 0 || best >= blocks_[k - 1].value) {
        if (tilt > 0.0) z = best;
        break;
      }
    }
    z = std::min(std::max(z, low), high);
    double cost = this->cost() + tilt * z;
    for (std::size_t k = blocks_.size(); k-- > 0 && blocks_[k].value > z;) {
      cost += blocks_[k].weight * (blocks_[k].value - z) * (blocks_[k].value - z);
    }
    return cost;
  }

 private:
  struct Block {
    double value;
    double weight;
  };
  std::vector<Block> blocks_;
  double cost_ = 0.0;
  double weight_ = 0.0;
  double largest_ = 0.0;
};

// For each knot in turn calls with the knot, the regression of the means of the gaps on its left, and the error within
// those gaps. `sign` 1: no slope is below `steepest` <= 0; -1: the same of the curve upside down.
template <class Call>
void regress(const Problem& p, double sign, double steepest, Call&& call) {
  Pool pool;
  double within = 0.0;
  for (std::size_t j = 0; j < p.knots.size(); ++j) {
    const Moments& gap = p.gaps[j];
    if (gap.w > 0.0) {
      const double u = (p.knots[j == 0 ? 0 : j - 1] - p.knots[0]) + gap.u;
      const double excess = std::max(0.0, steepest - sign * gap.slope);
      pool.add(sign * gap.y - steepest * u, gap.w, std::abs(gap.y) + std::abs(steepest * u));
      within += gap.rest + gap.suu * excess * excess;
    }
    call(j, pool, within);
  }
}

}  // namespace detail

// The least cost of what is left of each knot.
[[nodiscard]] inline std::vector<double> isotonic_bounds(const Problem& p) {
  std::vector<double> bound(p.knots.size(), 0.0);
  const auto raise = [&](std::size_t j, const detail::Pool& pool, double within) {
    bound[j] = std::max(bound[j], pool.cost() + within);
  };
  if (p.slope_low > -kInf) detail::regress(p, 1.0, std::min(p.slope_low, 0.0), raise);
  if (p.slope_high < kInf) detail::regress(p, -1.0, std::min(-p.slope_high, 0.0), raise);
  return bound;
}

// The same of curves that go one way, with tilts[j] y added, y being the curve's value at the knot; nothing for others.
[[nodiscard]] inline std::vector<double> isotonic_bounds(const Problem& p, const std::vector<double>& tilts,
                                                         const Reach& reach) {
  std::vector<double> bound;
  if (!(p.slope_low >= 0.0 || p.slope_high <= 0.0)) return bound;
  const double sign = p.slope_low >= 0.0 ? 1.0 : -1.0;
  const double low = sign > 0.0 ? reach.low : -reach.high;
  const double high = sign > 0.0 ? reach.high : -reach.low;
  detail::regress(p, sign, 0.0, [&](std::size_t j, const detail::Pool& pool, double within) {
    bound.push_back(pool.tilted(sign * tilts[j], low, high) + within);
  });
  return bound;
}

}  // namespace curvec::fit
