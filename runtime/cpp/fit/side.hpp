// One reading direction of a fit: candidate knots, the cost of every segment, and a bound for each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "fit/advance.hpp"
#include "fit/envelope.hpp"
#include "fit/kernels.hpp"
#include "fit/moments.hpp"
#include "fit/reused.hpp"
#include "fit/runs.hpp"
#include "fit/segment.hpp"

namespace curvec::fit {

inline constexpr double kFree = std::numeric_limits<double>::quiet_NaN();

// What was asked, in the units of u and y. `gaps` has one entry more than `knots`: gap k holds the points in
// [knots[k - 1], knots[k]), u measured from its left knot; the first and the last are the parts outside.
struct Problem {
  std::vector<double> knots;
  std::vector<Moments> gaps;
  double slope_low = -kInf;
  double slope_high = kInf;
  double y_low = -kInf;
  double y_high = kInf;
  std::vector<int> required;  // ascending indices into knots
  std::vector<bool> values;   // which knots are values of the data; empty: that does not matter
  std::vector<double> given;  // by knot the y that a curve has there, NaN where that is free; empty: everywhere
  double end_y = kFree;       // the y of a curve's first and last knot

  // What y at a knot is limited to.
  [[nodiscard]] Limits limits_at(int k) const noexcept {
    const double y = given.empty() ? kFree : given[static_cast<std::size_t>(k)];
    return std::isnan(y) ? Limits{-kInf, kInf, y_low, y_high} : Limits{-kInf, kInf, y, y};
  }

  // Whether a segment may be flat: then every curve is one of more segments too.
  [[nodiscard]] bool flat() const noexcept { return slope_low <= 0.0 && slope_high >= 0.0; }
};

[[nodiscard]] inline Problem mirrored(const Problem& p) {
  Problem m = p;
  const std::size_t n = p.knots.size();
  std::reverse(m.gaps.begin(), m.gaps.end());
  std::reverse(m.values.begin(), m.values.end());
  std::reverse(m.given.begin(), m.given.end());
  for (std::size_t k = 0; k < n; ++k) m.knots[k] = -p.knots[n - 1 - k];
  for (std::size_t k = 0; k < m.gaps.size(); ++k) {
    Moments& gap = m.gaps[k];
    const double width = k > 0 && k < n ? m.knots[k] - m.knots[k - 1] : 0.0;
    gap.u = width - gap.u;
    gap.slope = -gap.slope;
  }
  m.slope_low = -p.slope_high;
  m.slope_high = -p.slope_low;
  for (std::size_t k = 0; k < p.required.size(); ++k) {
    m.required[k] = static_cast<int>(n) - 1 - p.required[p.required.size() - 1 - k];
  }
  return m;
}

// The moments of the gaps between some of the knots.
[[nodiscard]] inline std::vector<Moments> gaps_on(const Problem& p, const std::vector<int>& kept) {
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  std::vector<Moments> out(kept.size() + 1);
  for (std::size_t k = 0; k <= kept.size(); ++k) {
    const int begin = k == 0 ? 0 : kept[k - 1] + 1;
    const int end = k == kept.size() ? static_cast<int>(p.knots.size()) : kept[k];
    const double left = p.knots[at(k == 0 ? 0 : kept[k - 1])];
    for (int gap = begin; gap <= end; ++gap) {
      out[k] = merge(out[k], p.gaps[at(gap)], gap == 0 ? 0.0 : p.knots[at(gap - 1)] - left);
    }
  }
  return out;
}

// The same data with some of the candidates, among them all that are required.
[[nodiscard]] inline Problem on(const Problem& p, const std::vector<int>& kept) {
  Problem out = p;
  out.gaps = gaps_on(p, kept);
  out.knots.clear();
  out.required.clear();
  out.values.clear();
  out.given.clear();
  for (const int k : kept) {
    if (std::binary_search(p.required.begin(), p.required.end(), k)) {
      out.required.push_back(static_cast<int>(out.knots.size()));
    }
    out.knots.push_back(p.knots[static_cast<std::size_t>(k)]);
    if (!p.given.empty()) out.given.push_back(p.given[static_cast<std::size_t>(k)]);
  }
  return out;
}

class Side {
 public:
  explicit Side(const Problem& problem) : n_(static_cast<int>(problem.knots.size())), problem_(problem) {
    build_segments();
    build_rest();
  }

  // The mirror image of `other`, which must stay where it is; `problem` is the mirrored problem.
  Side(const Problem& problem, const Side& other) : n_(other.n_), problem_(problem), other_(&other) { build_rest(); }

  [[nodiscard]] int size() const noexcept { return n_; }
  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] Segment segment(int i, int j) const noexcept {
    if (other_) return other_->segment(n_ - 1 - j, n_ - 1 - i).mirrored();
    const std::size_t k = row_of(at(n_), at(i)) + at(j - i - 1);
    Segment segment;
    segment.w = table_.w[k];
    segment.lam = table_.lam[k];
    segment.alpha = 1.0 - segment.lam;
    segment.mean = table_.mean[k];
    segment.s = table_.s[k];
    segment.beta = table_.beta[k];
    segment.rest = table_.rest[k];
    return segment;
  }
  [[nodiscard]] double width(int i, int j) const noexcept { return problem_.knots[at(j)] - problem_.knots[at(i)]; }
  [[nodiscard]] const Quadratic& start(int i) const noexcept { return starts_[at(i)]; }
  // Segments that end at j may begin at first(j) at the earliest, the curve may begin at last_start() at the latest.
  [[nodiscard]] int first(int j) const noexcept { return first_[at(j)]; }
  [[nodiscard]] int last_start() const noexcept { return problem_.required.empty() ? n_ - 1 : problem_.required[0]; }

  [[nodiscard]] Limits limits(int i, int j) const noexcept {
    const double h = width(i, j);
    Limits limits = problem_.limits_at(j);
    limits.rise_low = problem_.slope_low * h;
    limits.rise_high = problem_.slope_high * h;
    return limits;
  }

  // As many knots as a curve may need: with all of these none is better.
  [[nodiscard]] const std::vector<int>& useful() const noexcept { return other_ ? other_->useful_ : useful_; }

  // The curve's constant part left of its first knot, as a piece.
  [[nodiscard]] Piece start_piece(int i, double ceiling) const noexcept {
    Piece p;
    p.q = start(i);
    if (!detail::trim(p, problem_.limits_at(i), ceiling)) p.l = kInf, p.r = -kInf;
    end_there(p);
    return p;
  }

  // Cuts a piece at a curve's first or last knot to the y that these must have, if they must have one.
  void end_there(Piece& p) const noexcept {
    if (std::isnan(problem_.end_y)) return;
    p.l = std::max(p.l, problem_.end_y);
    p.r = std::min(p.r, problem_.end_y);
    p.hard_l = p.hard_r = true;
    if (!(p.l <= p.r)) p.l = kInf, p.r = -kInf;
  }

  [[nodiscard]] double bound(int i, int j) const noexcept { return bounds()[column_of(at(j)) + at(i)]; }
  // bound(0, j), bound(1, j), ...
  [[nodiscard]] const double* bounds_to(int j) const noexcept { return bounds() + column_of(at(j)); }
  [[nodiscard]] const double* bounds() const noexcept {
    return other_ ? other_->table_.right_bounds : table_.left_bounds;
  }
  // Not of a mirror image.
  [[nodiscard]] const SegmentTable& table() const noexcept { return table_; }
  [[nodiscard]] const std::vector<int>& firsts() const noexcept { return first_; }
  // What first_bounds says, where that is known already.
  [[nodiscard]] const std::vector<double>& firsts_known() const noexcept { return firsts_known_; }

 private:
  [[nodiscard]] static std::size_t at(int k) noexcept { return static_cast<std::size_t>(k); }

  void build_segments() {
    static_assert(sizeof(Moments) == 6 * sizeof(double), "a gap is a row of doubles");
    const std::size_t pairs = column_of(at(n_));
    memory_ = Reused<double>(9 * pairs);
    double* plane = memory_.data();
    for (double** to : {&table_.w, &table_.lam, &table_.mean, &table_.s, &table_.beta, &table_.rest, &table_.bound,
                        &table_.left_bounds, &table_.right_bounds}) {
      *to = plane;
      plane += pairs;
    }
    kernels().tabulate({problem_.knots.data(), &problem_.gaps[0].w, at(n_), problem_.slope_low, problem_.slope_high},
                       table_);
    useful_.resize(at(n_));
    std::iota(useful_.begin(), useful_.end(), 0);
    if (!problem_.flat()) return;  // the curve's constant ends are steps of a slope that no segment has
    const std::vector<Run> runs = runs_of(problem_.gaps, problem_.required);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
      leave_out(*run);
      useful_.erase(useful_.begin() + run->first + 1, useful_.begin() + run->last);
    }
  }

  // No segment lies within the run, but the one over all of it.
  void leave_out(const Run& run) const noexcept {
    const std::size_t n = at(n_);
    for (std::size_t j = at(run.first) + 1; j <= at(run.last); ++j) {
      for (std::size_t i = at(run.first); i < j; ++i) {
        if (i == at(run.first) && j == at(run.last)) continue;
        table_.bound[row_of(n, i) + j - i - 1] = kInf;
        table_.left_bounds[column_of(j) + i] = kInf;
        table_.right_bounds[column_of(n - 1 - i) + n - 1 - j] = kInf;
      }
    }
  }

  void build_rest() {
    build_starts();
    build_required();
  }

  void build_starts() {
    Quadratic sum;  // only ever grows as points are added
    for (int i = 0; i < n_; ++i) {
      const Moments& gap = problem_.gaps[at(i)];
      if (gap.w > 0.0) sum = add(sum, {gap.w, gap.y, gap.spread()});
      starts_.push_back(sum);
    }
  }

  void build_required() {
    first_.assign(at(n_), 0);
    int last = 0;
    std::size_t k = 0;
    for (int j = 0; j < n_; ++j) {
      first_[at(j)] = last;
      if (k < problem_.required.size() && problem_.required[k] == j) last = j, ++k;
    }
  }

  friend struct Sides;

  int n_;
  Problem problem_;
  const Side* other_ = nullptr;
  Reused<double> memory_;
  SegmentTable table_{};
  std::vector<int> useful_;
  std::vector<Quadratic> starts_;
  std::vector<int> first_;
  std::vector<double> firsts_known_;
};

// A problem read in both directions.
struct Sides {
  explicit Sides(const Problem& problem) : left(problem), right(mirrored(problem), left) {
    if (problem.required.empty()) meet_starts();
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;

  Side left;
  Side right;

 private:
  // The constant parts on one side, by the knots from left to right.
  struct Ends {
    explicit Ends(std::size_t n) : a(n), v(n), h(n) {}
    void put(std::size_t k, const Quadratic& q) { a[k] = q.a, v[k] = q.v, h[k] = q.h; }
    [[nodiscard]] EndCosts costs() const { return {a.data(), v.data(), h.data()}; }
    std::vector<double> a, v, h;
  };

  // Both sides' first bounds in one pass over the segments.
  void meet_starts() {
    const auto n = static_cast<std::size_t>(left.size());
    Ends before(n);
    Ends after(n);
    for (std::size_t k = 0; k < n; ++k) {
      before.put(k, left.start(static_cast<int>(k)));
      after.put(k, right.start(static_cast<int>(n - 1 - k)));
    }
    left.firsts_known_.resize(n);
    right.firsts_known_.resize(n);
    kernels().meet_starts(left.table_, n, before.costs(), after.costs(), left.firsts_known_.data(),
                          right.firsts_known_.data());
    std::reverse(right.firsts_known_.begin(), right.firsts_known_.end());
  }
};

}  // namespace curvec::fit
