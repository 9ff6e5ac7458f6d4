// One step of the search: from the cost of everything up to a knot to the cost of everything up to the next.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "fit/envelope.hpp"
#include "fit/segment.hpp"

namespace curvec::fit {

// What a curve must obey on a segment (rise in y from left knot to right knot) and at a knot (y itself).
struct Limits {
  double rise_low = -kInf;
  double rise_high = kInf;
  double y_low = -kInf;
  double y_high = kInf;
};

namespace detail {

// The set {z : low <= c0 + c1 z <= high}, intersected with [l, r].
inline void narrow(double c0, double c1, double low, double high, double& l, double& r) noexcept {
  if (c1 == 0.0) {
    if (c0 < low || c0 > high) r = -kInf, l = kInf;
    return;
  }
  const double a = (low - c0) / c1;
  const double b = (high - c0) / c1;
  l = std::max(l, std::min(a, b));
  r = std::min(r, std::max(a, b));
}

// Cuts a piece to the y bounds and to where it is below `ceiling`. An end a rounding within a bound is on it: as a soft
// one it would have no neighbour to take over.
inline bool trim(Piece& p, const Limits& limits, double ceiling) noexcept {
  constexpr double kRounding = 4e-16;  // two units in the last place of a double
  if (p.l <= limits.y_low || p.l <= limits.y_low + kRounding * std::abs(limits.y_low)) {
    p.l = limits.y_low, p.hard_l = true;
  }
  if (p.r >= limits.y_high || p.r >= limits.y_high - kRounding * std::abs(limits.y_high)) {
    p.r = limits.y_high, p.hard_r = true;
  }
  if (p.l == -kInf) p.hard_l = false;
  if (p.r == kInf) p.hard_r = false;
  if (!(p.q.h < ceiling)) return false;
  if (p.q.a > 0.0 && ceiling < kInf) {
    const double reach = std::sqrt((ceiling - p.q.h) / p.q.a);
    if (p.q.v - reach > p.l) p.l = p.q.v - reach, p.hard_l = false;
    if (p.q.v + reach < p.r) p.r = p.q.v + reach, p.hard_r = false;
  }
  return p.l <= p.r;
}

}  // namespace detail

// Emits min over y of p(y) + cost(y, z), y in [p.l, p.r] and rise_low <= z - y <= rise_high, as pieces in z, one for
// each set of constraints that can be active: none (interior), the least or the largest rise (low_rise, high_rise), y
// at an end of p (left_end, right_end). y may rest at an end of p only if that is hard.
//
// An example: p(y) = (y - 1)^2 for every y, a segment without data (it costs nothing) and 0 <= z - y <= 2. Where z is
// from 1 to 3 y may be 1, which costs nothing; below, the least rise is active, y = z, and costs (z - 1)^2; above, the
// largest, y = z - 2, and costs (z - 3)^2.
template <class Sink>
class Advance {
 public:
  Advance(const Piece& p, const Segment& seg, const Limits& limits, double ceiling, Sink& sink) noexcept
      : p_(p), seg_(seg), limits_(limits), ceiling_(ceiling), sink_(sink) {}

  void run() {
    const double al = seg_.alpha;
    const double d = p_.q.a + seg_.w * al * al + seg_.s;
    if (!(d > 0.0)) {
      indifferent();
      return;
    }
    find_regimes(d);
    interior();
    if (limits_.rise_low > -kInf) low_rise();
    if (limits_.rise_high < kInf) high_rise();
    // Where y does not depend on z, rounding can put it a little beyond a soft end, and the neighbour's a little beyond
    // the same end from the other side: then neither would be kept.
    const bool fixed = c1_ == 0.0;
    if ((p_.hard_l || fixed) && p_.l > -kInf) left_end();
    if ((p_.hard_r || fixed) && p_.r < kInf) right_end();
  }

 private:
  void emit(const Quadratic& q, double l, double r, bool hard_l, bool hard_r) {
    if (!(l <= r)) return;
    Piece out;
    out.l = l;
    out.r = r;
    out.q = q;
    out.hard_l = hard_l;
    out.hard_r = hard_r;
    if (detail::trim(out, limits_, ceiling_)) sink_(out);
  }

  // Nothing depends on y: no data on the segment, or all at its right end, and a constant so far.
  void indifferent() {
    const double lam = seg_.lam;
    const Quadratic q{seg_.w * lam * lam, lam == 0.0 ? 0.0 : seg_.mean / lam, p_.q.h + seg_.rest};
    emit(q, p_.l + limits_.rise_low, p_.r + limits_.rise_high, p_.hard_l, p_.hard_r);
  }

  // The best y is c0 + c1 z. z - y grows with z, since 1 - c1 = m / d >= 0: below z_low the least rise is active,
  // above z_high the largest.
  void find_regimes(double d) noexcept {
    const double wal = seg_.w * seg_.alpha;
    const double n = p_.q.a * p_.q.v + wal * seg_.mean - seg_.s * seg_.beta;
    const double m = p_.q.a + wal;
    c0_ = n / d;
    c1_ = (seg_.s - wal * seg_.lam) / d;
    if (m > 0.0) {
      if (limits_.rise_low > -kInf) z_low_ = (limits_.rise_low * d + n) / m;
      if (limits_.rise_high < kInf) z_high_ = (limits_.rise_high * d + n) / m;
    } else {
      if (limits_.rise_low > -c0_) z_low_ = kInf;
      if (limits_.rise_high < -c0_) z_high_ = -kInf;
    }
  }

  void interior() {
    double l = z_low_;
    double r = z_high_;
    if (p_.l > -kInf || p_.r < kInf) detail::narrow(c0_, c1_, p_.l, p_.r, l, r);
    if (l <= r) emit(seg_.free(p_.q), l, r, false, false);
  }

  void low_rise() {
    const double rise = limits_.rise_low;
    const double l = p_.l + rise;
    const double r = std::min(p_.r + rise, z_low_);
    if (l <= r) emit(seg_.tied(p_.q, rise), l, r, p_.hard_l, p_.hard_r && p_.r + rise <= z_low_);
  }

  void high_rise() {
    const double rise = limits_.rise_high;
    const double l = std::max(p_.l + rise, z_high_);
    const double r = p_.r + rise;
    if (l <= r) emit(seg_.tied(p_.q, rise), l, r, p_.hard_l && p_.l + rise >= z_high_, p_.hard_r);
  }

  // y rests at the piece's end; where a rise takes over from there, the result may bend upwards.
  void left_end() {
    double l = p_.l + limits_.rise_low;
    double r = p_.l + limits_.rise_high;
    detail::narrow(c0_, c1_, -kInf, p_.l, l, r);
    if (!(l <= r)) return;
    emit(seg_.pinned(p_.l, p_.q(p_.l)), l, r, l == p_.l + limits_.rise_low, r == p_.l + limits_.rise_high);
  }

  void right_end() {
    double l = p_.r + limits_.rise_low;
    double r = p_.r + limits_.rise_high;
    detail::narrow(c0_, c1_, p_.r, kInf, l, r);
    if (!(l <= r)) return;
    emit(seg_.pinned(p_.r, p_.q(p_.r)), l, r, l == p_.r + limits_.rise_low, r == p_.r + limits_.rise_high);
  }

  const Piece& p_;
  const Segment& seg_;
  const Limits& limits_;
  double ceiling_;
  Sink& sink_;
  double c0_ = 0.0;
  double c1_ = 0.0;
  double z_low_ = -kInf;
  double z_high_ = kInf;
};

template <class Sink>
void advance(const Piece& p, const Segment& seg, const Limits& limits, double ceiling, Sink&& sink) {
  if (p.l <= p.r && seg.least(p.q) < ceiling)
    Advance<std::remove_reference_t<Sink>>(p, seg, limits, ceiling, sink).run();
}

}  // namespace curvec::fit
