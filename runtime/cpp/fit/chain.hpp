// Curves on given knots: the best y there, and what one more or one moved knot would cost.
#pragma once

#include <algorithm>
#include <vector>

#include "fit/advance.hpp"
#include "fit/side.hpp"

namespace curvec::fit {

// The least of the pieces' values at their own best point.
[[nodiscard]] inline double least(Span pieces) noexcept {
  double best = kInf;
  for (const Piece& p : pieces) best = std::min(best, p.min());
  return best;
}

// One step of a curve with the given knots. The pieces are those of one convex function, in any order; some may say the
// same (see Advance), and where many do, on plateaus, each step would double them.
inline void step(Span from, const Segment& seg, const Limits& limits, double ceiling, Pieces& out) {
  constexpr std::size_t kMany = 64;  // up to here a merge would cost more than the pieces it saves
  out.clear();
  for (const Piece& p : from) {
    advance(p, seg, limits, ceiling, [&](const Piece& q) { out.push_back(q); });
  }
  if (out.size() <= kMany) return;
  Envelope once;
  for (const Piece& p : out) once.insert(p);
  out.swap(once.pieces());
}

// Least sum of two costs that meet at the same knot, and the y where.
struct Meeting {
  double cost = kInf;
  double y = 0.0;
  int left = -1;
  int right = -1;
};

inline void meet(Span left, Span right, Meeting& best) noexcept {
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Piece& p = left[i];
    if (!(p.q.h < best.cost)) continue;
    for (std::size_t k = 0; k < right.size(); ++k) {
      const Piece& q = right[k];
      if (!(p.q.h + q.q.h < best.cost)) continue;
      const double l = std::max(p.l, q.l);
      const double r = std::min(p.r, q.r);
      if (!(l <= r)) continue;
      const Quadratic sum = add(p.q, q.q);
      const double y = std::min(std::max(sum.v, l), r);
      const double cost = sum(y);
      if (cost < best.cost) best = {cost, y, static_cast<int>(i), static_cast<int>(k)};
    }
  }
}

struct Curve {
  std::vector<int> knots;
  std::vector<double> y;
  double cost = kInf;
};

// Limits of each segment where they differ along the curve (a peak: up, then down); empty: the side's own.
using Slopes = std::vector<std::pair<double, double>>;

[[nodiscard]] inline Limits limits_of(const Side& side, const Slopes& slopes, std::size_t m, int i, int j) noexcept {
  Limits limits = side.limits(i, j);
  if (!slopes.empty()) {
    const double width = side.width(i, j);
    limits.rise_low = slopes[m].first * width;
    limits.rise_high = slopes[m].second * width;
  }
  return limits;
}

// The cost of the curve through y at these knots; `tail` is the cost of the constant part right of the last one.
[[nodiscard]] inline double cost_of(const Side& side, const Quadratic& tail, const std::vector<int>& knots,
                                    const double* y) noexcept {
  double cost = side.start(knots[0])(y[0]) + tail(y[knots.size() - 1]);
  for (std::size_t m = 1; m < knots.size(); ++m) {
    cost += side.segment(knots[m - 1], knots[m]).cost(y[m - 1], y[m]);
  }
  return cost;
}

// The best curve on exactly these knots.
[[nodiscard]] inline Curve solve(const Side& side, const Quadratic& tail, const std::vector<int>& knots,
                                 const Slopes& slopes = {}) {
  Curve curve{knots, std::vector<double>(knots.size()), kInf};
  std::vector<Pieces> chain(knots.size());
  chain[0] = {side.start_piece(knots[0], kInf)};
  for (std::size_t m = 1; m < knots.size(); ++m) {
    const Limits limits = limits_of(side, slopes, m - 1, knots[m - 1], knots[m]);
    step(chain[m - 1], side.segment(knots[m - 1], knots[m]), limits, kInf, chain[m]);
  }
  Meeting end;
  Piece last;
  last.q = tail;
  side.end_there(last);
  meet(chain.back(), {&last, 1}, end);
  if (end.cost == kInf) return curve;
  curve.y.back() = end.y;
  for (std::size_t m = knots.size() - 1; m > 0; --m) {
    const Segment seg = side.segment(knots[m - 1], knots[m]);
    const Limits limits = limits_of(side, slopes, m - 1, knots[m - 1], knots[m]);
    const double z = curve.y[m];
    double best = kInf;
    double least_miss = kInf;
    for (const Piece& p : chain[m - 1]) {
      const double l = std::max(p.l, z - limits.rise_high);
      const double r = std::min(p.r, z - limits.rise_low);
      const double miss = std::max(0.0, l - r);  // above zero by rounding only, where the right piece has one point
      if (miss > least_miss) continue;
      const double al = seg.alpha;
      const double d = p.q.a + seg.w * al * al + seg.s;
      const double n = p.q.a * p.q.v + seg.w * al * (seg.mean - seg.lam * z) + seg.s * (z - seg.beta);
      const double y = std::min(std::max(d > 0.0 ? n / d : p.q.v, l), r);
      const double cost = p.q(y) + seg.cost(y, z);
      if (miss < least_miss || cost < best) best = cost, least_miss = miss, curve.y[m - 1] = y;
    }
  }
  curve.cost = cost_of(side, tail, knots, curve.y.data());
  return curve;
}

}  // namespace curvec::fit
