// Finer candidates around the best knots: the search again, where it matters.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "fit/search_space.hpp"
#include "fit/sorted.hpp"

namespace curvec::fit {

// Candidates, and the best curve found on them.
struct Solution {
  TaskPointer task;
  Answer best;
};

namespace detail {

inline constexpr double kWorth = 1e-4;  // a round that gains less than this share of the cost ends the refinement

[[nodiscard]] inline std::vector<double> at_indices(const std::vector<double>& x, const std::vector<int>& chosen) {
  std::vector<double> out;
  for (const int k : chosen) out.push_back(x[static_cast<std::size_t>(k)]);
  return out;
}

[[nodiscard]] inline std::vector<int> indices_of(const std::vector<double>& knots, const std::vector<double>& x) {
  std::vector<int> out;
  for (const double knot : knots) {
    out.push_back(static_cast<int>(std::lower_bound(x.begin(), x.end(), knot) - x.begin()));
  }
  return out;
}

// What refinement may cost, in units of work: 2^24 in any case, else four times what the search before it took.
inline constexpr long long kLeastWork = 1LL << 24;
inline constexpr long long kTimesWork = 4;

// A task, a curve on it, and what that costs.
struct Finer {
  TaskPointer task;
  std::vector<int> knots;
  double cost;
};

// The candidates of `base` and finer ones, and a curve on them. Each round searches around the knots of the round
// before; the last round's knots stay.
[[nodiscard]] inline Finer finer(const SearchSpace& space, const Solution& base, int wanted, Watch& watch) {
  constexpr int kRounds = 4;  // each divides a gap without data in four, the fourth time into 256 parts
  const std::vector<double>& coarse = base.task->x();
  const std::vector<double> fixed = at_indices(coarse, base.task->problem().required);
  std::vector<double> knots = at_indices(coarse, base.best.curve.knots);
  std::vector<double> pool = coarse;
  double cost = base.best.curve.cost;
  bool better = false;
  for (int round = 0; round < kRounds && !watch.expired(); ++round) {
    const TaskPointer task = space.task(space.finer(knots, pool, fixed), knots);
    const Answer found = task->search(wanted, {indices_of(knots, task->x())}, watch, wanted).back();
    if (found.curve.knots.empty() || !(found.curve.cost < cost * (1.0 - kWorth))) break;
    better = true;
    knots = at_indices(task->x(), found.curve.knots);
    pool = task->x();
    cost = found.curve.cost;
  }
  if (!better) return {base.task, base.best.curve.knots, cost};
  std::vector<double> all = coarse;
  all.insert(all.end(), knots.begin(), knots.end());
  sort_distinct(all);
  const TaskPointer task = space.task(std::move(all), knots);
  return {task, indices_of(knots, task->x()), cost};
}

}  // namespace detail

// The best curve of at most `wanted` segments on the candidates of `base` and finer ones around good knots, by an
// exhaustive search: never worse than the best on the candidates of `base`. Where that is far more work than the search
// so far (many near ties), it is that best.
[[nodiscard]] inline Solution refined(const SearchSpace& space, Solution base, int wanted, Watch& watch) {
  constexpr int kRepeats = 3;  // how often the search may move on to another place
  Watch own = watch.limited(std::max(detail::kLeastWork, detail::kTimesWork * watch.done()));
  for (int repeat = 0; repeat < kRepeats && !own.expired(); ++repeat) {
    const detail::Finer start = detail::finer(space, base, wanted, own);
    if (start.task == base.task && base.best.optimal) return base;
    const Solution next{start.task, start.task->search(wanted, {start.knots}, own, wanted).back()};
    if (own.expired() && own.seconds_left() > 0.0) break;
    base = next;
    if (!(base.best.curve.cost < start.cost * (1.0 - detail::kWorth))) return base;
    // The exhaustive search found better knots than those that were refined, somewhere else: now these are refined.
  }
  if (!base.best.optimal) base.best = base.task->search(wanted, {base.best.curve.knots}, watch, wanted).back();
  return base;
}

}  // namespace curvec::fit
