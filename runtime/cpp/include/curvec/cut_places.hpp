// Step curves of many cuts: where a row's x is among places of equal width, a table says how many cuts are in the
// places before it, and few remain to be compared.
#ifndef CURVEC_CUT_PLACES_HPP
#define CURVEC_CUT_PLACES_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/nodes.hpp>
#include <limits>
#include <vector>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN
namespace detail {

inline constexpr std::size_t kFewestPlacedCuts = 17;  // fewer are counted as fast by halves
inline constexpr std::size_t kMostPlacedCuts = 4;     // of one place

/// The place of x: a number from 0 to the last one, that of a smaller x at most as large. NaN is at place 0.
[[nodiscard]] inline std::size_t PlaceOf(const program::CutPlaces& places, double x) noexcept {
  const double distance = x - places.origin;
  double place = CURVEC_ROUNDED(distance) * places.scale;
  place = place > 0.0 ? place : 0.0;
  place = place < places.last ? place : places.last;
  return static_cast<std::size_t>(static_cast<std::int32_t>(place));
}

/// Places for these cuts, with as few of them as there have to be for no place to have more than two cuts, or at most
/// four; for none (`most` is 0) where there are few cuts, or many in one place. `before` is filled, and has to be kept.
/// So has `cuts`, to which NaN are appended: what is compared after the last cut.
[[nodiscard]] inline program::CutPlaces PlacesFor(std::vector<double>& cuts, std::vector<std::uint16_t>& before) {
  constexpr std::size_t kMostCount = 4096;
  program::CutPlaces places{};
  const std::size_t count = cuts.size();
  if (count < kFewestPlacedCuts || count > kMostCount) return places;
  for (std::size_t size = 256; size <= kMostCount; size *= 2) {
    places.origin = cuts[0];
    places.scale = static_cast<double>(size - 1) / (cuts[count - 1] - cuts[0]);
    places.last = static_cast<double>(size - 1);
    if (!(places.scale > 0.0 && places.scale <= std::numeric_limits<double>::max())) return places;
    before.assign(size + 1, 0);
    for (const double cut : cuts) ++before[PlaceOf(places, cut) + 1];
    std::size_t most = 0;
    for (std::size_t k = 1; k <= size; ++k) {
      if (before[k] > most) most = before[k];
      before[k] = static_cast<std::uint16_t>(before[k] + before[k - 1]);
    }
    if (most > (size < kMostCount ? 2 : kMostPlacedCuts)) continue;
    places.most = most;
    cuts.resize(count + kMostPlacedCuts, std::numeric_limits<double>::quiet_NaN());
    places.before = before.data();
    return places;
  }
  return places;
}

/// A step curve row by row, of whose cuts each place has kMost at most.
template <class Op, std::size_t kMost>
void PlacedStepBlock(const program::CutPlaces& places, const double* cuts, const double* values, double missing,
                     const double* x, std::size_t rows, double* result) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t first = places.before[PlaceOf(places, x[i])];
    std::size_t count = first;
    for (std::size_t k = 0; k < kMost; ++k) count += cuts[first + k] <= x[i] ? 1 : 0;
    Op::Apply(result[i], IsNan(x[i]) ? missing : values[count]);
  }
}

}  // namespace detail
CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_CUT_PLACES_HPP
