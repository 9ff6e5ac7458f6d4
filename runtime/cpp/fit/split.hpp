// More candidates where the data bend: gaps whose points are no line are split where that helps most.
#pragma once

#include <algorithm>
#include <cstddef>
#include <queue>
#include <vector>

#include "fit/moments.hpp"
#include "fit/points.hpp"

namespace curvec::fit {

struct Split {
  std::size_t begin = 0;  // points [begin, end)
  std::size_t end = 0;
  std::size_t at = 0;  // the best split: [begin, at) and [at, end)
  double gain = 0.0;   // by how much the squared error of two lines is below that of one
  double rest = 0.0;   // the squared error of one line

  // The order of splitting: what the worst gap hides counts, not what one split of it happens to gain.
  [[nodiscard]] bool operator<(const Split& other) const noexcept {
    return rest != other.rest ? rest < other.rest : begin > other.begin;
  }
};

// The best split of a run of points into two lines, by the moments of every prefix and every suffix.
[[nodiscard]] inline Split best_split(const std::vector<Point>& points, std::size_t begin, std::size_t end) {
  Split best{begin, end, begin, 0.0, 0.0};
  const std::size_t count = end - begin;
  if (count < 3) return best;
  const auto moments = [&](std::size_t k) { return Moments{points[k].w, points[k].x - points[begin].x, points[k].y}; };
  std::vector<double> before(count + 1, 0.0);
  Moments sum;
  for (std::size_t k = 0; k < count; ++k) {
    sum = merge(sum, moments(begin + k), 0.0);
    before[k + 1] = sum.rest;
  }
  best.rest = sum.rest;
  Moments tail;
  for (std::size_t k = count; k-- > 1;) {
    tail = merge(moments(begin + k), tail, 0.0);
    const double gain = best.rest - before[k] - tail.rest;
    if (gain > best.gain) best.gain = gain, best.at = begin + k;
  }
  return best;
}

// Indices of up to `count` points that split the runs between `bounds` (ascending indices, the first 0, the last the
// number of points), until no run hides more than `enough`.
[[nodiscard]] inline std::vector<std::size_t> splits(const std::vector<Point>& points,
                                                     const std::vector<std::size_t>& bounds, std::size_t count,
                                                     double enough) {
  std::priority_queue<Split> queue;
  const auto offer = [&](std::size_t begin, std::size_t end) {
    const Split split = best_split(points, begin, end);
    if (split.at > begin && split.rest > enough) queue.push(split);
  };
  for (std::size_t k = 1; k < bounds.size(); ++k) offer(bounds[k - 1], bounds[k]);
  std::vector<std::size_t> out;
  while (!queue.empty() && out.size() + 1 < count) {
    const Split split = queue.top();
    queue.pop();
    // Both sides of the step: the last point before it and the first one after.
    out.push_back(split.at);
    if (split.at > split.begin + 1) out.push_back(split.at - 1);
    offer(split.begin, split.at);
    offer(split.at, split.end);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace curvec::fit
