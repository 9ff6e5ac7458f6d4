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

  // The gap with the largest squared error is split first, even if a single split of it gains less than that of
  // another.
  [[nodiscard]] bool operator<(const Split& other) const noexcept {
    return rest != other.rest ? rest < other.rest : begin > other.begin;
  }
};

// The best split of a run of points into two lines, by the moments of every prefix and every suffix; none where one
// line leaves no more than `enough`.
[[nodiscard]] inline Split best_split(const std::vector<Point>& points, std::size_t begin, std::size_t end,
                                      double enough) {
  Split best{begin, end, begin, 0.0, 0.0};
  const std::size_t count = end - begin;
  if (count < 3) return best;
  best.rest = moments_of(
                  begin, end, [&](std::size_t k) { return points[k].w; }, [&](std::size_t k) { return points[k].x; },
                  [&](std::size_t k) { return points[k].y; })
                  .rest;
  if (!(best.rest > enough)) return best;
  const auto moments = [&](std::size_t k) { return Moments{points[k].w, points[k].x - points[begin].x, points[k].y}; };
  std::vector<double> before(count + 1, 0.0);
  std::vector<double> after(count + 1, 0.0);
  Moments head;
  Moments tail;
  for (std::size_t k = 0; k < count; ++k) {  // head and tail are two chains of operations that overlap
    head = merge(head, moments(begin + k), 0.0);
    tail = merge(moments(end - 1 - k), tail, 0.0);
    before[k + 1] = head.rest;
    after[count - 1 - k] = tail.rest;
  }
  for (std::size_t k = 1; k < count; ++k) {
    const double gain = best.rest - before[k] - after[k];
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
    const Split split = best_split(points, begin, end, enough);
    if (split.at > begin) queue.push(split);
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
