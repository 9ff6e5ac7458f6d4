// One reading direction of a fit: candidate knots, the cost of every segment, and bounds on what lies to the left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "fit/advance.hpp"
#include "fit/envelope.hpp"
#include "fit/moments.hpp"
#include "fit/reused.hpp"
#include "fit/segment.hpp"

namespace curvec::fit {

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

  // Whether a segment may be flat: then every curve is one of more segments too.
  [[nodiscard]] bool flat() const noexcept { return slope_low <= 0.0 && slope_high >= 0.0; }
};

[[nodiscard]] inline Problem mirrored(const Problem& p) {
  Problem m = p;
  const std::size_t n = p.knots.size();
  std::reverse(m.gaps.begin(), m.gaps.end());
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
  for (const int k : kept) {
    if (std::binary_search(p.required.begin(), p.required.end(), k)) {
      out.required.push_back(static_cast<int>(out.knots.size()));
    }
    out.knots.push_back(p.knots[static_cast<std::size_t>(k)]);
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
    return other_ ? other_->segments_[index(n_ - 1 - j, n_ - 1 - i)].mirrored() : segments_[index(i, j)];
  }
  [[nodiscard]] double width(int i, int j) const noexcept { return problem_.knots[at(j)] - problem_.knots[at(i)]; }
  [[nodiscard]] const Quadratic& start(int i) const noexcept { return starts_[at(i)]; }
  // Segments that end at j may begin at first(j) at the earliest, the curve may begin at last_start() at the latest.
  [[nodiscard]] int first(int j) const noexcept { return first_[at(j)]; }
  [[nodiscard]] int last_start() const noexcept { return problem_.required.empty() ? n_ - 1 : problem_.required[0]; }

  [[nodiscard]] Limits limits(int i, int j) const noexcept {
    const double h = width(i, j);
    return {problem_.slope_low * h, problem_.slope_high * h, problem_.y_low, problem_.y_high};
  }

  // The curve's constant part left of its first knot, as a piece.
  [[nodiscard]] Piece start_piece(int i, double ceiling) const noexcept {
    Piece p;
    p.q = start(i);
    const Limits limits{-kInf, kInf, problem_.y_low, problem_.y_high};
    if (!detail::trim(p, limits, ceiling)) p.l = kInf, p.r = -kInf;
    return p;
  }

  [[nodiscard]] double bound(int i, int j) const noexcept { return bounds_[index(i, j)]; }
  // bound(0, j), bound(1, j), ...
  [[nodiscard]] const double* bounds_to(int j) const noexcept { return bounds_.data() + index(0, j); }

 private:
  [[nodiscard]] static std::size_t at(int k) noexcept { return static_cast<std::size_t>(k); }
  [[nodiscard]] static std::size_t index(int i, int j) noexcept { return at(j) * (at(j) - 1) / 2 + at(i); }

  void build_segments() {
    segments_ = Reused<Segment>(at(n_) * (at(n_) - 1) / 2);
    for (int j = 1; j < n_; ++j) {
      Segment* row = segments_.data() + index(0, j);
      Moments sum;
      for (int i = j - 1; i >= 0; --i) {
        sum = merge(problem_.gaps[at(i + 1)], sum, width(i, i + 1));
        row[i] = Segment(sum, width(i, j));
      }
    }
  }

  void build_rest() {
    build_bounds();
    build_starts();
    build_required();
  }

  void build_bounds() {
    bounds_ = Reused<double>(at(n_) * (at(n_) - 1) / 2);
    double* out = bounds_.data();
    for (int j = 1; j < n_; ++j) {
      for (int i = 0; i < j; ++i) {
        if (other_) {
          *out++ = other_->bound(n_ - 1 - j, n_ - 1 - i);
        } else {
          const Limits l = limits(i, j);
          *out++ = segments_[index(i, j)].bound(l.rise_low, l.rise_high);
        }
      }
    }
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

  int n_;
  Problem problem_;
  const Side* other_ = nullptr;
  Reused<Segment> segments_;
  Reused<double> bounds_;
  std::vector<Quadratic> starts_;
  std::vector<int> first_;
};

// A problem read in both directions.
struct Sides {
  explicit Sides(const Problem& problem) : left(problem), right(mirrored(problem), left) {}
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;

  Side left;
  Side right;
};

using Grid = std::vector<std::vector<double>>;  // [number of segments][knot]

namespace detail {

// The least a[k] + b[k]; four at a time, since each minimum waits for the one before.
[[nodiscard]] inline double least_sum(const double* a, const double* b, int count) noexcept {
  double m0 = kInf;
  double m1 = kInf;
  double m2 = kInf;
  double m3 = kInf;
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    m0 = std::min(m0, a[k] + b[k]);
    m1 = std::min(m1, a[k + 1] + b[k + 1]);
    m2 = std::min(m2, a[k + 2] + b[k + 2]);
    m3 = std::min(m3, a[k + 3] + b[k + 3]);
  }
  for (; k < count; ++k) m0 = std::min(m0, a[k] + b[k]);
  return std::min(std::min(m0, m1), std::min(m2, m3));
}

}  // namespace detail

// Least cost of everything left of knot j with m segments, when the segments need not meet: a bound for those that do.
// `starts` are the costs left of a first knot, `edges_to(j)` those of the segments that end at j; `firsts` are better
// bounds with one segment, where they are known.
template <class EdgesTo>
[[nodiscard]] Grid left_bounds(const Side& side, int most, std::vector<double> starts, EdgesTo&& edges_to,
                               std::vector<double> firsts = {}) {
  const int n = side.size();
  Grid bound(static_cast<std::size_t>(most) + 1, std::vector<double>(static_cast<std::size_t>(n), kInf));
  bound[0] = std::move(starts);
  std::fill(bound[0].begin() + side.last_start() + 1, bound[0].end(), kInf);
  const bool known = !firsts.empty();
  if (known) bound[1] = std::move(firsts);
  for (int m = known ? 2 : 1; m <= most; ++m) {
    const double* before = bound[static_cast<std::size_t>(m) - 1].data();
    for (int j = m; j < n; ++j) {
      const int first = std::max(side.first(j), m - 1);
      bound[static_cast<std::size_t>(m)][static_cast<std::size_t>(j)] =
          detail::least_sum(before + first, edges_to(j) + first, j - first);
    }
  }
  return bound;
}

// Least cost of the constant part and the first segment, which do meet.
[[nodiscard]] inline std::vector<double> first_bounds(const Side& side) {
  std::vector<double> out(static_cast<std::size_t>(side.size()), kInf);
  for (int j = 1; j < side.size(); ++j) {
    double best = kInf;
    const double* bounds = side.bounds_to(j);
    for (int i = side.first(j); i < j && i <= side.last_start(); ++i) {
      const Quadratic& start = side.start(i);
      const double apart = start.h + bounds[i];
      if (apart < best) best = std::min(best, std::max(apart, side.segment(i, j).least(start)));
    }
    out[static_cast<std::size_t>(j)] = best;
  }
  return out;
}

[[nodiscard]] inline Grid left_bounds(const Side& side, int most) {
  std::vector<double> starts;
  for (int j = 0; j < side.size(); ++j) starts.push_back(side.start(j).h);
  return left_bounds(side, most, std::move(starts), [&](int j) { return side.bounds_to(j); }, first_bounds(side));
}

// The knots of the best curve whose segments need not meet, from knot j to the left.
[[nodiscard]] inline std::vector<int> detached_knots(const Side& side, const Grid& bound, int most, int j) {
  std::vector<int> knots{j};
  for (int m = most; m > 0; --m) {
    const double* before = bound[static_cast<std::size_t>(m) - 1].data();
    int best = -1;
    double least = kInf;
    for (int i = std::max(side.first(j), m - 1); i < j; ++i) {
      if (before[i] + side.bound(i, j) < least) least = before[i] + side.bound(i, j), best = i;
    }
    if (best < 0) return {};
    knots.push_back(j = best);
  }
  return knots;
}

}  // namespace curvec::fit
