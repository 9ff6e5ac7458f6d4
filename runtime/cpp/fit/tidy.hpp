// The best knots as a reader expects them: none that does not help, and on values of the data where that costs nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fit/envelope.hpp"
#include "fit/side.hpp"

namespace curvec::fit {

// Takes out the knot without which the curve costs least, and returns that cost. `cost` is that of a set of knots,
// infinite if there is no such curve.
template <class Cost>
double drop_one(std::vector<int>& knots, Cost&& cost) {
  std::vector<int> best;
  double least = kInf;
  for (std::size_t m = 0; m < knots.size(); ++m) {
    std::vector<int> fewer = knots;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(m));
    const double left = cost(fewer);
    if (left < least) least = left, best = fewer;
  }
  if (!best.empty()) knots = best;
  return least;
}

// Takes out knots as long as what is left costs no more than `enough`.
template <class Cost>
void thin(std::vector<int>& knots, double enough, Cost&& cost) {
  while (knots.size() > 2) {
    std::vector<int> fewer = knots;
    if (!(drop_one(fewer, cost) <= enough) || fewer.size() == knots.size()) return;
    knots = fewer;
  }
}

// Moves knots to the nearest values of the data, as far as that costs no more than `enough`: where a feature has few
// values, a knot between two of them may be anywhere. Returns whether one moved.
template <class Cost>
bool settle(const Problem& p, std::vector<int>& knots, double enough, Cost&& cost) {
  bool moved = false;
  const int n = static_cast<int>(p.values.size());
  const auto value = [&](int knot) { return p.values[static_cast<std::size_t>(knot)]; };
  for (std::size_t m = 0; m < knots.size() && n > 0; ++m) {
    if (value(knots[m])) continue;
    const int low = m == 0 ? -1 : knots[m - 1];
    const int high = m + 1 == knots.size() ? n : knots[m + 1];
    for (const int step : {-1, 1}) {
      int at = knots[m] + step;
      while (at > low && at < high && !value(at)) at += step;
      if (at <= low || at >= high) continue;
      std::vector<int> trial = knots;
      trial[m] = at;
      if (!(cost(trial) <= enough)) continue;
      knots = trial;
      moved = true;
      break;
    }
  }
  return moved;
}

// The knots that are reported for a curve of these: without those that do not help, the others on values of the data
// where that costs nothing. Costs may differ by roundings: by 1e-12 of themselves, or, where a curve fits perfectly, by
// 1e-24 of `total`, the squared error of a flat curve.
template <class Cost>
[[nodiscard]] std::vector<int> tidied(const Problem& p, std::vector<int> knots, double total, Cost&& cost) {
  const double enough = cost(knots) * (1.0 + 1e-12) + total * 1e-24;
  thin(knots, enough, cost);
  if (settle(p, knots, enough, cost)) thin(knots, enough, cost);
  return knots;
}

}  // namespace curvec::fit
