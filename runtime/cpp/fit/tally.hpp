// The rows of one column or several, counted in cells that follow from the rows alone: neither their order nor how they
// are divided into parts leaves a trace.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fit/order.hpp"

namespace curvec::fit {

// A sum of weights without rounding: 64 bits before the point and 128 behind it. What a weight has beyond that is cut
// off before it is added, so that the order of the rows does not matter.
class ExactWeight {
 public:
  void add(double w) noexcept {
    const auto raw = static_cast<std::uint64_t>(bits_of(w));
    const int exponent = static_cast<int>(raw >> 52 & 0x7FF);
    const std::uint64_t fraction = raw & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t digits = exponent ? fraction | std::uint64_t{1} << 52 : fraction;
    const int place = std::max(exponent, 1) - 1075 + 128;  // of the last digit, counted from the last bit
    if (place <= -53) return;
    const std::uint64_t bits = place < 0 ? digits >> -place : digits;
    const int at = std::max(place, 0);
    std::array<std::uint64_t, 3> term{};
    const int offset = at % 64;
    const auto word = static_cast<std::size_t>(at / 64);
    if (word > 2) return;  // the caller has refused such weights
    term[word] = bits << offset;
    if (offset > 0 && word + 1 < term.size()) term[word + 1] = bits >> (64 - offset);
    add(term);
  }
  void add(const ExactWeight& other) noexcept { add(other.words); }

  [[nodiscard]] double value() const noexcept {
    std::size_t top = words.size();
    while (top > 0 && words[top - 1] == 0) --top;
    if (top == 0) return 0.0;
    --top;
    int shift = 0;
    while (((words[top] << shift) & (std::uint64_t{1} << 63)) == 0) ++shift;
    std::uint64_t leading = words[top] << shift;
    bool rest = false;
    if (top > 0) {
      if (shift > 0) leading |= words[top - 1] >> (64 - shift);
      rest = (words[top - 1] << shift) != 0 || (top > 1 && words[0] != 0);
    }
    leading |= rest ? 1U : 0U;  // the last of 64 bits says whether more come: a double's 53 are rounded by it
    return std::ldexp(static_cast<double>(leading), static_cast<int>(64 * top) - 128 - shift);
  }

  std::array<std::uint64_t, 3> words{};  // the least first

 private:
  void add(const std::array<std::uint64_t, 3>& term) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
      const std::uint64_t sum = words[k] + term[k];
      const std::uint64_t with = sum + carry;
      carry = static_cast<std::uint64_t>(sum < words[k]) + static_cast<std::uint64_t>(with < sum);
      words[k] = with;
    }
  }
};

// Cells are runs of doubles that agree in their leading bits, cut further at given values. The finest cells hold one
// double each; as soon as rows lie in more cells than there may be, one bit fewer is looked at, in every column, until
// they do not. How many bits that takes depends on which values there are, and on nothing else: more rows can only ask
// for coarser cells, and coarser cells are unions of finer ones. Of each cell the number of rows, their weight, and in
// every column the least and the largest value are kept; a missing value (NaN) is a cell of its own.
class Tally {
 public:
  static constexpr std::uint64_t kMissing = ~std::uint64_t{0};  // no double's key

  struct Cell {
    std::uint64_t rows = 0;
    ExactWeight weight;
  };

  Tally(const std::vector<std::vector<double>>& cuts, std::size_t most) : most_(most) {
    for (const std::vector<double>& own : cuts) {
      std::vector<std::uint64_t> keys;
      for (const double cut : own) keys.push_back(order_key(cut));
      std::sort(keys.begin(), keys.end());
      cuts_.push_back(std::move(keys));
    }
    index_.assign(kFirstSlots, kNone);
  }

  // `columns` have `rows` doubles each; w is null for ones. Rows of weight zero are left out.
  void add(const std::vector<const double*>& columns, const double* w, std::size_t rows) {
    if (full_) return;
    if (columns.size() == 1) return add_single(columns[0], w, rows);
    std::vector<std::uint64_t> keys(columns.size());
    for (std::size_t row = 0; row < rows && !full_; ++row) {
      if (w && !(w[row] > 0.0)) continue;
      for (std::size_t c = 0; c < columns.size(); ++c) keys[c] = key_of(columns[c][row]);
      const std::size_t at = cell_of(keys.data());
      count(at, keys.data(), keys.data());
      ++cells_[at].rows;
      if (w) cells_[at].weight.add(w[row]);
      if (crowded()) coarsen();
    }
  }

  // Brings what is asked for below up to date.
  void settle() {
    cool();
    if (cells_.size() > most_) coarsen();
  }

  // The other has been settled.
  void merge(const Tally& other) {
    cool();
    weighted_ = weighted_ || other.weighted_;
    full_ = full_ || other.full_;
    if (full_) return clear();
    if (other.shift_ > shift_) rebuild(other.shift_);
    const std::size_t width = cuts_.size();
    for (std::size_t k = 0; k < other.cells_.size() && !full_; ++k) {
      put(other.cells_[k], &other.least_[k * width], &other.largest_[k * width]);
      if (crowded()) coarsen();
    }
  }

  void set_weighted() noexcept { weighted_ = true; }
  [[nodiscard]] bool weighted() const noexcept { return weighted_; }
  [[nodiscard]] bool full() const noexcept { return full_; }
  [[nodiscard]] int shift() const noexcept { return shift_; }
  [[nodiscard]] std::size_t width() const noexcept { return cuts_.size(); }
  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  [[nodiscard]] const std::vector<std::vector<std::uint64_t>>& cuts() const noexcept { return cuts_; }
  [[nodiscard]] const std::vector<Cell>& cells() const noexcept { return cells_; }
  [[nodiscard]] const std::vector<std::uint64_t>& least() const noexcept { return least_; }
  [[nodiscard]] const std::vector<std::uint64_t>& largest() const noexcept { return largest_; }

  // The numbers of the cells, in the order of their values.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> numbers(cells_.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = k;
    const std::size_t width = cuts_.size();
    std::sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
      return std::lexicographical_compare(&least_[a * width], &least_[a * width] + width, &least_[b * width],
                                          &least_[b * width] + width);
    });
    return numbers;
  }

  // Puts the cells in the order of their values. It has been settled.
  void sort() {
    const std::vector<std::size_t> sorted = order();
    const std::vector<Cell> cells = cells_;
    const std::vector<std::uint64_t> least = least_;
    const std::vector<std::uint64_t> largest = largest_;
    clear();
    for (const std::size_t k : sorted) put(cells[k], &least[k * width()], &largest[k * width()]);
  }

  // Back to what it was when it was written down.
  void restore(int shift, bool weighted, bool full, const std::vector<Cell>& cells,
               const std::vector<std::uint64_t>& least, const std::vector<std::uint64_t>& largest) {
    rebuild(shift);
    weighted_ = weighted;
    full_ = full;
    for (std::size_t k = 0; k < cells.size(); ++k) put(cells[k], &least[k * width()], &largest[k * width()]);
  }

  [[nodiscard]] static std::uint64_t key_of(double x) noexcept { return x == x ? order_key(x) : kMissing; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kFirstSlots = 1 << 8;

  // What is looked at for every row of one column: a cell also knows its last value, so that cuts are looked for once a
  // cell and not once a row. Rows are counted here and moved to the cells when these are asked for.
  struct Hot {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t least = 0;
    std::uint64_t largest = 0;
    std::uint64_t rows = 0;
  };

  void add_single(const double* x, const double* w, std::size_t rows) {
    warm();
    for (std::size_t row = 0; row < rows; ++row) {
      if (w && !(w[row] > 0.0)) continue;
      const std::uint64_t key = key_of(x[row]);
      const std::uint64_t from = leading(key);
      const std::size_t mask = index_.size() - 1;
      std::size_t slot = mixed(from) & mask;
      std::uint32_t at = index_[slot];
      while (at != kNone && hot_[at].start != from) {
        slot = (slot + 1) & mask;
        at = index_[slot];
      }
      if (at == kNone || key > hot_[at].end) {
        at = static_cast<std::uint32_t>(cell_of(&key));
        if (at == hot_.size()) {
          hot_.push_back({starts_[at], end_of(starts_[at]), key, key, 0});
          if (crowded()) {
            cool();
            cells_[at].rows += 1;
            if (w) cells_[at].weight.add(w[row]);
            coarsen();
            if (full_) return;
            warm();
            continue;
          }
        }
      }
      Hot& cell = hot_[at];
      cell.least = std::min(cell.least, key);
      cell.largest = std::max(cell.largest, key);
      ++cell.rows;
      if (w) cells_[at].weight.add(w[row]);
    }
  }

  void warm() {
    if (hot_.size() == cells_.size()) return;
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      hot_.push_back({starts_[k], end_of(starts_[k]), least_[k], largest_[k], 0});
    }
  }

  void cool() noexcept {
    for (std::size_t k = 0; k < hot_.size(); ++k) {
      least_[k] = hot_[k].least;
      largest_[k] = hot_[k].largest;
      cells_[k].rows += hot_[k].rows;
    }
    hot_.clear();
  }

  [[nodiscard]] std::uint64_t leading(std::uint64_t key) const noexcept {
    if (key == kMissing) return key;
    return shift_ > 63 ? 0 : key >> shift_ << shift_;
  }

  // The first key of the cell that holds this one in a column.
  [[nodiscard]] std::uint64_t start_of(std::size_t column, std::uint64_t key) const noexcept {
    if (key == kMissing) return key;
    const std::vector<std::uint64_t>& cuts = cuts_[column];
    const auto after = std::upper_bound(cuts.begin(), cuts.end(), key);
    const std::uint64_t from = leading(key);
    return after == cuts.begin() ? from : std::max(from, *(after - 1));
  }

  // The last key of the cell that begins here.
  [[nodiscard]] std::uint64_t end_of(std::uint64_t start) const noexcept {
    if (start == kMissing) return start;
    const std::vector<std::uint64_t>& cuts = cuts_[0];
    const auto next = std::upper_bound(cuts.begin(), cuts.end(), start);
    const std::uint64_t end = shift_ > 63 ? kMissing - 1 : leading(start) + ((std::uint64_t{1} << shift_) - 1);
    return next == cuts.end() ? end : std::min(end, *next - 1);
  }

  [[nodiscard]] static std::size_t mixed(std::uint64_t key) noexcept {
    key = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(key ^ (key >> 29));
  }

  [[nodiscard]] std::size_t slot_of(const std::uint64_t* starts) const noexcept {
    std::uint64_t all = 0;
    for (std::size_t c = 0; c < width(); ++c) all = mixed(all + starts[c]);
    const std::size_t mask = index_.size() - 1;
    std::size_t at = static_cast<std::size_t>(all) & mask;
    while (index_[at] != kNone && !std::equal(starts, starts + width(), &starts_[index_[at] * width()])) {
      at = (at + 1) & mask;
    }
    return at;
  }

  // The number of the cell that holds these keys, made if it is new.
  [[nodiscard]] std::size_t cell_of(const std::uint64_t* keys) {
    scratch_.resize(width());
    for (std::size_t c = 0; c < width(); ++c) scratch_[c] = start_of(c, keys[c]);
    std::size_t slot = slot_of(scratch_.data());
    if (index_[slot] != kNone) return index_[slot];
    if (2 * (cells_.size() + 1) > index_.size()) {
      grow();
      slot = slot_of(scratch_.data());
    }
    const std::size_t made = cells_.size();
    index_[slot] = static_cast<std::uint32_t>(made);
    cells_.emplace_back();
    starts_.insert(starts_.end(), scratch_.begin(), scratch_.end());
    least_.insert(least_.end(), keys, keys + width());
    largest_.insert(largest_.end(), keys, keys + width());
    return made;
  }

  void grow() {
    index_.assign(2 * index_.size(), kNone);
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      index_[slot_of(&starts_[k * width()])] = static_cast<std::uint32_t>(k);
    }
  }

  void count(std::size_t at, const std::uint64_t* least, const std::uint64_t* largest) noexcept {
    for (std::size_t c = 0; c < width(); ++c) {
      std::uint64_t& low = least_[at * width() + c];
      std::uint64_t& high = largest_[at * width() + c];
      low = std::min(low, least[c]);
      high = std::max(high, largest[c]);
    }
  }

  void put(const Cell& cell, const std::uint64_t* least, const std::uint64_t* largest) {
    const std::size_t at = cell_of(least);
    count(at, least, largest);
    cells_[at].rows += cell.rows;
    cells_[at].weight.add(cell.weight);
  }

  // While rows are added there may be twice as many cells, so that it is seldom that all are made anew.
  [[nodiscard]] bool crowded() const noexcept { return cells_.size() > 2 * most_; }

  // Coarser cells, until there are few enough.
  void coarsen() {
    int shift = width() == 1 ? enough() : shift_ + 1;
    for (; cells_.size() > most_; ++shift) {
      if (shift > 64) {
        full_ = true;
        return clear();
      }
      rebuild(shift);
    }
  }

  // Of one column: the fewest bits left out that leave few enough cells. Two neighbours become one where all bits in
  // which they differ are left out, unless a cut divides them.
  [[nodiscard]] int enough() const {
    const std::vector<std::size_t> sorted = order();
    std::array<std::size_t, 66> apart{};  // by how many bits have to go
    for (std::size_t k = 1; k < sorted.size(); ++k) {
      const std::uint64_t left = largest_[sorted[k - 1]];
      const std::uint64_t right = least_[sorted[k]];
      const auto next = std::upper_bound(cuts_[0].begin(), cuts_[0].end(), left);
      const bool divided = right == kMissing || (next != cuts_[0].end() && *next <= right);
      int bits = 0;
      for (std::uint64_t differ = left ^ right; differ != 0; differ >>= 1) ++bits;
      ++apart[divided ? 65 : static_cast<std::size_t>(bits)];
    }
    std::size_t count = sorted.size();
    int shift = 0;
    while (shift < 64 && count > most_) count -= apart[static_cast<std::size_t>(++shift)];
    return std::max(shift, shift_ + 1);
  }

  void rebuild(int shift) {
    std::vector<Cell> cells;
    std::vector<std::uint64_t> least;
    std::vector<std::uint64_t> largest;
    cells.swap(cells_);
    least.swap(least_);
    largest.swap(largest_);
    clear();
    shift_ = shift;
    for (std::size_t k = 0; k < cells.size(); ++k) put(cells[k], &least[k * width()], &largest[k * width()]);
  }

  void clear() {
    cells_.clear();
    starts_.clear();
    least_.clear();
    largest_.clear();
    std::fill(index_.begin(), index_.end(), kNone);
  }

  std::vector<std::vector<std::uint64_t>> cuts_;
  std::size_t most_;
  int shift_ = 0;
  bool weighted_ = false;
  bool full_ = false;
  std::vector<std::uint32_t> index_;  // by hash; twice as many as cells at least
  std::vector<Cell> cells_;
  std::vector<std::uint64_t> starts_;  // of each cell in each column, as the vectors below
  std::vector<Hot> hot_;               // of one column, while rows are added
  std::vector<std::uint64_t> least_;
  std::vector<std::uint64_t> largest_;
  std::vector<std::uint64_t> scratch_;
};

// A sum of doubles without rounding, in 32 bits a word (after Neal 2015, arXiv:1505.05571).
class ExactSum {
 public:
  static constexpr std::size_t kWords = 67;

  void add(double value) noexcept {
    if (value == 0.0) return;
    const auto bits = static_cast<std::uint64_t>(bits_of(value));
    const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t digits = exponent ? fraction | std::uint64_t{1} << 52 : fraction;
    const unsigned place = exponent ? exponent : 1;  // in units of 2^-1075
    const unsigned offset = place % 32;
    constexpr std::uint64_t kMask = 0xFFFFFFFFu;
    const std::uint64_t low = (digits & kMask) << offset;
    const std::uint64_t high = (digits >> 32 << offset) + (low >> 32);
    const std::array<std::uint64_t, 3> parts{low & kMask, high & kMask, high >> 32};
    const bool negative = bits >> 63 != 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto part = static_cast<std::int64_t>(parts[k]);
      words[place / 32 + k] += negative ? -part : part;
    }
    if (++added_ == kBetweenCarries) carry();
  }

  void add(const ExactSum& other) noexcept {
    carry();
    for (std::size_t k = 0; k < kWords; ++k) words[k] += other.words[k];
    carry();
  }

  // Each word but the last within 32 bits again.
  void carry() noexcept {
    for (std::size_t k = 0; k + 1 < kWords; ++k) {
      const std::int64_t up = words[k] >> 32;
      words[k] -= up * (std::int64_t{1} << 32);
      words[k + 1] += up;
    }
    added_ = 0;
  }

  std::array<std::int64_t, kWords> words{};

 private:
  static constexpr std::uint32_t kBetweenCarries = 1u << 29;
  std::uint32_t added_ = 0;
};

}  // namespace curvec::fit
