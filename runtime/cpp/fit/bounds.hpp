// Bounds for what is left of each knot: segments that need not meet, or meet in part.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fit/isotonic.hpp"
#include "fit/side.hpp"

namespace curvec::fit {

using Grid = std::vector<std::vector<double>>;  // [number of segments][knot]

// Least cost of everything left of knot j with m segments, when the segments need not meet: a bound for those that do.
// `starts` are the costs left of a first knot, `edges` those of the segments, at column_of(j) + i; `firsts` are better
// bounds with one segment, where they are known, and `least` is one for any number of them.
[[nodiscard]] inline Grid left_bounds(const Side& side, int most, std::vector<double> starts, const double* edges,
                                      std::vector<double> firsts = {}, const std::vector<double>& least = {}) {
  const auto n = static_cast<std::size_t>(side.size());
  Grid bound(static_cast<std::size_t>(most) + 1, std::vector<double>(n, kInf));
  bound[0] = std::move(starts);
  std::fill(bound[0].begin() + side.last_start() + 1, bound[0].end(), kInf);
  const bool known = !firsts.empty();
  if (known) bound[1] = std::move(firsts);
  for (std::size_t m = 1; m < bound.size(); ++m) {
    if (m > 1 || !known) kernels().carry(bound[m - 1].data(), edges, side.firsts().data(), m, n, bound[m].data());
    for (std::size_t j = 0; j < least.size(); ++j) bound[m][j] = std::max(bound[m][j], least[j]);
  }
  return bound;
}

// The least over i of max(before[i] + bound(i, j), meeting(i, j)), i from `from` up to `to` - 1: what is left of knot
// j, by a bound for what is left of i and one for how it meets the segment. Few i are worth the second.
template <class Meeting>
[[nodiscard]] double least_meeting(const double* before, const double* bounds, int from, int to,
                                   std::vector<std::uint32_t>& room, Meeting&& meeting) {
  if (from >= to) return kInf;
  const auto count = static_cast<std::size_t>(to - from);
  before += from;
  bounds += from;
  const std::size_t first = kernels().least_at(before, bounds, count);
  if (!(before[first] + bounds[first] < kInf)) return kInf;
  double best = std::max(before[first] + bounds[first], meeting(from + static_cast<int>(first)));
  room.resize(std::max(room.size(), count + 1));
  const std::size_t found = kernels().find_below(before, bounds, count, best, room.data());
  for (std::size_t k = 0; k < found; ++k) {
    const double apart = before[room[k]] + bounds[room[k]];
    if (apart < best) best = std::min(best, std::max(apart, meeting(from + static_cast<int>(room[k]))));
  }
  return best;
}

// Least cost of the constant part and the first segment, which do meet; `starts` are the costs of the constant part.
[[nodiscard]] inline std::vector<double> first_bounds(const Side& side, const std::vector<double>& starts) {
  if (!side.firsts_known().empty()) return side.firsts_known();
  std::vector<double> out(static_cast<std::size_t>(side.size()), kInf);
  std::vector<std::uint32_t> room;
  for (int j = 1; j < side.size(); ++j) {
    out[static_cast<std::size_t>(j)] =
        least_meeting(starts.data(), side.bounds_to(j), side.first(j), std::min(j, side.last_start() + 1), room,
                      [&](int i) { return side.segment(i, j).least(side.start(i)); });
  }
  return out;
}

[[nodiscard]] inline Grid left_bounds(const Side& side, int most) {
  std::vector<double> starts;
  for (int j = 0; j < side.size(); ++j) starts.push_back(side.start(j).h);
  std::vector<double> firsts = first_bounds(side, starts);
  return left_bounds(side, most, std::move(starts), side.bounds(), std::move(firsts), isotonic_bounds(side.problem()));
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
