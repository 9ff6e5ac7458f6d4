// The lower envelope of quadratic pieces, kept as a sorted list of disjoint intervals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fit/quadratic.hpp"

namespace curvec::fit {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

// A quadratic on [l, r], with the way back: the knot and the piece it came from. An end is hard where the function
// jumps or bends upwards (the edge of what the constraints allow); a minimum may sit there. At a soft end a neighbour
// takes over from below, or everything beyond costs more than the incumbent.
struct Piece {
  double l = -kInf;
  double r = kInf;
  Quadratic q;
  double least = -kInf;   // a bound for the piece's values on [l, r]
  double tilted = -kInf;  // the same of value + tilt y (see tilt.hpp)
  std::int32_t knot = -1;
  std::int32_t piece = -1;
  bool hard_l = false;
  bool hard_r = false;

  [[nodiscard]] double argmin() const noexcept { return std::min(std::max(q.v, l), r); }
  [[nodiscard]] double min() const noexcept { return q(argmin()); }
};

using Pieces = std::vector<Piece>;

// Pieces that are kept elsewhere.
class Span {
 public:
  Span(const Piece* first, std::size_t size) noexcept : first_(first), size_(size) {}
  Span(const Pieces& pieces) noexcept : first_(pieces.data()), size_(pieces.size()) {}  // NOLINT: the same thing

  [[nodiscard]] const Piece* begin() const noexcept { return first_; }
  [[nodiscard]] const Piece* end() const noexcept { return first_ + size_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const Piece& operator[](std::size_t k) const noexcept { return first_[k]; }

 private:
  const Piece* first_;
  std::size_t size_;
};

namespace detail {

inline Piece part(const Piece& p, double l, double r) noexcept {
  Piece out = p;
  out.hard_l = p.hard_l && l == p.l;
  out.hard_r = p.hard_r && r == p.r;
  out.l = l;
  out.r = r;
  return out;
}

inline void append(Pieces& out, const Piece& p, double l, double r) {
  if (!(l < r) && !(l == r && p.l == p.r)) return;
  if (!out.empty() && out.back().r == l) {
    Piece& last = out.back();
    if (last.knot == p.knot && last.piece == p.piece && last.q.a == p.q.a && last.q.v == p.q.v && last.q.h == p.q.h) {
      last.r = r;
      last.hard_r = p.hard_r && r == p.r;
      return;
    }
  }
  out.push_back(part(p, l, r));
}

// Appends the lower of `old` and `fresh` on [l, r]; on a tie the old one stays.
inline void append_lower(Pieces& out, const Piece& old, const Piece& fresh, double l, double r) {
  const Roots roots = crossings(fresh.q, old.q);
  const double a = fresh.q.a - old.q.a;
  if (!roots.crossing) {
    const bool lower = a < 0.0 || (a == 0.0 && fresh.q.h < old.q.h);
    append(out, lower ? fresh : old, l, r);
    return;
  }
  if (a == 0.0) {
    const double cut = std::min(std::max(roots.low, l), r);
    const bool fresh_left = fresh.q.v < old.q.v;
    append(out, fresh_left ? fresh : old, l, cut);
    append(out, fresh_left ? old : fresh, cut, r);
    return;
  }
  const double low = std::min(std::max(roots.low, l), r);
  const double high = std::min(std::max(roots.high, l), r);
  const Piece& inner = a > 0.0 ? fresh : old;
  const Piece& outer = a > 0.0 ? old : fresh;
  append(out, outer, l, low);
  append(out, inner, low, high);
  append(out, outer, high, r);
}

// Whether `fresh` is below `old` somewhere in [l, r].
inline bool goes_below(const Piece& old, const Piece& fresh, double l, double r) noexcept {
  const Roots roots = crossings(fresh.q, old.q);
  const double a = fresh.q.a - old.q.a;
  if (!roots.crossing) return a < 0.0 || (a == 0.0 && fresh.q.h < old.q.h);
  if (a > 0.0) return std::max(roots.low, l) < std::min(roots.high, r);
  if (a < 0.0) return l < roots.low || roots.high < r;
  return fresh.q.v < old.q.v ? l < roots.low : roots.low < r;
}

}  // namespace detail

// The pointwise minimum of pieces that are put in one after the other.
class Envelope {
 public:
  [[nodiscard]] const Pieces& pieces() const noexcept { return pieces_; }
  [[nodiscard]] Pieces& pieces() noexcept { return pieces_; }

  // Pieces that were looked at since this was last asked.
  [[nodiscard]] int work() noexcept { return std::exchange(work_, 0); }

  void insert(const Piece& p) {
    if (!(p.l <= p.r) || (p.l == p.r && holds(p))) return;
    // First piece that ends right of p.l.
    const auto first = std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& q) { return q.r <= p.l; });
    const auto begin = static_cast<std::size_t>(first - pieces_.begin());
    std::size_t end = begin;
    bool changes = false;
    double covered = p.l;
    while (end < pieces_.size() && pieces_[end].l < p.r) {
      const Piece& old = pieces_[end];
      if (!changes) {
        changes = old.l > covered || detail::goes_below(old, p, std::max(old.l, p.l), std::min(old.r, p.r));
      }
      covered = old.r;
      ++end;
    }
    work_ += static_cast<int>(end - begin);
    if (!changes && !(covered < p.r) && end > begin) return;
    work_ += static_cast<int>((pieces_.size() - end) / 8);  // those behind are moved
    rebuild(p, begin, end);
  }

 private:
  // Whether a piece of one point is no lower than what is there, or takes the place of another such piece: on plateaus
  // many pieces have the same point.
  [[nodiscard]] bool holds(const Piece& p) {
    auto at = std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& q) { return q.r < p.l; });
    for (; at != pieces_.end() && at->l <= p.l; ++at) {
      if (p.q(p.l) < at->q(p.l)) {
        if (at->l < at->r) continue;
        *at = p;
        return true;
      }
      const bool hard = p.hard_l || p.hard_r;
      if (at->l == p.l) at->hard_l = at->hard_l || hard;
      if (at->r == p.l) at->hard_r = at->hard_r || hard;
      return true;
    }
    return false;
  }

  void rebuild(const Piece& p, std::size_t begin, std::size_t end) {
    scratch_.clear();
    double at = p.l;
    for (std::size_t k = begin; k < end; ++k) {
      const Piece& old = pieces_[k];
      if (old.l < p.l) detail::append(scratch_, old, old.l, p.l);
      if (at < old.l) detail::append(scratch_, p, at, old.l);
      detail::append_lower(scratch_, old, p, std::max(old.l, p.l), std::min(old.r, p.r));
      if (old.r > p.r) detail::append(scratch_, old, p.r, old.r);
      at = old.r;
    }
    if (at < p.r || begin == end) detail::append(scratch_, p, at, p.r);
    const std::size_t common = std::min(scratch_.size(), end - begin);
    std::copy_n(scratch_.begin(), common, pieces_.begin() + static_cast<std::ptrdiff_t>(begin));
    const auto at_end = pieces_.begin() + static_cast<std::ptrdiff_t>(begin + common);
    if (scratch_.size() > common) {
      pieces_.insert(at_end, scratch_.begin() + static_cast<std::ptrdiff_t>(common), scratch_.end());
    } else {
      pieces_.erase(at_end, at_end + static_cast<std::ptrdiff_t>((end - begin) - common));
    }
  }

  Pieces pieces_;
  Pieces scratch_;
  int work_ = 0;
};

}  // namespace curvec::fit
