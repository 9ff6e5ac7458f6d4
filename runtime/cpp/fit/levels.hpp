// The functions F_m,i of the search: cost of everything left of knot i with m segments, by the curve's y at the knot.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit/advance.hpp"
#include "fit/chain.hpp"
#include "fit/side.hpp"
#include "fit/tilt.hpp"
#include "fit/watch.hpp"

namespace curvec::fit {

using Levels = std::vector<std::vector<Pieces>>;  // [number of segments][knot]

// What a curve may cost so far and still become better than those in hand.
struct Ceiling {
  const std::vector<double>& best;  // [number of segments] the cost of the curve in hand
  const Grid& rest;                 // [segments][knot, from the other end] a bound for what is still to come
  int knots;
  int fewest = 1;  // curves with fewer segments are of no interest

  // With m segments so far, at knot j.
  [[nodiscard]] double operator()(int m, int j) const noexcept {
    const auto mirror = static_cast<std::size_t>(knots - 1 - j);
    double most = -kInf;
    for (std::size_t k = static_cast<std::size_t>(std::max(fewest, m)); k < best.size(); ++k) {
      most = std::max(most, best[k] - rest[k - static_cast<std::size_t>(m)][mirror]);
    }
    return most;
  }
};

// The bound by tilts, where there is one: what a curve may cost so far, tilt y included.
struct Guide {
  const Tilt& tilt;
  Ceiling ceiling;
  Grid& own;  // as for the plain bound
};

class Expansion {
 public:
  Expansion(const Side& side, Ceiling ceiling, Watch& watch, Guide* guide = nullptr)
      : side_(side), ceiling_(ceiling), watch_(watch), guide_(guide) {}

  // F_0 .. F_depth, and what they say about `own`, a bound for what is left of each knot.
  [[nodiscard]] Levels run(int depth, Grid& own) {
    for (int m = 0; m <= depth && !watch_.expired(); ++m) {
      add_level(own);
      sharpen(own);
    }
    levels_.resize(at(depth) + 1, std::vector<Pieces>(at(side_.size())));
    return std::move(levels_);
  }

  // The next level, from F_0 on.
  void add_level(const Grid& own) {
    const int m = static_cast<int>(levels_.size());
    levels_.emplace_back(at(side_.size()));
    if (m == 0) {
      start();
      return;
    }
    for (int j = m; j < side_.size() && !watch_.expired(); ++j) {
      envelope_.pieces().clear();
      extend(levels_[at(m) - 1], m, j, own);
      levels_[at(m)][at(j)] = envelope_.pieces();
      note_least(levels_[at(m)][at(j)], j);
    }
  }

  // What the last level says about `own`: a curve that is better than those in hand has one of its pieces.
  void sharpen(Grid& own) const {
    if (levels_.size() < 2 || watch_.expired()) return;
    sharpen(own, &Piece::least, [&](int j) { return side_.bounds_to(j); });
    if (guide_) sharpen(guide_->own, &Piece::tilted, [&](int j) { return guide_->tilt.edges_to(j); });
  }

  [[nodiscard]] const Levels& levels() const noexcept { return levels_; }

 private:
  [[nodiscard]] static std::size_t at(int k) noexcept { return static_cast<std::size_t>(k); }

  void start() {
    for (int j = 0; j <= side_.last_start(); ++j) {
      Piece p = side_.start_piece(j, ceiling_(0, j));
      if (!(p.l <= p.r) || (guide_ && !trim_tilted(p, guide_->tilt[j], guided(0, j)))) continue;
      levels_[0][at(j)].push_back(p);
      note_least(levels_[0][at(j)], j);
    }
  }

  void note_least(Pieces& pieces, int j) const noexcept {
    for (Piece& p : pieces) {
      p.least = p.min();
      if (guide_) p.tilted = tilted_least(p, guide_->tilt[j]);
    }
  }

  // The ceiling by tilts; payments may be far larger than costs, so what they cancel may leave a trace.
  [[nodiscard]] double guided(int m, int j) const noexcept {
    const double ceiling = guide_->ceiling(m, j);
    return ceiling + 1e-12 * std::abs(ceiling);
  }

  // F_m,j, from every F_m-1,i.
  void extend(const std::vector<Pieces>& before, int m, int j, const Grid& own) {
    const double ceiling = ceiling_(m, j);
    const double guided_ceiling = guide_ ? guided(m, j) : kInf;
    const double tilt = guide_ ? guide_->tilt[j] : 0.0;
    for (int i = std::max(side_.first(j), m - 1); i < j; ++i) {
      const Pieces& pieces = before[at(i)];
      const double bound = side_.bound(i, j);
      if (pieces.empty() || !(own[at(m - 1)][at(i)] + bound < ceiling)) continue;
      const double edge = guide_ ? guide_->tilt.edge(i, j) : 0.0;
      if (guide_ && !(guide_->own[at(m - 1)][at(i)] + edge < guided_ceiling)) continue;
      const Limits limits = side_.limits(i, j);
      const Segment segment = side_.segment(i, j);
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        const Piece& p = pieces[k];
        if (!(p.least + bound < ceiling) || (guide_ && !(p.tilted + edge < guided_ceiling))) continue;
        advance(p, segment, limits, ceiling, [&](Piece q) {
          if (guide_ && !trim_tilted(q, tilt, guided_ceiling)) return;
          q.knot = i;
          q.piece = static_cast<std::int32_t>(k);
          envelope_.insert(q);
        });
      }
      watch_.work(static_cast<int>(pieces.size()) * 16);
    }
  }

  // The last level's pieces bound what is left of each knot with as many segments; with one more, each piece meets the
  // segment; from there the bound is carried on.
  template <class EdgesTo>
  void sharpen(Grid& own, double Piece::* least, EdgesTo&& edges_to) const {
    const int m = static_cast<int>(levels_.size()) - 1;
    for (int j = m; j < side_.size(); ++j) {
      double best = kInf;
      for (const Piece& p : levels_[at(m)][at(j)]) best = std::min(best, p.*least);
      own[at(m)][at(j)] = std::max(own[at(m)][at(j)], best);
    }
    for (int k = m + 1; k < static_cast<int>(own.size()); ++k) {
      for (int j = k; j < side_.size(); ++j) {
        const int first = std::max(side_.first(j), k - 1);
        const double* before = own[at(k - 1)].data();
        const double best = k == m + 1 && least == &Piece::least
                                ? next(m, j, first, before)
                                : detail::least_sum(before + first, edges_to(j) + first, j - first);
        own[at(k)][at(j)] = std::max(own[at(k)][at(j)], best);
      }
    }
  }

  [[nodiscard]] double next(int m, int j, int first, const double* before) const {
    double best = kInf;
    const double* bounds = side_.bounds_to(j);
    for (int i = first; i < j; ++i) {
      if (!(before[i] + bounds[i] < best)) continue;
      for (const Piece& p : levels_[at(m)][at(i)]) {
        const double apart = p.least + bounds[i];
        if (apart < best) best = std::min(best, std::max(apart, side_.segment(i, j).least(p.q)));
      }
    }
    return best;
  }

  const Side& side_;
  Ceiling ceiling_;
  Watch& watch_;
  Guide* guide_;
  Levels levels_;
  Envelope envelope_;
};

// The knots that lead to a piece of F_m,at, from the last to the first.
[[nodiscard]] inline std::vector<int> trace(const Levels& levels, int m, int at, int piece) {
  std::vector<int> knots{at};
  for (; m > 0; --m) {
    const Piece& p = levels[static_cast<std::size_t>(m)][static_cast<std::size_t>(at)][static_cast<std::size_t>(piece)];
    at = p.knot;
    piece = p.piece;
    knots.push_back(at);
  }
  return knots;
}

// A curve from two halves: one traced from the left, one from the right (in mirrored indices).
[[nodiscard]] inline std::vector<int> join_halves(std::vector<int> left, const std::vector<int>& right, int knots) {
  std::reverse(left.begin(), left.end());
  for (const int k : right) {
    if (knots - 1 - k != left.back()) left.push_back(knots - 1 - k);
  }
  return left;
}

}  // namespace curvec::fit
