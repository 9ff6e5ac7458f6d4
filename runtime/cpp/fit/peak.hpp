// The exact search for curves that go up, then down: an increasing half meets a decreasing one at any knot.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "fit/bounds.hpp"
#include "fit/chain.hpp"
#include "fit/levels.hpp"
#include "fit/local.hpp"
#include "fit/search.hpp"
#include "fit/side.hpp"
#include "fit/tidy.hpp"
#include "fit/watch.hpp"

namespace curvec::fit {

// A problem whose slopes are limited further.
[[nodiscard]] inline Problem with_slopes(Problem p, double low, double high) {
  p.slope_low = std::max(p.slope_low, low);
  p.slope_high = std::min(p.slope_high, high);
  return p;
}

// The same data upside down: a valley becomes a peak.
[[nodiscard]] inline Problem flipped(Problem p) {
  for (Moments& gap : p.gaps) gap.y = -gap.y, gap.slope = -gap.slope;
  for (double& y : p.given) y = -y;
  p.end_y = -p.end_y;
  std::swap(p.slope_low, p.slope_high);
  std::swap(p.y_low, p.y_high);
  p.slope_low = -p.slope_low;
  p.slope_high = -p.slope_high;
  p.y_low = -p.y_low;
  p.y_high = -p.y_high;
  return p;
}

class PeakSearch {
 public:
  // Answers are for every number of segments from `fewest` up to most_segments; flat segments are allowed, so that
  // every curve is one of more segments too.
  PeakSearch(const Problem& problem, int most_segments, Watch& watch, int fewest = 1)
      : up_(with_slopes(problem, 0.0, kInf)),
        down_(with_slopes(problem, -kInf, 0.0)),
        free_(problem),
        free_mirror_(mirrored(problem), free_),
        left_(up_),
        own_down_(down_),
        right_(mirrored(down_), own_down_),
        most_(most_segments),
        fewest_(fewest),
        n_(left_.size()),
        watch_(watch) {}

  std::vector<Answer> run(const Starts& starts) {
    // Left of a knot on the way down the curve may still go up first, and right of one on the way up it may still come
    // down: these bounds allow both directions.
    const Grid right_of_up = turning_bounds(right_, Side(mirrored(up_), left_));
    const Grid left_of_down = turning_bounds(left_, own_down_);
    best_.assign(index(most_) + 1, {});
    incumbents(starts);
    std::vector<double> costs;
    for (const Incumbent& best : best_) costs.push_back(best.cost);
    Grid left_own = left_bounds(left_, most_);
    Grid right_own = left_bounds(right_, most_);
    const Levels g = Expansion(right_, {costs, left_of_down, n_, fewest_}, watch_).run(most_, right_own);
    const Levels f = Expansion(left_, {costs, right_of_up, n_, fewest_}, watch_).run(most_, left_own);
    if (!watch_.expired()) join(f, g);
    return answers(right_of_up);
  }

 private:
  struct Incumbent {
    std::vector<int> knots;
    double cost = kInf;
  };

  [[nodiscard]] static std::size_t index(int k) noexcept { return static_cast<std::size_t>(k); }
  [[nodiscard]] int mirror(int k) const noexcept { return n_ - 1 - k; }

  // As left_bounds, for curves that go in this side's own direction first, then any number of segments in the other
  // one.
  [[nodiscard]] Grid turning_bounds(const Side& own, const Side& other) const {
    Grid bound = left_bounds(own, most_);
    for (std::size_t m = 1; m < bound.size(); ++m) {
      for (int j = static_cast<int>(m); j < n_; ++j) {
        double& best = bound[m][index(j)];
        for (int i = std::max(own.first(j), static_cast<int>(m) - 1); i < j; ++i) {
          best = std::min(best, bound[m - 1][index(i)] + other.bound(i, j));
        }
      }
    }
    return bound;
  }

  // Good knots for the free problem, and for the two directions, each with its best peak.
  void incumbents(const Starts& starts) {
    for (const std::vector<int>& knots : starts) offer(knots);
    const std::array<const Problem*, 3> problems{&free_.problem(), &up_, &down_};
    for (const Problem* p : problems) {
      const Sides sides(*p);
      Search search(sides, most_, watch_);
      search.start({});
      for (int k = 1; k <= most_; ++k) offer(search.incumbent(k).curve.knots);
    }
  }

  void offer(const std::vector<int>& knots) {
    for (std::size_t peak = 0; peak < knots.size(); ++peak) offer(knots, peak);
  }

  void offer(const std::vector<int>& knots, std::size_t peak) {
    if (knots.size() < 2) return;
    const double cost = solve_at(knots, peak).cost;
    for (int k = std::max(fewest_, static_cast<int>(knots.size()) - 1); k <= most_; ++k) {
      if (cost < best_[index(k)].cost) best_[index(k)] = {knots, cost};
    }
  }

  [[nodiscard]] Curve solve_at(const std::vector<int>& knots, std::size_t peak) const {
    Slopes slopes;
    for (std::size_t m = 1; m < knots.size(); ++m) {
      const Problem& p = m <= peak ? up_ : down_;
      slopes.emplace_back(p.slope_low, p.slope_high);
    }
    return solve(free_, free_mirror_.start(mirror(knots.back())), knots, slopes);
  }

  // The best curve on these knots, whichever is the highest.
  [[nodiscard]] Curve solve_on(const std::vector<int>& knots) const {
    Curve best;
    const std::vector<int>& required = free_.problem().required;
    if (!std::includes(knots.begin(), knots.end(), required.begin(), required.end())) return best;
    for (std::size_t peak = 0; peak < knots.size(); ++peak) {
      const Curve curve = solve_at(knots, peak);
      if (curve.cost < best.cost) best = curve;
    }
    return best;
  }

  // The curve without the knots that can be left out at no cost, and with its knots moved to values of the data where
  // that costs nothing.
  [[nodiscard]] Curve tidy(const std::vector<int>& knots) const {
    const auto cost = [this](const std::vector<int>& some) { return solve_on(some).cost; };
    return solve_on(tidied(free_.problem(), knots, free_.start(n_ - 1).h, cost));
  }

  void join(const Levels& f, const Levels& g) {
    for (int k = fewest_; k <= most_; ++k) {
      for (int m = 0; m <= k; ++m) {
        for (int j = 0; j < n_; ++j) {
          Meeting here;
          here.cost = best_[index(k)].cost;
          const double before = here.cost;
          meet(f[index(m)][index(j)], g[index(k - m)][index(mirror(j))], here);
          if (!(here.cost < before)) continue;
          const std::vector<int> left = trace(f, m, j, here.left);
          offer(join_halves(left, trace(g, k - m, mirror(j), here.right), n_), left.size() - 1);
        }
      }
    }
  }

  [[nodiscard]] std::vector<Answer> answers(const Grid& right_of_up) const {
    std::vector<Answer> out;
    double bound = kInf;
    for (int k = fewest_; k <= most_; ++k) {
      const Incumbent& best = best_[index(k)];
      Answer answer;
      if (!best.knots.empty()) answer.curve = tidy(best.knots);
      answer.optimal = !watch_.expired();
      for (int j = 0; j <= left_.last_start(); ++j) {
        bound = std::min(bound, left_.start(j).h + right_of_up[index(k)][index(mirror(j))]);
      }
      answer.lower = answer.optimal ? answer.curve.cost : std::min(bound, answer.curve.cost);
      out.push_back(answer);
    }
    return out;
  }

  Problem up_;
  Problem down_;
  Side free_;
  Side free_mirror_;
  Side left_;
  Side own_down_;
  Side right_;  // its mirror image: a segment made of mirrored moments would have roundings of its own
  int most_;
  int fewest_;
  int n_;
  Watch& watch_;
  std::vector<Incumbent> best_;
};

// The best valley: the best peak upside down.
[[nodiscard]] inline std::vector<Answer> search_valley(const Problem& problem, int most, Watch& watch,
                                                       const Starts& starts, int fewest = 1) {
  std::vector<Answer> answers = PeakSearch(flipped(problem), most, watch, fewest).run(starts);
  for (Answer& answer : answers) {
    for (double& y : answer.curve.y) y = 0.0 - y;
  }
  return answers;
}

}  // namespace curvec::fit
