// One problem on given candidates, and the search that its shape asks for.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "fit/peak.hpp"
#include "fit/search.hpp"

namespace curvec::fit {

// Where the direction may turn, once.
enum class Turn { none, peak, valley, bitonic };

class Task;
using TaskPointer = std::shared_ptr<const Task>;
// The search for curves whose segments depend on each other by more than where they meet: convex and concave ones, and
// those with one y at both ends. It is Python's (curvec/fit/curvature.py, periodic.py), and starts from the answers
// without that.
using JointSearch = std::function<std::vector<Answer>(const TaskPointer&, int most, int fewest, const Starts&, Watch&)>;

class Task : public std::enable_shared_from_this<Task> {
 public:
  Task(std::vector<double> x, const Problem& problem, Turn turn, JointSearch joint_search)
      : x_(std::move(x)), sides_(problem), turn_(turn), joint_search_(std::move(joint_search)) {}

  // The candidates in the units of x; those of the sides' knots are u.
  [[nodiscard]] const std::vector<double>& x() const noexcept { return x_; }
  [[nodiscard]] const Problem& problem() const noexcept { return sides_.left.problem(); }
  [[nodiscard]] const Sides& sides() const noexcept { return sides_; }
  // Whether the search goes from good curves to the best; others only know the best.
  [[nodiscard]] bool plain() const noexcept { return turn_ == Turn::none && !joint_search_; }
  // More segments than that are of no use; none where a transform makes all candidates one.
  [[nodiscard]] int room() const noexcept { return static_cast<int>(sides_.left.useful().size()) - 1; }

  // The best curve for every number of segments from `fewest` (where that saves time) up to `most`. Where the search
  // can use it, curves that cost `ceiling` or more are not looked for.
  [[nodiscard]] std::vector<Answer> search(int most, const Starts& starts, Watch& watch, int fewest = 1,
                                           double ceiling = kInf) const {
    if (joint_search_) return joint_search_(shared_from_this(), most, fewest, starts, watch);
    return search_without_joint(most, starts, watch, fewest, ceiling);
  }

  // The same data and constraints with some of the candidates, among them all that are required.
  [[nodiscard]] TaskPointer on(const std::vector<int>& kept) const {
    std::vector<double> x;
    for (const int k : kept) x.push_back(x_[static_cast<std::size_t>(k)]);
    return std::make_shared<const Task>(std::move(x), fit::on(problem(), kept), turn_, joint_search_);
  }

  // The same data and constraints, for curves that begin and end at this y.
  [[nodiscard]] TaskPointer with_ends(double y) const {
    Problem p = problem();
    p.end_y = y;
    return std::make_shared<const Task>(x_, p, turn_, JointSearch{});
  }

  // The same, without the constraints that a JointSearch is for.
  [[nodiscard]] std::vector<Answer> search_without_joint(int most, const Starts& starts, Watch& watch, int fewest = 1,
                                                         double ceiling = kInf) const {
    const int reach = std::min(most, room());
    if (reach < 1) return std::vector<Answer>(static_cast<std::size_t>(most - fewest + 1));
    const int least = std::min(fewest, room());
    std::vector<Answer> found = turn_ != Turn::none ? turning(reach, starts, watch, least)
                                                    : Search(sides_, reach, watch, least).run(starts, ceiling);
    found.resize(static_cast<std::size_t>(most - fewest + 1), found.back());
    return found;
  }

 private:
  [[nodiscard]] std::vector<Answer> turning(int most, const Starts& starts, Watch& watch, int fewest) const {
    if (turn_ == Turn::peak) return PeakSearch(problem(), most, watch, fewest).run(starts);
    if (turn_ == Turn::valley) return search_valley(problem(), most, watch, starts, fewest);
    Watch half = watch.half();
    std::vector<Answer> best = PeakSearch(problem(), most, half, fewest).run(starts);
    const std::vector<Answer> valleys = search_valley(problem(), most, watch, starts, fewest);
    for (std::size_t k = 0; k < best.size(); ++k) {
      const Answer peak = best[k];
      if (valleys[k].curve.cost < peak.curve.cost) best[k] = valleys[k];
      best[k].lower = std::min(peak.lower, valleys[k].lower);
      best[k].optimal = peak.optimal && valleys[k].optimal;
    }
    return best;
  }

  std::vector<double> x_;
  Sides sides_;
  Turn turn_;
  JointSearch joint_search_;
};

}  // namespace curvec::fit
