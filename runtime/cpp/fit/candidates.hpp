// Where knots may be: weight quantiles, points between values, and finer points around given knots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fit/points.hpp"
#include "fit/sample.hpp"
#include "fit/sorted.hpp"
#include "fit/split.hpp"

namespace curvec::fit {

// The double nearest to the decimal number of so many significant digits that is nearest to `value`.
[[nodiscard]] inline double round_significant(double value, int digits) noexcept {
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return std::strtod(text, nullptr);
}

// Indices of the points at `count` levels equally spaced by weight; `cumulative` are the sums of the weights. A sum
// that is a level but for rounding is one: else the unit of the weights would decide.
[[nodiscard]] inline std::vector<std::size_t> at_levels(const std::vector<double>& cumulative, std::size_t count) {
  std::vector<std::size_t> found;
  constexpr double kRounding = 1e-12;
  const double step = cumulative.back() / static_cast<double>(count - 1);
  std::size_t at = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double level = k + 1 == count ? cumulative.back() : static_cast<double>(k) * step * (1.0 - kRounding);
    while (at + 1 < cumulative.size() && cumulative[at] < level) ++at;
    if (found.empty() || found.back() != at) found.push_back(at);
  }
  return found;
}

// Indices of at most `most` points, equally spaced by weight, both ends included (Ravina et al. 2021, section 3).
// Values that repeat take several quantiles, so the number of quantiles is raised until the distinct ones would be too
// many; each set holds the one before.
[[nodiscard]] inline std::vector<std::size_t> quantiles(const std::vector<Point>& points, std::size_t most) {
  std::vector<double> cumulative;
  double sum = 0.0;
  for (const Point& p : points) cumulative.push_back(sum += p.w);
  std::vector<std::size_t> picked{0, points.size() - 1};
  for (std::size_t count = most;; count = 2 * count - 1) {
    std::vector<std::size_t> found = at_levels(cumulative, count);
    if (found.size() > most) return picked;
    picked.swap(found);
    if (picked.size() == most || count > 64 * points.size()) return picked;
  }
}

// Values, and up to seven points between neighbours as far as there is room for them: a bend need not be at a value.
[[nodiscard]] inline std::vector<double> with_points_between(const std::vector<Point>& points, std::size_t most) {
  std::size_t parts = 1;
  while (parts < 8 && 2 * parts * points.size() <= most) parts *= 2;
  std::vector<double> out;
  for (std::size_t k = 0; k < points.size(); ++k) {
    out.push_back(points[k].x);
    for (std::size_t part = 1; part < parts && k + 1 < points.size(); ++part) {
      const double share = static_cast<double>(part) / static_cast<double>(parts);
      const double x = points[k].x + (points[k + 1].x - points[k].x) * share;
      if (x > out.back() && x < points[k + 1].x) out.push_back(x);
    }
  }
  return out;
}

// About `most` candidates: all values and points between them where they are few; else quantiles, and values where the
// data between two quantiles are furthest from a line, until no gap hides more than `enough` of the squared error.
[[nodiscard]] inline std::vector<double> candidates(const std::vector<Point>& points, std::size_t most, double enough) {
  if (points.size() <= most) return with_points_between(points, most);
  std::vector<std::size_t> at = quantiles(points, most);
  std::vector<std::size_t> bounds = at;
  bounds.back() = points.size();
  const std::vector<std::size_t> bends = splits(points, bounds, most, enough);
  at.insert(at.end(), bends.begin(), bends.end());
  sort_distinct(at);
  std::vector<double> out;
  for (const std::size_t k : at) out.push_back(points[k].x);
  return out;
}

// The values between two candidates of which a round of refinement looks at each, and halfway between them; of more it
// looks at so many.
inline constexpr std::size_t kWindow = 6;

// Calls use(x) with the finer candidates strictly between two points: up to kWindow values (parts `first` up to `last`)
// with the points halfway between them; of more values, kWindow; where there is none, the quarter points.
template <class Parts, class Use>
void for_each_between(double low, double high, const Parts& parts, std::size_t first, std::size_t last,
                      const Use& use) {
  const auto use_inside = [&](double x) {
    if (x > low && x < high) use(x);
  };
  const std::size_t count = last > first ? last - first : 0;
  if (count > kWindow) {
    for (std::size_t k = 0; k < kWindow; ++k) use_inside(parts.x(first + k * (count - 1) / (kWindow - 1)));
  } else if (count == 0) {
    for (const double share : {0.25, 0.5, 0.75}) use_inside(low + (high - low) * share);
  } else {
    double left = low;
    for (std::size_t k = 0; k <= count; ++k) {
      const double right = k < count ? parts.x(first + k) : high;
      use_inside(left + (right - left) / 2);
      if (k < count) use_inside(right);
      left = right;
    }
  }
}

// The knots, and finer candidates between each and its neighbours in `pool`. All ascending.
template <class Parts>
[[nodiscard]] std::vector<double> around(const std::vector<double>& knots, const std::vector<double>& pool,
                                         const Parts& parts) {
  std::vector<double> out = knots;
  const auto fill = [&](double low, double high) {
    std::size_t first = first_from(parts, low, 0);
    const std::size_t last = first_from(parts, high, first);
    if (first < last && parts.x(first) == low) ++first;
    for_each_between(low, high, parts, first, last, [&](double x) { out.push_back(x); });
  };
  for (const double knot : knots) {
    const auto at = std::lower_bound(pool.begin(), pool.end(), knot);
    if (at != pool.begin()) fill(*(at - 1), knot);
    if (at != pool.end() && at + 1 != pool.end()) fill(knot, *(at + 1));
  }
  sort_distinct(out);
  return out;
}

}  // namespace curvec::fit
