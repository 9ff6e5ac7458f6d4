// The tables over all pairs of knots. Compiled as row_kernels.hpp is: for each instruction set, with the same bits.
//
// For each pair of knots i < j the search asks for the segment between them (segment.hpp), which depends on the points
// there by six numbers (moments.hpp). Going left from j these grow by one gap at a time, so that all of the n^2 / 2
// pairs take one merge each. Neighbouring j are independent of each other and fill the lanes of a vector.
//
// An example: knots at 0, 2 and 3, and of weight one the points (0, 0) and (1, 2) in the gap from 0 to 2 and (2.5, 3)
// in that from 2 to 3. For j = 2 (the knot at 3) the first step is the gap of (2.5, 3), which is the segment from knot
// 1: w = 1, lam = 0.5 / 1, mean = 3, s = 0. The second one merges the gap on the left: the segment from knot 0 has w =
// 3, lam = (3.5 / 3) / 3 = 0.389, mean = 5 / 3.
#pragma once

#include <cstdint>
#include <curvec/lanes.hpp>

#include "fit/kernels.hpp"

namespace curvec {
inline namespace CURVEC_ABI {
namespace segment_kernels {

using detail::kLanes;
using detail::Lanes;
using detail::Load;
using detail::Store;

// One where there are no kLanes left.
inline void Load(const double* from, double& to) noexcept { to = *from; }
inline void Store(const double& value, double* to) noexcept { *to = value; }

/// The points between a knot and each of kLanes knots to the right of it; see Moments.
struct Sums {
  Lanes w{}, u{}, y{}, suu{}, slope{}, rest{};
};

/// Adds a gap at the left: merge(gap, sum, shift) of moments.hpp, whose operations these are, in its order. A lane
/// whose sum is empty takes the gap as it is, by selection; where the gap is empty nothing changes but where u is
/// measured from.
inline void AddLeft(const double* gap, double shift, Sums& sum) noexcept {
  const Lanes zero{};
  const double a_w = gap[0], a_u = gap[1], a_y = gap[2], a_suu = gap[3], a_slope = gap[4], a_rest = gap[5];
  const auto empty = sum.w == zero;
  if (a_w == 0.0) {
    sum.u = empty ? zero : sum.u + shift;
    return;
  }
  const Lanes w = sum.w + a_w;
  const Lanes du = (sum.u - a_u) + shift;
  const Lanes dy = sum.y - a_y;
  const Lanes share = sum.w / w;
  const Lanes between = a_w * share;
  const Lanes suu = (a_suu + sum.suu) + between * du * du;
  const Lanes rest = a_rest + sum.rest;
  const Lanes inverse = 1.0 / suu;
  const Lanes ab = a_slope - sum.slope;
  const Lanes am = dy - a_slope * du;
  const Lanes bm = dy - sum.slope * du;
  const Lanes slope = (a_slope * a_suu + sum.slope * sum.suu + between * du * dy) * inverse;
  const Lanes bent =
      rest + (a_suu * inverse * (sum.suu * ab * ab + between * am * am) + sum.suu * inverse * between * bm * bm);
  const auto wide = suu > zero;
  sum.u = empty ? a_u - zero : a_u + du * share;
  sum.y = empty ? a_y - zero : a_y + dy * share;
  sum.slope = empty ? a_slope - zero : (wide ? slope : zero);
  sum.rest = empty ? a_rest - zero : (wide ? bent : rest + between * dy * dy);
  sum.suu = empty ? a_suu - zero : suu;
  sum.w = empty ? a_w - zero : w;
}

/// Sums of the lanes below `active` start again from nothing.
inline void Clear(std::size_t active, Sums& sum) noexcept {
  double keep[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) keep[l] = l < active ? 0.0 : 1.0;
  Lanes mask;
  Load(keep, mask);
  const Lanes zero{};
  const auto off = mask == zero;
  sum.w = off ? zero : sum.w;
  sum.u = off ? zero : sum.u;
  sum.y = off ? zero : sum.y;
  sum.suu = off ? zero : sum.suu;
  sum.slope = off ? zero : sum.slope;
  sum.rest = off ? zero : sum.rest;
}

/// Lanes [begin, end).
struct Active {
  std::size_t begin;
  std::size_t end;
};

inline void StoreActive(const Active& active, const Lanes& values, double* to) noexcept {
  if (active.begin == 0 && active.end == kLanes) {
    Store(values, to);
    return;
  }
  double all[kLanes];
  Store(values, all);
  for (std::size_t l = active.begin; l < active.end; ++l) to[l] = all[l];
}

/// The segments that end at knots j .. j + kLanes - 1, as far as there are so many.
///
/// In the unit of a segment's width, a mean position u is lam = u / width, the positions' squares suu are s = suu /
/// width^2, and a slope is a rise beta = slope * width. The least that the segment costs, wherever its ends are, is the
/// rest; with a slope within limits the rise is off beta by `excess` at least, which costs s excess^2 more.
///
/// The sums begin left of the last of the knots, where only its lane is active; the lane of knot j + l joins at
/// i = j + l - 1, and has until then been cleared after every step.
inline void TabulateBlock(const fit::Gaps& gaps, std::size_t j, const fit::SegmentTable& to) noexcept {
  const std::size_t n = gaps.knots;
  const std::size_t end = n - j < kLanes ? n - j : kLanes;
  double ends_u[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) ends_u[l] = gaps.u[j + (l < end ? l : end - 1)];
  Lanes ends;
  Load(ends_u, ends);
  Sums sum;
  for (std::size_t i = j + end - 1; i-- > 0;) {
    AddLeft(gaps.moments + 6 * (i + 1), gaps.u[i + 1] - gaps.u[i], sum);
    const std::size_t begin = i < j ? 0 : i - j + 1;
    if (begin > 0) Clear(begin, sum);
    const Active active{begin, end};
    const Lanes zero{};
    const Lanes width = ends - gaps.u[i];
    const Lanes inverse = 1.0 / width;
    const Lanes s = sum.suu * inverse * inverse;
    const Lanes beta = sum.slope * width;
    const Lanes low = gaps.slope_low * width;
    const Lanes high = gaps.slope_high * width;
    const Lanes excess = beta < low ? low - beta : (beta > high ? beta - high : zero);
    const Lanes bound = excess == zero ? sum.rest : sum.rest + s * excess * excess;
    const std::size_t at = fit::row_of(n, i) + (j - i - 1);
    StoreActive(active, sum.w, to.w + at);
    StoreActive(active, sum.u * inverse, to.lam + at);
    StoreActive(active, sum.y, to.mean + at);
    StoreActive(active, s, to.s + at);
    StoreActive(active, beta, to.beta + at);
    StoreActive(active, sum.rest, to.rest + at);
    StoreActive(active, bound, to.bound + at);
    double bounds[kLanes];
    Store(bound, bounds);
    for (std::size_t l = begin; l < end; ++l) {
      to.left_bounds[fit::column_of(j + l) + i] = bounds[l];
      to.right_bounds[fit::column_of(n - 1 - i) + (n - 1 - j - l)] = bounds[l];
    }
  }
}

inline void Tabulate(const fit::Gaps& gaps, const fit::SegmentTable& to) noexcept {
  for (std::size_t j = 1; j < gaps.knots; j += kLanes) TabulateBlock(gaps, j, to);
}

/// Some segments of the table: one, or as many as there are lanes.
template <class T>
struct Tabulated {
  T w, lam, mean, s, beta, rest, bound;

  Tabulated(const fit::SegmentTable& table, std::size_t at) noexcept {
    Load(table.w + at, w);
    Load(table.lam + at, lam);
    Load(table.mean + at, mean);
    Load(table.s + at, s);
    Load(table.beta + at, beta);
    Load(table.rest + at, rest);
    Load(table.bound + at, bound);
  }
};

/// The least of a (y - v)^2 + h and a segment's cost(y, z), over y and z; `lam` and `beta` as they are read from y's
/// side.
///
/// Over z alone, cost(y, z) is two squares of which segment.hpp's identity leaves the rest and
///     (w s / b) (y - (mean - lam beta))^2,    b = w lam^2 + s:
/// a square around the regression line's height at the knot. With a (y - v)^2 that is, by the same identity,
///     a (w s / b) / (a + w s / b) gap^2 = (a w s / n) gap^2,    n = a b + w s,    gap = v + lam beta - mean.
/// Limits of the slope are not in it, but they are in seg.bound: what the two cost apart is a bound as well, and the
/// larger of both counts. (n is 0 where one of the two does not depend on y; then only that is left.)
///
/// An example: the segment of segment.hpp (w = 2, lam = 1/4, mean = 1, beta = 4, s = 1/8, whose line is 0 at its left
/// knot) after (y - 3)^2: b = 1/4, n = 1/2, gap = 3, and the least is (1/4 / (1/2)) * 9 = 4.5: of the two points and
/// the point (0, 3), which are a half on either side of a line, or 1.5 twice: 1.5^2 + 1.5^2.
template <class T>
inline void MeetAt(const T& a, const T& v, const T& h, const Tabulated<T>& seg, const T& lam, const T& beta,
                   T& value) noexcept {
  const T zero{};
  const T b = seg.w * lam * lam + seg.s;
  const T n = a * b + seg.w * seg.s;
  const T gap = v + lam * beta - seg.mean;
  const T apart = h + seg.bound;
  const T least = h + seg.rest + gap * gap * (a * seg.w * seg.s / n);
  value = n > zero ? (least > apart ? least : apart) : apart;
}

/// Some pairs (i, j .. ) from either side: to.left[j] and `right`, the least for i.
template <class T>
inline void MeetPairs(const fit::SegmentTable& table, std::size_t at, const fit::EndCosts& left, std::size_t i,
                      const fit::EndCosts& right, std::size_t j, double* left_to, T& right_to) noexcept {
  const T zero{};
  T a, v, h, value, least;
  const Tabulated<T> seg(table, at);
  MeetAt<T>(left.a[i] - zero, left.v[i] - zero, left.h[i] - zero, seg, seg.lam, seg.beta, value);
  Load(left_to + j, least);
  least = value < least ? value : least;
  Store(least, left_to + j);
  Load(right.a + j, a);
  Load(right.v + j, v);
  Load(right.h + j, h);
  MeetAt<T>(a, v, h, seg, 1.0 - seg.lam, -seg.beta, value);
  right_to = value < right_to ? value : right_to;
}

inline void MeetStarts(const fit::SegmentTable& table, std::size_t n, const fit::EndCosts& left,
                       const fit::EndCosts& right, double* left_to, double* right_to) noexcept {
  for (std::size_t i = 0; i < n; ++i) left_to[i] = right_to[i] = fit::kNoBound;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::size_t row = fit::row_of(n, i) - i - 1;
    Lanes best = fit::kNoBound - Lanes{};
    std::size_t j = i + 1;
    for (; j + kLanes <= n; j += kLanes) MeetPairs<Lanes>(table, row + j, left, i, right, j, left_to, best);
    double least = fit::kNoBound;
    for (; j < n; ++j) MeetPairs<double>(table, row + j, left, i, right, j, left_to, least);
    double all[kLanes];
    Store(best, all);
    for (std::size_t l = 0; l < kLanes; ++l) least = all[l] < least ? all[l] : least;
    right_to[i] = least;
  }
}

/// The least of a (t - v)^2 + b t over [low, high]: at the vertex v - b / (2 a), moved into the interval, and where
/// there is no vertex at the end that b leads to. Of (t - 3)^2 + 2 t over [0, 5] it is at t = 2, and is 5.
template <class T>
inline void LeastPaid(const T& a, const T& v, const T& b, const T& low, const T& high, T& least) noexcept {
  const T zero{};
  T t = v - b / (2.0 * a);
  t = t < low ? low : t;
  t = t > high ? high : t;
  t = a > zero ? t : (b > zero ? low : high);
  least = a * (t - v) * (t - v) + b * t;
}

/// The least of a segment's cost and its payments tilt_j z - tilt_i y (see Tilt), for some pairs (i, j ..).
///
/// With its level m = alpha y + lam z (its height where its points are in the mean) and its rise r = z - y, alpha =
/// 1 - lam, the ends are y = m - lam r and z = m + alpha r. So cost and payments come apart into one term each:
///     w (m - mean)^2 + (tilt_j - tilt_i) m   and   s (r - beta)^2 + (tilt_i lam + tilt_j alpha) r.
/// m lies between y and z, and r within the limits of the slope and of how far y can go up or down at all.
template <class T>
inline void PricePairs(const fit::Prices& prices, const fit::SegmentTable& table, std::size_t i, std::size_t j,
                       T& price) noexcept {
  const T zero{};
  const std::size_t at = fit::row_of(prices.knots, i) + j - i - 1;
  T u, tilt, level, rise;
  const Tabulated<T> seg(table, at);
  Load(prices.u + j, u);
  Load(prices.tilts + j, tilt);
  const double range = prices.y_high - prices.y_low;
  const T width = u - prices.u[i];
  T low = prices.slope_low * width;
  T high = prices.slope_high * width;
  low = low > zero - range ? low : zero - range;
  high = high < zero + range ? high : zero + range;
  LeastPaid<T>(seg.w, seg.mean, tilt - prices.tilts[i], prices.y_low - zero, prices.y_high - zero, level);
  LeastPaid<T>(seg.s, seg.beta, prices.tilts[i] * seg.lam + tilt * (1.0 - seg.lam), low, high, rise);
  price = seg.bound < fit::kNoBound - zero ? seg.rest + level + rise : seg.bound;
}

inline void PriceSegments(const fit::Prices& prices, const fit::SegmentTable& table, double* left,
                          double* right) noexcept {
  const std::size_t n = prices.knots;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    double* mirrored = right + fit::column_of(n - 1 - i) + n - 1;  // of j, at -j
    std::size_t j = i + 1;
    for (; j + kLanes <= n; j += kLanes) {
      Lanes price;
      PricePairs<Lanes>(prices, table, i, j, price);
      double all[kLanes];
      Store(price, all);
      for (std::size_t l = 0; l < kLanes; ++l) left[fit::column_of(j + l) + i] = *(mirrored - j - l) = all[l];
    }
    for (; j < n; ++j) {
      double price;
      PricePairs<double>(prices, table, i, j, price);
      left[fit::column_of(j) + i] = *(mirrored - j) = price;
    }
  }
}

/// The least a[k] + b[k]. A comparison with NaN is false, so that NaN is never the least.
inline double LeastSum(const double* a, const double* b, std::size_t count) noexcept {
  double least = fit::kNoBound;
  if (count < kLanes) {
    for (std::size_t k = 0; k < count; ++k) least = a[k] + b[k] < least ? a[k] + b[k] : least;
    return least;
  }
  Lanes best = least - Lanes{};
  const auto take = [&](std::size_t k) {
    Lanes x, y;
    Load(a + k, x);
    Load(b + k, y);
    const Lanes sum = x + y;
    best = sum < best ? sum : best;
  };
  for (std::size_t k = 0; k + kLanes <= count; k += kLanes) take(k);
  take(count - kLanes);  // the rest, and some a second time
  double all[kLanes];
  Store(best, all);
  for (std::size_t l = 0; l < kLanes; ++l) least = all[l] < least ? all[l] : least;
  return least;
}

/// The first k where a[k] + b[k] is least; `count` is above zero.
inline std::size_t LeastAt(const double* a, const double* b, std::size_t count) noexcept {
  const double least = LeastSum(a, b, count);
  std::size_t k = 0;
  while (k + 1 < count && a[k] + b[k] != least) ++k;
  return k;
}

/// Writes every k where a[k] + b[k] < ceiling; returns how many there are.
inline std::size_t FindBelow(const double* a, const double* b, std::size_t count, double ceiling,
                             std::uint32_t* to) noexcept {
  // Vectors that share one test: as few places cost less than the ceiling, its branch is nearly always the same one.
  constexpr std::size_t kChains = 4;
  constexpr std::size_t kStep = kChains * kLanes;
  std::size_t found = 0;
  const auto look = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      to[found] = static_cast<std::uint32_t>(k);
      found += a[k] + b[k] < ceiling ? 1 : 0;
    }
  };
  const Lanes limit = ceiling - Lanes{};
  std::size_t k = 0;
  for (; k + kStep <= count; k += kStep) {
    Lanes least = limit;
    for (std::size_t c = 0; c < kChains; ++c) {
      Lanes x, y;
      Load(a + k + c * kLanes, x);
      Load(b + k + c * kLanes, y);
      const Lanes sum = x + y;
      least = sum < least ? sum : least;
    }
    double all[kLanes];
    Store(least, all);
    bool any = false;
    for (std::size_t l = 0; l < kLanes; ++l) any |= all[l] < ceiling;
    if (any) look(k, k + kStep);
  }
  look(k, count);
  return found;
}

/// One more segment, by Bellman's equation on bounds in place of functions:
/// to[j] = the least of before[i] + edges(i, j) over i from max(firsts[j], begin - 1) to j - 1, for j from `begin` on.
inline void CarryBounds(const double* before, const double* edges, const int* firsts, std::size_t begin, std::size_t n,
                        double* to) noexcept {
  for (std::size_t j = begin; j < n; ++j) {
    std::size_t i = static_cast<std::size_t>(firsts[j]);
    if (i + 1 < begin) i = begin - 1;
    to[j] = i < j ? LeastSum(before + i, edges + fit::column_of(j) + i, j - i) : fit::kNoBound;
  }
}

}  // namespace segment_kernels
}  // namespace CURVEC_ABI
}  // namespace curvec
