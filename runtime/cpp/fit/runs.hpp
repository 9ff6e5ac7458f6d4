// Where the data are, seen from the candidates: at them, or between.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fit/moments.hpp"

namespace curvec::fit {

// Whether a gap's data all lie on the knot at its left.
[[nodiscard]] inline bool on_knot(const Moments& gap) noexcept {
  return gap.w == 0.0 || (gap.u == 0.0 && gap.suu == 0.0);
}

// Whether all data lie on knots: then no function is better than a curve with all these knots, as long as segments may
// be flat, as its ends are. Gap k is left of knot k (see Problem).
[[nodiscard]] inline bool all_on_knots(const std::vector<Moments>& gaps) noexcept {
  return gaps[0].w == 0.0 && std::all_of(gaps.begin() + 1, gaps.end(), on_knot);
}

// Knots first .. last, with no data strictly between the first and the last of them. A curve with two knots among these
// may as well have them at the first and the last: its values there are kept, so nothing changes where there are data,
// and the chord's slope lies between those of the segments that it replaces, so it obeys the same limits. (A curve that
// ends within the run is flat beyond its end; so this needs limits that allow a flat segment.)
struct Run {
  int first;
  int last;
};

// The runs of more than two knots, none of them required but at the ends.
[[nodiscard]] inline std::vector<Run> runs_of(const std::vector<Moments>& gaps, const std::vector<int>& required) {
  std::vector<Run> out;
  const int n = static_cast<int>(gaps.size()) - 1;
  const auto right_of = [&](int knot) -> const Moments& { return gaps[static_cast<std::size_t>(knot) + 1]; };
  for (int first = 0; first + 2 < n;) {
    int last = first + 1;
    if (on_knot(right_of(first))) {
      while (last + 1 < n && right_of(last).w == 0.0) ++last;
      const auto next = std::upper_bound(required.begin(), required.end(), first);
      const bool asked = next != required.end() && *next < last;
      if (last > first + 1 && !asked) out.push_back({first, last});
    }
    first = last;
  }
  return out;
}

}  // namespace curvec::fit
