// Good curves quickly: move, insert and delete one knot at a time, the others held. The exact search starts from these.
#pragma once

#include <algorithm>
#include <vector>

#include "fit/chain.hpp"
#include "fit/side.hpp"
#include "fit/tidy.hpp"
#include "fit/watch.hpp"

namespace curvec::fit {

class LocalSearch {
 public:
  // `left` reads the problem from left to right, `right` is its mirror image.
  LocalSearch(const Side& left, const Side& right, Watch& watch)
      : left_(left), right_(right), n_(left.size()), watch_(watch) {}

  // Moves single knots to their best place until none improves. Returns the cost.
  double polish(std::vector<int>& knots) {
    build_suffixes(knots);
    double best = cost_of(knots);
    for (int sweep = 0; sweep < kMaxSweeps && !watch_.expired(); ++sweep) {
      bool moved = false;
      prefixes_.resize(knots.size());
      for (std::size_t m = 0; m < knots.size(); ++m) {
        const int low = m == 0 ? -1 : knots[m - 1];
        const int high = m + 1 == knots.size() ? n_ : knots[m + 1];
        Spot spot = best_between(m == 0 ? nullptr : &prefixes_[m - 1], low, suffix(m + 1), high, best);
        if (spot.knot >= 0 && spot.cost < best * (1.0 - 1e-12)) {
          knots[m] = spot.knot;
          best = spot.cost;
          moved = true;
        }
        extend_prefix(knots, m);
      }
      if (!moved) break;
      build_suffixes(knots);
    }
    return best;
  }

  // The best place for one knot more. Returns the cost, infinite if there is no place.
  double insert(std::vector<int>& knots) {
    build_suffixes(knots);
    prefixes_.resize(knots.size());
    Spot best;
    std::size_t where = 0;
    for (std::size_t m = 0; m <= knots.size(); ++m) {
      const int low = m == 0 ? -1 : knots[m - 1];
      const int high = m == knots.size() ? n_ : knots[m];
      const Spot spot = best_between(m == 0 ? nullptr : &prefixes_[m - 1], low, suffix(m), high, best.cost);
      if (spot.knot >= 0) best = spot, where = m;
      if (m < knots.size()) extend_prefix(knots, m);
    }
    if (best.knot >= 0) knots.insert(knots.begin() + static_cast<std::ptrdiff_t>(where), best.knot);
    return best.cost;
  }

  // Takes out the knot without which the curve costs least. Returns that cost.
  double remove(std::vector<int>& knots) {
    return drop_one(knots, [this](const std::vector<int>& fewer) { return cost_of(fewer); });
  }

  [[nodiscard]] double cost_of(const std::vector<int>& knots) {
    if (!allowed(knots)) return kInf;
    return solve(left_, right_.start(n_ - 1 - knots.back()), knots).cost;
  }

 private:
  struct Spot {
    double cost = kInf;
    int knot = -1;
  };

  static constexpr int kMaxSweeps = 30;  // a bound: sweeps end when no knot moves

  [[nodiscard]] bool allowed(const std::vector<int>& knots) const noexcept {
    if (knots.front() > left_.last_start() || n_ - 1 - knots.back() > right_.last_start()) return false;
    for (std::size_t m = 1; m < knots.size(); ++m) {
      if (knots[m - 1] < left_.first(knots[m])) return false;
    }
    return true;
  }

  [[nodiscard]] const Pieces* suffix(std::size_t m) const noexcept {
    return m < suffixes_.size() ? &suffixes_[m] : nullptr;
  }

  void extend_prefix(const std::vector<int>& knots, std::size_t m) {
    if (m == 0) {
      prefixes_[0] = {left_.start_piece(knots[0], kInf)};
    } else {
      step(prefixes_[m - 1], left_.segment(knots[m - 1], knots[m]), left_.limits(knots[m - 1], knots[m]), kInf,
           prefixes_[m]);
    }
  }

  void build_suffixes(const std::vector<int>& knots) {
    const std::size_t count = knots.size();
    suffixes_.resize(count);
    for (std::size_t m = count; m-- > 0;) {
      const int at = n_ - 1 - knots[m];
      if (m + 1 == count) {
        suffixes_[m] = {right_.start_piece(at, kInf)};
      } else {
        const int before = n_ - 1 - knots[m + 1];
        step(suffixes_[m + 1], right_.segment(before, at), right_.limits(before, at), kInf, suffixes_[m]);
      }
    }
  }

  // The best knot strictly between `low` and `high` that costs less than `ceiling`.
  Spot best_between(const Pieces* prefix, int low, const Pieces* suffix, int high, double ceiling) {
    Spot spot;
    spot.cost = ceiling;
    watch_.work(4 * (high - low));
    const double prefix_least = prefix ? least(*prefix) : 0.0;
    const double suffix_least = suffix ? least(*suffix) : 0.0;
    for (int c = low + 1; c < high; ++c) {
      if (prefix ? low < left_.first(c) : c > left_.last_start()) continue;
      const int rc = n_ - 1 - c;
      const int rh = n_ - 1 - high;
      if (suffix ? rh < right_.first(rc) : rc > right_.last_start()) continue;
      const double before = prefix ? prefix_least + left_.bound(low, c) : left_.start(c).h;
      const double after = suffix ? suffix_least + right_.bound(rh, rc) : right_.start(rc).h;
      if (!(before + after < spot.cost)) continue;
      if (prefix) {
        step(*prefix, left_.segment(low, c), left_.limits(low, c), spot.cost - after, from_left_);
      } else {
        from_left_ = {left_.start_piece(c, kInf)};
      }
      if (suffix) {
        step(*suffix, right_.segment(rh, rc), right_.limits(rh, rc), spot.cost - before, from_right_);
      } else {
        from_right_ = {right_.start_piece(rc, kInf)};
      }
      Meeting here;
      here.cost = spot.cost;
      meet(from_left_, from_right_, here);
      if (here.cost < spot.cost) spot = {here.cost, c};
    }
    return spot;
  }

  const Side& left_;
  const Side& right_;
  int n_;
  Watch& watch_;
  std::vector<Pieces> prefixes_;
  std::vector<Pieces> suffixes_;
  Pieces from_left_;
  Pieces from_right_;
};

}  // namespace curvec::fit
