// Which bin a value is in, and bins of about equal weight, without sorting the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fit/cells.hpp"
#include "fit/kernels.hpp"

namespace curvec::fit {

// Finds how many of the ascending edges are <= x: a table by cell, then a comparison, or a short search where edges are
// crowded.
class Binner {
 public:
  explicit Binner(std::vector<double> edges)
      : edges_(std::move(edges)), cells_(Cells(edges_.front(), edges_.back(), kBits).coarser()) {
    if (fill() > edges_.size() / kFew) {
      for (const int bits : {kBits, kMostBits}) {
        cells_ = Cells(edges_.front(), edges_.back(), bits);
        if (fill() <= edges_.size() / kFew) break;
      }
    }
    edges_.push_back(std::numeric_limits<double>::infinity());
  }

  [[nodiscard]] std::size_t operator()(double x) const noexcept {
    const std::size_t c = cells_.cell(x);
    const auto at = [&](std::size_t k) { return edges_.begin() + static_cast<std::ptrdiff_t>(starts_[k] & ~kCrowded); };
    return static_cast<std::size_t>(std::upper_bound(at(c), at(c + 1), x) - edges_.begin());
  }

  [[nodiscard]] const CellMap& cells() const noexcept { return cells_.map(); }
  [[nodiscard]] const std::uint32_t* starts() const noexcept { return starts_.data(); }
  [[nodiscard]] const double* edges() const noexcept { return edges_.data(); }

 private:
  // The table has at most 2^16 cells (256 KB); where more than one edge in 64 is then crowded, 2^18.
  static constexpr int kBits = 16;
  static constexpr int kMostBits = 18;
  static constexpr std::size_t kFew = 64;

  // Makes the table; returns the number of edges that share a cell with another one.
  std::size_t fill() {
    starts_.assign(cells_.count() + 1, 0);
    std::size_t crowded = 0;
    std::size_t at = 0;
    for (std::size_t c = 0; c < cells_.count(); ++c) {
      starts_[c] = static_cast<std::uint32_t>(at);
      while (at < edges_.size() && cells_.cell(edges_[at]) == c) ++at;
      if (at < starts_[c] + 2) continue;
      crowded += at - starts_[c];
      starts_[c] |= kCrowded;
    }
    starts_.back() = static_cast<std::uint32_t>(edges_.size());
    return crowded;
  }

  std::vector<double> edges_;
  Cells cells_;
  std::vector<std::uint32_t> starts_;  // by cell; one entry more than cells
};

// Edges (the first is the least x) of bins that hold at most about total / most of the weight each, or one value. A
// pass over the rows counts the cells of a table; cells that hold too much get tables of their own, and one more pass
// counts all of these. Weights are counted in whole units of 2^-32 of the largest, so the order of the rows does not
// matter.
class EdgeFinder {
 public:
  EdgeFinder(const Kernels& kernels, const double* x, const double* w, double unit, std::size_t rows,
             std::size_t most) noexcept
      : kernels_(kernels), x_(x), w_(w), unit_(unit), rows_(rows), most_(most) {}

  [[nodiscard]] std::vector<double> find(double low, double high) {
    tables_.push_back(Table(Cells(low, high, kRootBits).coarser()));
    std::size_t fresh = 0;
    for (int depth = 0; fresh < tables_.size() && depth < kMaxDepth; ++depth) {
      const std::size_t end = tables_.size();
      count(fresh);
      if (depth == 0) {
        for (const std::uint64_t v : tables_[0].weight) total_ += v;
        enough_ = std::max<std::uint64_t>(1, total_ / most_);
      }
      for (std::size_t k = fresh; k < end && depth + 1 < kMaxDepth; ++k) divide(k);
      fresh = end;
    }
    std::vector<double> edges;
    held_ = enough_;
    walk(0, edges);
    return edges;
  }

 private:
  // The first table has at most 2^16 cells (half a megabyte of counts), those of crowded cells 2^9: 16 + 4 * 9 = 52
  // bits in five tables, all that a double has besides its exponent.
  static constexpr int kRootBits = 16;
  static constexpr int kBits = 9;
  static constexpr int kMaxDepth = 5;
  static constexpr double kUnits = 4294967296.0;  // 2^32 to the largest weight: integers, whose sums have no order
  // A cell may hold this many bins' worth before it is looked into, so that most data are read once.
  static constexpr std::uint64_t kHeavy = 4;

  struct Table {
    explicit Table(const Cells& which) : cells(which), weight(which.count(), 0), child(which.count(), 0) {}

    Cells cells;
    std::vector<std::uint64_t> weight;
    std::vector<std::uint32_t> child;  // 0: none
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
  };

  void count(std::size_t fresh) {
    std::uint32_t cells[kRowBlock];
    for (std::size_t begin = 0; begin < rows_; begin += kRowBlock) {
      const std::size_t end = std::min(begin + kRowBlock, rows_);
      kernels_.locate(tables_[0].cells.map(), x_ + begin, end - begin, cells);
      if (fresh == 0) {
        std::uint64_t* const weight = tables_[0].weight.data();
        for (std::size_t k = begin; k < end; ++k) weight[cells[k - begin]] += units(k);
      } else {
        for (std::size_t k = begin; k < end; ++k) count_below(fresh, cells[k - begin], x_[k], units(k));
      }
    }
  }

  [[nodiscard]] std::uint64_t units(std::size_t row) const noexcept {
    return w_ ? static_cast<std::uint64_t>(w_[row] / unit_ * kUnits) : static_cast<std::uint64_t>(kUnits);
  }

  // Counts a row in the table it leads to, if that is a fresh one.
  void count_below(std::size_t fresh, std::size_t cell, double x, std::uint64_t units) noexcept {
    std::size_t at = 0;
    while (at < fresh) {
      at = tables_[at].child[cell];
      if (at == 0) return;
      cell = tables_[at].cells.cell(x);
    }
    if (units == 0) return;
    Table& table = tables_[at];
    table.weight[cell] += units;
    table.least = std::min(table.least, x);
    table.most = std::max(table.most, x);
  }

  void divide(std::size_t k) {
    if (k > 0 && tables_[k].least == tables_[k].most) return;
    if (!tables_[k].cells.divisible()) return;
    for (std::size_t c = 0; c < tables_[k].weight.size(); ++c) {
      if (tables_[k].weight[c] <= kHeavy * enough_) continue;
      tables_[k].child[c] = static_cast<std::uint32_t>(tables_.size());
      tables_.push_back(Table(Cells(tables_[k].cells.begin(c), tables_[k].cells.end(c), kBits)));
    }
  }

  void walk(std::size_t k, std::vector<double>& edges) {
    const Table& table = tables_[k];
    for (std::size_t c = 0; c < table.weight.size(); ++c) {
      if (table.weight[c] == 0) continue;
      if (table.child[c] != 0) {
        walk(table.child[c], edges);
        continue;
      }
      if (held_ + table.weight[c] > enough_) edges.push_back(table.cells.begin(c)), held_ = 0;
      held_ += table.weight[c];
    }
  }

  const Kernels& kernels_;
  const double* x_;
  const double* w_;
  double unit_;
  std::size_t rows_;
  std::size_t most_;
  std::uint64_t total_ = 0;
  std::uint64_t enough_ = 1;
  std::uint64_t held_ = 0;
  std::vector<Table> tables_;
};

}  // namespace curvec::fit
