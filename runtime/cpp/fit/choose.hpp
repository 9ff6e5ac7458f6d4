// The whole fit under one transform, or under the better of two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "fit/refine.hpp"

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
      best_ = search_->good(most);
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

// Which of two transforms, the first of which has started: that of the better best curve. The loser's needs not be
// known: it is enough that none is good enough to win against a curve that the winner has in hand. Returns whether it
// is the second.
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
  std::size_t frame = 0;
  Solution solution;
};

// At most `wanted` segments, on the candidates `x[k]` of frame k; every search but the last is only as exhaustive as
// its purpose needs.
[[nodiscard]] inline Fitted fit_frames(const std::vector<const Frame*>& frames,
                                       const std::vector<std::vector<double>>& x, int wanted, bool refines,
                                       const Choice& choice, Watch& watch) {
  std::vector<Pursuit> pursuits;
  pursuits.emplace_back(frames[0]->task(x[0]), wanted, watch);
  pursuits[0].start({});
  std::size_t at = 0;
  if (frames.size() > 1 && !pursuits[0].unbeatable(choice)) {
    pursuits.emplace_back(frames[1]->task(x[1]), wanted, watch);
    at = choose(pursuits[0], pursuits[1], choice, watch) ? 1 : 0;
  }
  Pursuit& won = pursuits[at];
  // Nothing to gain where every candidate may be a knot, or the curve leaves nothing.
  const bool room = wanted < won.task()->room() && won.best().curve.cost > choice.floor;
  if (refines && room && !won.best().curve.knots.empty()) {
    Solution base{won.task(), won.best()};
    pursuits.clear();  // their tables are the next task's
    return {at, refined(*frames[at], std::move(base), wanted, watch)};
  }
  won.prove();
  return {at, {won.task(), won.best()}};
}

}  // namespace curvec::fit
