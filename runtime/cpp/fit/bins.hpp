// Which bin a value is in, and bins of about equal weight, without sorting the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace curvec::fit {

// Doubles as integers in the same order.
[[nodiscard]] inline std::uint64_t order_key(double x) noexcept {
  std::uint64_t bits;
  x += 0.0;  // -0 and 0 are one value
  std::memcpy(&bits, &x, sizeof bits);
  return bits & (std::uint64_t{1} << 63) ? ~bits : bits | (std::uint64_t{1} << 63);
}

[[nodiscard]] inline double from_order_key(std::uint64_t key) noexcept {
  const std::uint64_t bits = key & (std::uint64_t{1} << 63) ? key & ~(std::uint64_t{1} << 63) : ~key;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// The span of keys between two values cut into at most 2^bits cells of equal size.
class Cells {
 public:
  Cells(double low, double high, int bits) noexcept : low_(order_key(low)), last_(order_key(high) - low_) {
    while ((last_ >> shift_) >> bits) ++shift_;
  }

  [[nodiscard]] std::size_t count() const noexcept { return static_cast<std::size_t>(last_ >> shift_) + 1; }
  [[nodiscard]] std::size_t cell(double x) const noexcept {
    const std::uint64_t key = order_key(x);
    return key <= low_ ? 0 : static_cast<std::size_t>(std::min(key - low_, last_) >> shift_);
  }
  // The least value of a cell.
  [[nodiscard]] double begin(std::size_t cell) const noexcept {
    return from_order_key(low_ + (static_cast<std::uint64_t>(cell) << shift_));
  }
  // The largest.
  [[nodiscard]] double end(std::size_t cell) const noexcept {
    return from_order_key(low_ + std::min((static_cast<std::uint64_t>(cell + 1) << shift_) - 1, last_));
  }
  [[nodiscard]] bool divisible() const noexcept { return shift_ > 0; }

 private:
  std::uint64_t low_;
  std::uint64_t last_;
  int shift_ = 0;
};

// Cells of equal width.
class EvenCells {
 public:
  EvenCells(double low, double high, std::size_t count) noexcept
      : low_(low), scale_(static_cast<double>(count - 1) / (high - low)), count_(count) {}

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t cell(double x) const noexcept {
    const double at = (x - low_) * scale_;
    return at > 0.0 ? static_cast<std::size_t>(std::min(at, static_cast<double>(count_ - 1))) : 0;
  }

 private:
  double low_;
  double scale_;
  std::size_t count_;
};

// Finds how many of the ascending edges are <= x: a table by cell, then a short search. Cells are even in x or in x's
// binary digits, whichever spreads the edges better.
class Binner {
 public:
  explicit Binner(const std::vector<double>& edges)
      : edges_(edges),
        digits_(edges.front(), edges.back(), kBits),
        even_(edges.front(), edges.back(), std::size_t{1} << kBits) {
    const std::vector<std::uint32_t> by_digits = table(digits_);
    const std::vector<std::uint32_t> by_width = table(even_);
    by_width_ = crowding(by_width) < crowding(by_digits);
    begin_ = by_width_ ? by_width : by_digits;
    edges_.resize(edges_.size() + 2, std::numeric_limits<double>::infinity());
  }

  [[nodiscard]] std::size_t operator()(double x) const noexcept {
    const std::size_t c = by_width_ ? even_.cell(x) : digits_.cell(x);
    const std::size_t low = begin_[c];
    const std::size_t high = begin_[c + 1];
    if (high - low > 2) {
      const auto first = edges_.begin();
      return static_cast<std::size_t>(
          std::upper_bound(first + static_cast<std::ptrdiff_t>(low), first + static_cast<std::ptrdiff_t>(high), x) -
          first);
    }
    // Without a branch: edges of later cells are above x, and two infinite ones follow the last.
    return low + static_cast<std::size_t>(edges_[low] <= x) + static_cast<std::size_t>(edges_[low + 1] <= x);
  }

 private:
  static constexpr int kBits = 14;

  // For each cell the first edge in it or right of it; one entry more than cells.
  template <class Map>
  [[nodiscard]] std::vector<std::uint32_t> table(const Map& map) const {
    std::vector<std::uint32_t> begin(map.count() + 1);
    std::size_t at = 0;
    for (std::size_t c = 0; c < map.count(); ++c) {
      while (at < edges_.size() && map.cell(edges_[at]) < c) ++at;
      begin[c] = static_cast<std::uint32_t>(at);
    }
    begin.back() = static_cast<std::uint32_t>(edges_.size());
    return begin;
  }

  // The mean number of edges beside a random edge's own in its cell.
  [[nodiscard]] static double crowding(const std::vector<std::uint32_t>& begin) noexcept {
    double sum = 0.0;
    for (std::size_t c = 1; c < begin.size(); ++c) {
      const double inside = begin[c] - begin[c - 1];
      sum += inside * inside;
    }
    return sum;
  }

  std::vector<double> edges_;
  Cells digits_;
  EvenCells even_;
  bool by_width_ = false;
  std::vector<std::uint32_t> begin_;
};

// Edges (the first is the least x) of bins that hold at most about total / most of the weight each, or one value. A
// pass over the rows counts the cells of a table; cells that hold too much get tables of their own, and one more pass
// counts all of these. Weights are counted in whole units of 2^-32 of the largest, so the order of the rows does not
// matter.
class EdgeFinder {
 public:
  EdgeFinder(const double* x, const double* w, double scale, std::size_t rows, std::size_t most) noexcept
      : x_(x), w_(w), units_(scale * kUnits), rows_(rows), most_(most) {}

  [[nodiscard]] std::vector<double> find(double low, double high) {
    tables_.push_back(Table(Cells(low, high, kRootBits)));
    std::size_t fresh = 0;
    for (int depth = 0; fresh < tables_.size() && depth < kMaxDepth; ++depth) {
      const std::size_t end = tables_.size();
      count(fresh);
      if (depth == 0) {
        for (const std::uint64_t v : tables_[0].weight) total_ += v;
        enough_ = std::max<std::uint64_t>(1, total_ / most_);
      }
      for (std::size_t k = fresh; k < end; ++k) divide(k);
      fresh = end;
    }
    std::vector<double> edges;
    held_ = enough_;
    walk(0, edges);
    return edges;
  }

 private:
  static constexpr int kRootBits = 14;
  static constexpr int kBits = 9;
  static constexpr int kMaxDepth = 5;
  static constexpr double kUnits = 4294967296.0;
  // A cell may hold this many bins' worth before it is looked into, so that most data are read once.
  static constexpr std::uint64_t kHeavy = 4;

  struct Table {
    explicit Table(const Cells& which) : cells(which), weight(which.count(), 0), child(which.count(), 0) {}

    Cells cells;
    std::vector<std::uint64_t> weight;
    std::vector<std::uint32_t> child;  // 0: none
    double least = 1.0;
    double most = -1.0;
  };

  void count(std::size_t fresh) {
    for (std::size_t k = 0; k < rows_; ++k) {
      const std::uint64_t units = w_ ? static_cast<std::uint64_t>(w_[k] * units_) : 1;
      if (units == 0) continue;
      const double x = x_[k];
      std::size_t at = 0;
      std::size_t cell = tables_[0].cells.cell(x);
      while (at < fresh) {
        at = tables_[at].child[cell];
        if (at == 0) break;
        cell = tables_[at].cells.cell(x);
      }
      if (at < fresh) continue;
      Table& table = tables_[at];
      table.weight[cell] += units;
      if (at == 0) continue;
      table.least = table.most < table.least ? x : std::min(table.least, x);
      table.most = std::max(table.most, x);
    }
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

  const double* x_;
  const double* w_;
  double units_;
  std::size_t rows_;
  std::size_t most_;
  std::uint64_t total_ = 0;
  std::uint64_t enough_ = 1;
  std::uint64_t held_ = 0;
  std::vector<Table> tables_;
};

}  // namespace curvec::fit
