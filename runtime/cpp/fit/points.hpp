// Rows to points with distinct x, and points to the moments of the gaps between candidate knots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fit/moments.hpp"

namespace curvec::fit {

struct Row {
  double x;
  double y;
  double w;
};

// A distinct x with its total weight, mean y and the squared error about it.
struct Point {
  double x = 0.0;
  double w = 0.0;
  double y = 0.0;
  double spread = 0.0;
};

// Sorts by (x, y, w), so that the order of the rows leaves no trace in any sum, and fuses equal x.
[[nodiscard]] inline std::vector<Point> fuse(std::vector<Row>& rows) {
  const auto before = [](const Row& a, const Row& b) noexcept {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.w < b.w;
  };
  if (!std::is_sorted(rows.begin(), rows.end(), before)) std::sort(rows.begin(), rows.end(), before);
  std::vector<Point> points;
  for (std::size_t k = 0; k < rows.size();) {
    const double x = rows[k].x;
    const double origin = rows[k].y;
    double w = 0.0;
    double wy = 0.0;
    const std::size_t begin = k;
    for (; k < rows.size() && rows[k].x == x; ++k) w += rows[k].w, wy += rows[k].w * (rows[k].y - origin);
    Point p{x, w, origin + wy / w, 0.0};
    for (std::size_t i = begin; i < k; ++i) p.spread += rows[i].w * (rows[i].y - p.y) * (rows[i].y - p.y);
    points.push_back(p);
  }
  return points;
}

// The moments between neighbouring knots (see Problem) of parts that no knot divides: part k begins at x[k], and its
// moments measure u from u[k]. A part on a knot belongs to the gap at its right. Which gap a part is in goes by x,
// where it is in the gap by u = fx(x), so a rounding of fx moves no part over a knot.
template <class MomentsOf>
[[nodiscard]] std::vector<Moments> gaps_between(const std::vector<double>& knots_x, const std::vector<double>& knots_u,
                                                const std::vector<double>& x, const std::vector<double>& u,
                                                MomentsOf&& moments_of) {
  std::vector<Moments> gaps(knots_x.size() + 1);
  std::size_t gap = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    while (gap < knots_x.size() && knots_x[gap] <= x[k]) ++gap;
    const double left = knots_u[gap > 0 ? gap - 1 : 0];
    gaps[gap] = merge(gaps[gap], moments_of(k), u[k] - left);
  }
  return gaps;
}

}  // namespace curvec::fit
