// The exact search: the best curve for every number of segments, by functional dynamic programming from both ends.
//
// With F_m,i(y) the least cost of everything left of knot i when the curve has m segments so far and is y there,
//   F_m+1,j(z) = min over i < j and y of F_m,i(y) + cost_ij(y, z),
// and G the same from the right, the optimum for K segments is the least of F_m,i(y) + G_K-m,i(y) for any one m. So the
// functions are needed only up to half the depth: m = K - K / 2 (integer division) for an even K, and for an odd one
// half a curve on either side of one more segment. F_0,i is the cost of the constant part left of the first knot.
//
// Each F is the least of many quadratics in y, one for each way to get there, kept as a list of intervals with the one
// that is lowest on each (envelope.hpp). A piece is dropped when it costs, together with a bound for what is still to
// come (bounds.hpp, tilt.hpp), as much as a curve already in hand (local.hpp). That is functional pruning: Rigaill 2015
// (arXiv:1004.0887); Maidstone, Hocking, Rigaill and Fearnhead 2017 (Statistics and Computing 27); with continuity, as
// here: Fearnhead, Maidstone and Letchford 2019 (Journal of
// Computational and Graphical Statistics 28); with constraints: Runge et al.
// 2023 (Journal of Statistical Software 106, gfpop).
//
// An example: the points (0, 0), (1, 1), (2, 0) of weight one, which are the candidates too; one segment. A point on a
// knot belongs to the gap at the knot's right, so F_0,0 = 0, and with y at knot 0 and z at knot 2 the segment costs
// (y - 0)^2 + ((y + z) / 2 - 1)^2. The best y is 0.4 - 0.2 z, which makes F_1,2(z) = 0.2 (z - 2)^2. The constant part
// right of knot 2 costs (z - 0)^2; the sum is least at z = 1/3, and is 2/3: the flat curve at the mean. With two
// segments F_1,1 = 0, F_2,2 = 0, and z = 0 costs nothing.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "fit/bounds.hpp"
#include "fit/chain.hpp"
#include "fit/levels.hpp"
#include "fit/local.hpp"
#include "fit/side.hpp"
#include "fit/sorted.hpp"
#include "fit/tidy.hpp"
#include "fit/watch.hpp"

namespace curvec::fit {

using Starts = std::vector<std::vector<int>>;  // sets of knots to begin from

struct Answer {
  Curve curve;           // at most as many segments as asked for
  double lower = 0.0;    // nothing on these candidates costs less
  bool optimal = false;  // lower is the curve's own cost, by an exhaustive search
};

class Search {
 public:
  // Answers are for every number of segments from `fewest` up to most_segments.
  Search(const Sides& sides, int most_segments, Watch& watch, int fewest = 1)
      : left_(sides.left),
        right_(sides.right),
        most_(most_segments),
        reported_(fewest),
        fewest_(sides.left.problem().flat() ? fewest : 1),
        n_(left_.size()),
        room_(static_cast<int>(left_.useful().size()) - 1),
        watch_(watch) {}

  std::vector<Answer> run(const Starts& starts, double ceiling = kInf) {
    start(starts);
    return prove(ceiling);
  }

  // Finds good curves, from these knots or from its own: the incumbents, which the exact search has to beat.
  void start(const Starts& starts) {
    if (fewest_ == room_) return;
    left_bound_ = left_bounds(left_, most_);
    right_bound_ = left_bounds(right_, most_);
    best_.assign(index(most_) + 1, {});
    incumbents(starts);
  }

  // The incumbent of at most so many segments, without a proof.
  [[nodiscard]] Answer incumbent(int segments) const {
    if (fewest_ == room_) return of_useful_knots(kInf);
    const Incumbent& best = best_[index(segments)];
    Answer answer;
    if (!best.knots.empty()) answer.curve = tidy(best.knots);
    return answer;
  }

  // The best curves. Only those that cost less than `ceiling` are of interest: an answer without a curve says that
  // there is none.
  std::vector<Answer> prove(double ceiling = kInf) {
    if (fewest_ == room_) return {of_useful_knots(ceiling)};
    start_ = best_.back();
    for (Incumbent& best : best_) {
      if (!(best.cost < ceiling)) best = {{}, ceiling};
    }
    const Grid plain_left = left_bound_;
    half_ = std::max(1, most_ / 2);
    std::vector<double> costs;
    for (const Incumbent& best : best_) costs.push_back(best.cost);
    tilt();
    std::optional<Guide> right;
    std::optional<Guide> left;
    if (left_tilt_) {
      right.emplace(Guide{*right_tilt_, {costs, left_tilted_, n_, fewest_}, right_tilted_});
      left.emplace(Guide{*left_tilt_, {costs, right_tilted_, n_, fewest_}, left_tilted_});
    }
    Expansion g(right_, {costs, left_bound_, n_, fewest_}, watch_, right ? &*right : nullptr);
    Expansion f(left_, {costs, right_bound_, n_, fewest_}, watch_, left ? &*left : nullptr);
    for (int m = 0; m <= half_ && !watch_.expired(); ++m) {  // each level by what the other side's last one says
      g.add_level(right_bound_);
      g.sharpen(right_bound_);
      f.add_level(left_bound_);
      if (m < half_) f.sharpen(left_bound_);
    }
    if (!watch_.expired()) join(f.levels(), g.levels());
    return answers(plain_left);
  }

 private:
  // The search on every few candidates, from which the one on all of them starts, has about so many: of the usual 100
  // candidates the pairs of 24 are a seventeenth.
  static constexpr int kCoarse = 24;

  [[nodiscard]] static std::size_t index(int k) noexcept { return static_cast<std::size_t>(k); }
  [[nodiscard]] int mirror(int k) const noexcept { return n_ - 1 - k; }

  struct Incumbent {
    std::vector<int> knots;
    double cost = kInf;
  };

  void offer(const std::vector<int>& knots, double cost) {
    for (int k = std::max(1, static_cast<int>(knots.size()) - 1); k <= most_; ++k) {
      if (cost < best_[index(k)].cost) best_[index(k)] = {knots, cost};
    }
  }

  // The second bound, where it can help: one number of segments, slopes and y within limits.
  void tilt() {
    const Problem& p = left_.problem();
    const bool limited = p.slope_low > -kInf || p.slope_high < kInf;
    const std::vector<int>& knots = start_.knots;
    if (most_ < 2 || fewest_ < most_ || knots.empty() || !limited) return;
    const Reach reach = reach_of(p, start_.cost);
    if (!reach.bounded()) return;
    left_tilt_.emplace(left_, solve(left_, right_.start(mirror(knots.back())), knots), reach);
    right_tilt_.emplace(right_, *left_tilt_);
    left_tilted_ = tilted_bounds(left_, *left_tilt_, most_, reach);
    right_tilted_ = tilted_bounds(right_, *right_tilt_, most_, reach);
  }

  void incumbents(const Starts& starts) {
    LocalSearch local(left_, right_, watch_);
    for (const std::vector<int>& start : starts) improve(local, start);
    if (starts.empty() && n_ >= 2 * kCoarse) improve(local, coarsely());
    for (int k = fewest_; k <= most_; ++k) {
      if (starts.empty()) improve(local, detached(k));
      if (k > 1 && !best_[index(k - 1)].knots.empty()) {
        std::vector<int> knots = best_[index(k - 1)].knots;
        if (local.insert(knots) < kInf) improve(local, knots);
      }
      watch_.work(1 << 12);
    }
    for (int k = most_; k > fewest_; --k) {
      std::vector<int> knots = best_[index(k)].knots;
      if (static_cast<int>(knots.size()) == k + 1 && local.remove(knots) < kInf) improve(local, knots);
    }
  }

  void improve(LocalSearch& local, std::vector<int> knots) {
    if (knots.size() < 2 || static_cast<int>(knots.size()) > most_ + 1) return;
    const double cost = local.polish(knots);
    if (cost < kInf) offer(knots, cost);
  }

  // The best knots among every few candidates.
  [[nodiscard]] std::vector<int> coarsely() const {
    const int stride = n_ / kCoarse;
    std::vector<int> kept = left_.problem().required;
    for (int k = 0; k < n_; k += stride) kept.push_back(k);
    kept.push_back(n_ - 1);
    sort_distinct(kept);
    const Sides coarse(on(left_.problem(), kept));
    const int most = std::min(most_, static_cast<int>(coarse.left.useful().size()) - 1);
    std::vector<int> knots = Search(coarse, most, watch_, most).run({}).back().curve.knots;
    for (int& knot : knots) knot = kept[index(knot)];
    return knots;
  }

  // The knots of the best k segments that need not meet.
  [[nodiscard]] std::vector<int> detached(int k) const {
    double best = kInf;
    int at = -1;
    for (int j = 0; j <= left_.last_start(); ++j) {
      const double cost = left_.start(j).h + right_bound_[index(k)][index(mirror(j))];
      if (cost < best) best = cost, at = j;
    }
    if (at < 0) return {};
    std::vector<int> knots = detached_knots(right_, right_bound_, k, mirror(at));
    for (int& knot : knots) knot = mirror(knot);
    return knots;
  }

  void join(const Levels& f, const Levels& g) {
    for (int k = fewest_; k <= std::min(most_, 2 * half_); ++k) {
      const int m = k - k / 2;
      for (int j = 0; j < n_; ++j) {
        Meeting here;
        here.cost = best_[index(k)].cost;
        const double before = here.cost;
        meet(f[index(m)][index(j)], g[index(k - m)][index(mirror(j))], here);
        if (here.cost < before) take(trace(f, m, j, here.left), trace(g, k - m, mirror(j), here.right));
      }
    }
    if (most_ > 2 * half_) join_over_segment(f, g);
  }

  // For odd K: half a curve on either side of one more segment.
  void join_over_segment(const Levels& f, const Levels& g) {
    Pieces over;
    for (int j = 1; j < n_ && !watch_.expired(); ++j) {
      const Span after = g[index(half_)][index(mirror(j))];
      if (after.empty()) continue;
      const double after_least = least(after);
      double after_tilted = kInf;
      for (const Piece& p : after) after_tilted = std::min(after_tilted, p.tilted);
      for (int i = left_.first(j); i < j; ++i) {
        const Span before = f[index(half_)][index(i)];
        const Incumbent& best = best_[index(most_)];
        const double bound = left_.bound(i, j) + after_least;
        for (std::size_t k = 0; k < before.size(); ++k) {
          const Piece& p = before[k];
          if (!(p.least + bound < best.cost)) continue;
          if (left_tilt_ && !(p.tilted + left_tilt_->edge(i, j) + after_tilted < best.cost * (1.0 + kTiltRounding)))
            continue;
          over.clear();
          advance(p, left_.segment(i, j), left_.limits(i, j), best.cost - after_least,
                  [&](const Piece& q) { over.push_back(q); });
          Meeting here;
          here.cost = best.cost;
          meet(over, after, here);
          if (here.cost < best.cost) {
            take(trace(f, half_, i, static_cast<int>(k)), trace(g, half_, mirror(j), here.right));
          }
        }
        watch_.work(static_cast<int>(before.size()) * 16);
      }
    }
  }

  void take(const std::vector<int>& left, const std::vector<int>& right) {
    const std::vector<int> knots = join_halves(left, right, n_);
    offer(knots, LocalSearch(left_, right_, watch_).cost_of(knots));
  }

  // No curve is better than one with a knot at every candidate that is of use.
  [[nodiscard]] Answer of_useful_knots(double ceiling) const {
    Answer answer;
    answer.curve = tidy(left_.useful());
    answer.optimal = true;
    answer.lower = std::min(answer.curve.cost, ceiling);
    if (!(answer.curve.cost < ceiling)) answer.curve = {};
    return answer;
  }

  // Without the knots that do not help, and on values of the data where that costs nothing.
  [[nodiscard]] Curve tidy(const std::vector<int>& found) const {
    LocalSearch local(left_, right_, watch_);
    const auto cost = [&](const std::vector<int>& some) { return local.cost_of(some); };
    const std::vector<int> knots = tidied(left_.problem(), found, left_.start(n_ - 1).h, cost);
    return solve(left_, right_.start(mirror(knots.back())), knots);
  }

  [[nodiscard]] std::vector<Answer> answers(const Grid& plain_left) const {
    std::vector<Answer> out;
    for (int k = reported_; k <= most_; ++k) {
      const Incumbent& best = best_[index(k)];
      Answer answer;
      if (!best.knots.empty()) answer.curve = tidy(best.knots);
      answer.optimal = !watch_.expired();
      answer.lower = std::min(best.cost, answer.curve.cost);
      if (!answer.optimal) {
        double bound = kInf;
        for (int j = 0; j < n_; ++j) {
          for (int m = 1; m <= k; ++m) {
            bound = std::min(bound, plain_left[index(m)][index(j)] + right_.start(mirror(j)).h);
          }
        }
        answer.lower = std::min(bound, answer.lower);
      }
      out.push_back(answer);
    }
    return out;
  }

  const Side& left_;
  const Side& right_;
  int most_;
  int reported_;
  int fewest_;  // curves of fewer segments need no search of their own
  int n_;
  int room_;
  Watch& watch_;
  int half_ = 1;
  Grid left_bound_;
  Grid right_bound_;
  std::optional<Tilt> left_tilt_;
  std::optional<Tilt> right_tilt_;
  Grid left_tilted_;
  Grid right_tilted_;
  std::vector<Incumbent> best_;
  Incumbent start_;  // the curve that the search starts from, whatever the ceiling
};

}  // namespace curvec::fit
