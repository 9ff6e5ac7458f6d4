// The whole fit under one transform, or under the better of two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "fit/refine_knots.hpp"

namespace curvec::fit {

// How the second transform wins over the first: by leaving a `margin` less of what is above `floor`.
struct Choice {
  double floor = 0.0;
  double margin = 0.0;

  [[nodiscard]] double above(double cost) const noexcept { return std::max(cost - floor, 0.0); }
  [[nodiscard]] bool second_wins(const Curve& first, const Curve& second) const noexcept {
    return !second.knots.empty() && above(second.cost) < (1.0 - margin) * above(first.cost);
  }
  // What the other one must cost less than, to win.
  [[nodiscard]] double needed(bool second, double cost) const noexcept {
    return floor + (second ? above(cost) * (1.0 - margin) : above(cost) / (1.0 - margin));
  }
};

// The search on one task: a good curve first, the best one if it is asked for.
class Pursuit {
 public:
  Pursuit(TaskPointer task, int wanted, Watch& watch) : task_(std::move(task)), wanted_(wanted), watch_(watch) {}

  [[nodiscard]] const TaskPointer& task() const noexcept { return task_; }
  [[nodiscard]] const Answer& best() const noexcept { return best_; }

  void start(const Starts& starts) {
    if (task_->room() < 1) return;
    if (task_->plain()) {
      const int most = std::min(wanted_, task_->room());
      search_.emplace(task_->sides(), most, watch_, most);
      search_->start(starts);
      best_ = search_->incumbent(most);
    } else {
      best_ = task_->search(wanted_, starts, watch_, wanted_).back();
    }
  }

  // The best curve that costs less than `ceiling`, or none.
  void prove(double ceiling = kInf) {
    if (!exhausted()) best_ = search_->prove(ceiling).back();
    search_.reset();
  }

  // Whether no curve over any transform can win against this one.
  [[nodiscard]] bool unbeatable(const Choice& choice) const {
    if (best_.curve.knots.empty()) return false;
    const Problem& p = task_->problem();
    const bool passes_all = p.flat() && wanted_ >= task_->room() && all_on_knots(p.gaps);
    return passes_all || !(choice.above(best_.curve.cost) > 0.0);
  }

  // Whether there is nothing more to be known.
  [[nodiscard]] bool exhausted() const noexcept { return best_.optimal || !search_; }

 private:
  TaskPointer task_;
  int wanted_;
  Watch& watch_;
  std::optional<Search> search_;
  Answer best_;
};

// Whether the second of two transforms wins: whether its best curve is the better one. The search under the first has
// been started. The loser's best curve need not be found: it is enough to know that none of its curves wins against one
// that the winner already has.
[[nodiscard]] inline bool choose(Pursuit& first, Pursuit& second, const Choice& choice, const Watch& watch) {
  // The knots that are good under one transform are a place to start from under the other.
  const std::vector<double> knots = detail::at_indices(first.task()->x(), first.best().curve.knots);
  const std::vector<double>& x = second.task()->x();
  const bool shared = !knots.empty() && std::includes(x.begin(), x.end(), knots.begin(), knots.end());
  second.start(shared ? Starts{detail::indices_of(knots, x)} : Starts{});
  while (true) {
    const bool won = choice.second_wins(first.best().curve, second.best().curve);
    Pursuit& loser = won ? first : second;
    const Pursuit& winner = won ? second : first;
    if (loser.exhausted() || watch.expired()) return won;
    loser.prove(choice.needed(!won, winner.best().curve.cost));
    if (loser.best().curve.knots.empty()) return won;
  }
}

struct Fitted {
  std::size_t space = 0;
  int segments = 0;  // that were asked for, or the fewest that are enough
  Solution solution;
};

// At most `wanted` segments, on the candidates `x[k]` of space k; every search but the last is only as exhaustive as
// its purpose needs.
[[nodiscard]] inline Fitted fit_best_transform(const std::vector<const SearchSpace*>& spaces,
                                               const std::vector<std::vector<double>>& x, int wanted, bool refines,
                                               const Choice& choice, Watch& watch) {
  std::vector<Pursuit> pursuits;
  pursuits.emplace_back(spaces[0]->task(x[0]), wanted, watch);
  pursuits[0].start({});
  std::size_t at = 0;
  if (spaces.size() > 1 && !pursuits[0].unbeatable(choice)) {
    pursuits.emplace_back(spaces[1]->task(x[1]), wanted, watch);
    at = choose(pursuits[0], pursuits[1], choice, watch) ? 1 : 0;
  }
  Pursuit& won = pursuits[at];
  // Nothing to gain where every candidate may be a knot, or the curve leaves nothing.
  const bool room = wanted < won.task()->room() && won.best().curve.cost > choice.floor;
  if (refines && room && !won.best().curve.knots.empty()) {
    Solution base{won.task(), won.best()};
    pursuits.clear();  // their tables are the next task's
    return {at, wanted, refined(*spaces[at], std::move(base), wanted, watch)};
  }
  won.prove();
  return {at, wanted, {won.task(), won.best()}};
}

// The fewest segments that leave no more than `enough`, or `most` where none do, and the best curve of so many.
struct Fewest {
  int segments = 0;
  Answer best;
};

[[nodiscard]] inline Fewest fewest_segments(const Task& task, int most, double enough, const Starts& starts,
                                            Watch& watch) {
  const std::vector<Answer> answers = task.search(most, starts, watch);
  int segments = 1;
  for (; segments < most; ++segments) {
    const Curve& curve = answers[static_cast<std::size_t>(segments) - 1].curve;
    if (!curve.knots.empty() && curve.cost <= enough) break;
  }
  return {segments, answers[static_cast<std::size_t>(segments) - 1]};
}

// The fewest segments, at most `most`, that leave no more than `enough`, under the transform that needs fewer; where
// both need as many, `choice` decides.
[[nodiscard]] inline Fitted fit_fewest_segments(const std::vector<const SearchSpace*>& spaces,
                                                const std::vector<std::vector<double>>& x, int most, double enough,
                                                bool refines, const Choice& choice, Watch& watch) {
  std::vector<TaskPointer> tasks;
  std::vector<Fewest> found;
  for (std::size_t k = 0; k < spaces.size(); ++k) {
    tasks.push_back(spaces[k]->task(x[k]));
    found.push_back(fewest_segments(*tasks[k], most, enough, {}, watch));
  }
  std::size_t at = 0;
  if (spaces.size() > 1) {
    const bool as_many = found[0].segments == found[1].segments;
    const bool second =
        as_many ? choice.second_wins(found[0].best.curve, found[1].best.curve) : found[1].segments < found[0].segments;
    at = second ? 1 : 0;
  }
  Fewest best = found[at];
  Solution solution{tasks[at], best.best};
  if (refines && !best.best.curve.knots.empty()) {
    Watch afresh = watch.afresh();
    const Solution finer = refined(*spaces[at], solution, best.segments, afresh);
    if (finer.task->x().size() != tasks[at]->x().size()) {  // finer candidates: fewer segments may now be enough
      best = fewest_segments(*finer.task, most, enough, {finer.best.curve.knots}, watch);
    }
    solution = {finer.task, best.best};
  }
  return {at, best.segments, solution};
}

}  // namespace curvec::fit
