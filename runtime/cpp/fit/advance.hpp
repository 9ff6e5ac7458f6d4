// One step of the search: from the cost of everything up to a knot to the cost of everything up to the next.
#pragma once

#include <algorithm>
#include <cmath>

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

// Cuts a piece to the y bounds and to where it is below `ceiling`.
inline bool trim(Piece& p, const Limits& limits, double ceiling) noexcept {
  if (p.l <= limits.y_low) p.l = limits.y_low, p.hard_l = true;
  if (p.r >= limits.y_high) p.r = limits.y_high, p.hard_r = true;
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
// each set of constraints that can be active. y may rest at an end of p only if that is hard.
template <class Sink>
void advance(const Piece& p, const Segment& seg, const Limits& limits, double ceiling, Sink&& sink) {
  if (!(seg.least(p.q) < ceiling)) return;
  const double w = seg.w;
  const double s = seg.s;
  const double al = seg.alpha();
  const double d = p.q.a + w * al * al + s;
  const double lo = limits.rise_low;
  const double hi = limits.rise_high;
  const auto emit = [&](const Quadratic& q, double l, double r, bool hard_l, bool hard_r) {
    Piece out;
    out.l = l;
    out.r = r;
    out.q = q;
    out.hard_l = hard_l;
    out.hard_r = hard_r;
    if (l <= r && detail::trim(out, limits, ceiling)) sink(out);
  };
  const bool hard_l = p.hard_l;
  const bool hard_r = p.hard_r;
  if (!(d > 0.0)) {
    // Nothing depends on y: no data on the segment and a constant so far.
    const double level = seg.lam;
    emit({w * level * level, level == 0.0 ? 0.0 : seg.mean / level, p.q.h + seg.rest}, p.l + lo, p.r + hi, hard_l,
         hard_r);
    return;
  }
  // The best y is c0 + c1 z; z - y grows with z, since 1 - c1 = m / d >= 0.
  const double n0 = p.q.a * p.q.v + w * al * seg.mean - s * seg.beta;
  const double m = p.q.a + w * al;
  const double c0 = n0 / d;
  const double c1 = (s - w * al * seg.lam) / d;
  double z_low = -kInf;  // below: rise_low is active
  double z_high = kInf;  // above: rise_high is active
  if (m > 0.0) {
    if (lo > -kInf) z_low = (lo * d + n0) / m;
    if (hi < kInf) z_high = (hi * d + n0) / m;
  } else {
    if (lo > -c0) z_low = kInf;
    if (hi < -c0) z_high = -kInf;
  }
  double l = z_low;
  double r = z_high;
  if (p.l > -kInf || p.r < kInf) detail::narrow(c0, c1, p.l, p.r, l, r);
  if (l <= r) emit(seg.free(p.q), l, r, false, false);
  if (lo > -kInf && p.l + lo <= std::min(p.r + lo, z_low)) {
    emit(seg.tied(p.q, lo), p.l + lo, std::min(p.r + lo, z_low), hard_l, hard_r && p.r + lo <= z_low);
  }
  if (hi < kInf && std::max(p.l + hi, z_high) <= p.r + hi) {
    emit(seg.tied(p.q, hi), std::max(p.l + hi, z_high), p.r + hi, hard_l && p.l + hi >= z_high, hard_r);
  }
  if (hard_l && p.l > -kInf) {
    l = p.l + lo;
    r = p.l + hi;
    detail::narrow(c0, c1, -kInf, p.l, l, r);
    if (l <= r) emit(seg.pinned(p.l, p.q(p.l)), l, r, hard_l && l == p.l + lo, r == p.l + hi);
  }
  if (hard_r && p.r < kInf) {
    l = p.r + lo;
    r = p.r + hi;
    detail::narrow(c0, c1, p.r, kInf, l, r);
    if (l <= r) emit(seg.pinned(p.r, p.q(p.r)), l, r, l == p.r + lo, hard_r && r == p.r + hi);
  }
}

}  // namespace curvec::fit
