// The functions F_m,i of the search: cost of everything left of knot i with m segments, by the curve's y at the knot.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit/advance.hpp"
#include "fit/bounds.hpp"
#include "fit/chain.hpp"
#include "fit/side.hpp"
#include "fit/tilt.hpp"
#include "fit/watch.hpp"

namespace curvec::fit {

// The pieces of one number of segments, by knot.
class Level {
 public:
  [[nodiscard]] Span operator[](std::size_t knot) const noexcept {
    return {pieces_.data() + begins_[knot], begins_[knot + 1] - begins_[knot]};
  }

  // The next knot's pieces.
  void push_back(const Pieces& pieces) {
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
    begins_.push_back(pieces_.size());
  }
  // Knots without pieces, up to so many in all.
  void fill_up(std::size_t knots) { begins_.resize(knots + 1, pieces_.size()); }

 private:
  Pieces pieces_;
  std::vector<std::size_t> begins_{0};
};

using Levels = std::vector<Level>;  // [number of segments][knot]

// The most that the left part of a curve may cost: one that costs more cannot become better than the best curves known,
// even if the rest of it costs only its lower bound.
struct Ceiling {
  const std::vector<double>& best;  // [number of segments] the cost of the best curve known
  const Grid& rest;                 // [segments][knot, counted from the right] a lower bound of the rest's cost
  int knots;
  int fewest = 1;  // the fewest segments that an answer is wanted for

  // For a left part of m segments that ends at knot j.
  [[nodiscard]] double operator()(int m, int j) const noexcept {
    const auto mirror = static_cast<std::size_t>(knots - 1 - j);
    double most = -kInf;
    for (std::size_t k = static_cast<std::size_t>(std::max(fewest, m)); k < best.size(); ++k) {
      most = std::max(most, best[k] - rest[k - static_cast<std::size_t>(m)][mirror]);
    }
    return most;
  }
};

// A second, sharper bound (tilt.hpp), where there is one: its ceiling is for the cost of the left part plus what the
// tilt at its last knot charges for y there.
struct Guide {
  const Tilt& tilt;
  Ceiling ceiling;
  Grid& prefix_bounds;  // as `prefix_bounds` of Expansion::run
};

class Expansion {
 public:
  Expansion(const Side& side, Ceiling ceiling, Watch& watch, Guide* guide = nullptr)
      : side_(side), ceiling_(ceiling), watch_(watch), guide_(guide) {}

  // F_0 to F_depth. `prefix_bounds` are lower bounds of the cost of what is left of each knot, [segments][knot]; they
  // are raised to what these functions show.
  [[nodiscard]] Levels run(int depth, Grid& prefix_bounds) {
    for (int m = 0; m <= depth && !watch_.expired(); ++m) {
      add_level(prefix_bounds);
      sharpen(prefix_bounds);
    }
    levels_.resize(at(depth) + 1);
    for (Level& level : levels_) level.fill_up(at(side_.size()));
    return std::move(levels_);
  }

  // The next level, from F_0 on.
  void add_level(const Grid& prefix_bounds) {
    const int m = static_cast<int>(levels_.size());
    Level level;
    level.fill_up(at(m));
    for (int j = m; j < side_.size() && !watch_.expired(); ++j) {
      Pieces& pieces = envelope_.pieces();
      pieces.clear();
      if (m == 0) {
        start(j, pieces);
      } else {
        extend(levels_[at(m) - 1], m, j, prefix_bounds);
      }
      note_least(pieces, j);
      level.push_back(pieces);
    }
    level.fill_up(at(side_.size()));
    levels_.push_back(std::move(level));
  }

  // Raises the bounds by the last level: a curve better than the best known has one of its pieces as its left part, so
  // that the least value of these pieces is a lower bound.
  void sharpen(Grid& prefix_bounds) {
    if (levels_.size() < 2 || watch_.expired()) return;
    sharpen(prefix_bounds, &Piece::least, side_.bounds());
    if (guide_) sharpen(guide_->prefix_bounds, &Piece::tilted, guide_->tilt.edges());
  }

  [[nodiscard]] const Levels& levels() const noexcept { return levels_; }

 private:
  [[nodiscard]] static std::size_t at(int k) noexcept { return static_cast<std::size_t>(k); }

  void start(int j, Pieces& pieces) const {
    if (j > side_.last_start()) return;
    Piece p = side_.start_piece(j, ceiling_(0, j));
    if (!(p.l <= p.r) || (guide_ && !trim_tilted(p, guide_->tilt[j], guided(0, j)))) return;
    pieces.push_back(p);
  }

  void note_least(Pieces& pieces, int j) const noexcept {
    for (Piece& p : pieces) {
      p.least = p.min();
      if (guide_) p.tilted = tilted_least(p, guide_->tilt[j]);
    }
  }

  // The tilted ceiling, raised by its relative rounding error: the charges for y may be far larger than the costs, and
  // where they cancel, rounding errors of their size are left.
  [[nodiscard]] double guided(int m, int j) const noexcept {
    const double ceiling = guide_->ceiling(m, j);
    return ceiling + kTiltRounding * std::abs(ceiling);
  }

  // F_m,j, from every F_m-1,i.
  void extend(const Level& before, int m, int j, const Grid& prefix_bounds) {
    const double ceiling = ceiling_(m, j);
    const double guided_ceiling = guide_ ? guided(m, j) : kInf;
    const double tilt = guide_ ? guide_->tilt[j] : 0.0;
    const int first = std::max(side_.first(j), m - 1);
    if (first >= j) return;
    room_.resize(std::max(room_.size(), at(j) + 1));
    const std::size_t found = kernels().find_below(prefix_bounds[at(m) - 1].data() + first, side_.bounds_to(j) + first,
                                                   at(j - first), ceiling, room_.data());
    for (std::size_t c = 0; c < found; ++c) {
      const int i = first + static_cast<int>(room_[c]);
      const Span pieces = before[at(i)];
      const double bound = side_.bound(i, j);
      const double edge = guide_ ? guide_->tilt.edge(i, j) : 0.0;
      if (guide_ && !(guide_->prefix_bounds[at(m - 1)][at(i)] + edge < guided_ceiling)) continue;
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
      watch_.work(static_cast<int>(pieces.size()) * 16 + envelope_.work());
    }
  }

  // The least value of the last level's pieces at a knot bounds the cost of what is left of it, for as many segments.
  // For one segment more, each piece is followed by one segment; for further ones the bound goes on from that.
  void sharpen(Grid& prefix_bounds, double Piece::* least, const double* edges) {
    const int m = static_cast<int>(levels_.size()) - 1;
    for (int j = m; j < side_.size(); ++j) {
      double best = kInf;
      for (const Piece& p : levels_[at(m)][at(j)]) best = std::min(best, p.*least);
      prefix_bounds[at(m)][at(j)] = std::max(prefix_bounds[at(m)][at(j)], best);
    }
    std::vector<double> carried(at(side_.size()), kInf);
    for (int k = m + 1; k < static_cast<int>(prefix_bounds.size()); ++k) {
      if (k == m + 1 && least == &Piece::least) {
        for (int j = k; j < side_.size(); ++j)
          carried[at(j)] = next(m, j, std::max(side_.first(j), k - 1), prefix_bounds[at(m)].data());
      } else {
        kernels().carry(prefix_bounds[at(k) - 1].data(), edges, side_.firsts().data(), at(k), at(side_.size()),
                        carried.data());
      }
      for (int j = k; j < side_.size(); ++j)
        prefix_bounds[at(k)][at(j)] = std::max(prefix_bounds[at(k)][at(j)], carried[at(j)]);
    }
  }

  [[nodiscard]] double next(int m, int j, int first, const double* before) {
    const double* bounds = side_.bounds_to(j);
    return least_meeting(before, bounds, first, j, room_, [&](int i) {
      const Segment segment = side_.segment(i, j);
      double best = kInf;
      for (const Piece& p : levels_[at(m)][at(i)]) {
        if (p.least + bounds[i] < best) best = std::min(best, std::max(p.least + bounds[i], segment.least(p.q)));
      }
      return best;
    });
  }

  const Side& side_;
  Ceiling ceiling_;
  Watch& watch_;
  Guide* guide_;
  Levels levels_;
  Envelope envelope_;
  std::vector<std::uint32_t> room_;
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
