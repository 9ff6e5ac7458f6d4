// The rows of one column or several, counted in cells that follow from the rows alone: neither their order nor how they
// are divided into parts leaves a trace.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fit/cell_table.hpp"
#include "fit/exact_weight.hpp"
#include "fit/order.hpp"

namespace curvec::fit {

// Cells are runs of doubles that agree in their leading bits, cut further at given values. The finest cells hold one
// double each; as soon as rows lie in more cells than there may be, one bit fewer is looked at, in every column, until
// they do not. How many bits that takes depends on which values there are, and on nothing else: more rows can only ask
// for coarser cells, and coarser cells are unions of finer ones. Of each cell the number of rows, their weight, and in
// every column the least and the largest value are kept; a missing value (NaN) is a cell of its own.
class Tally {
 public:
  static constexpr std::uint64_t kMissing = ~std::uint64_t{0};  // no double's key

  // Of a cell one after the other: how many rows, and for each column the first key that it may hold, the least and the
  // largest that it does. Four words of one column are half a line of cache, so that a row asks for one line.
  struct alignas(32) Words {
    std::array<std::uint64_t, 4> of{};
  };

  Tally(const std::vector<std::vector<double>>& cuts, std::size_t most)
      : most_(most), stride_((1 + 3 * cuts.size() + 3) / 4) {
    for (const std::vector<double>& own : cuts) {
      std::vector<std::uint64_t> keys;
      for (const double cut : own) keys.push_back(order_key(cut));
      std::sort(keys.begin(), keys.end());
      cuts_.push_back(std::move(keys));
    }
    index_.assign(kFirstSlots, {});
  }

  // `columns` have `rows` doubles each; w is null for ones. Rows of weight zero are left out.
  void add(const std::vector<const double*>& columns, const double* w, std::size_t rows) {
    if (w) set_weighted();
    if (width() == 1 && !w) return add_column(columns[0], rows);
    if (columns.size() == 1 && 4 * rows > size()) fetch_index();
    std::vector<std::uint64_t> keys(columns.size());
    for (std::size_t row = 0; row < rows && !full_; ++row) {
      if (columns.size() == 1) {
        row = add_known<true>(columns[0], w, row, rows);
        if (row == rows) return;
      }
      if (w && !(w[row] > 0.0)) continue;
      for (std::size_t c = 0; c < columns.size(); ++c) keys[c] = key_of(columns[c][row]);
      const std::size_t at = cell_of(keys.data());
      widen(at, keys.data(), keys.data());
      ++rows_of(at);
      if (weighted_) weights_[at].add(w ? w[row] : 1.0);
      if (crowded()) coarsen();
    }
  }

  // Brings what is asked for below up to date.
  void settle() {
    take_counts();
    if (size() > most_) coarsen();
  }

  // The other has been settled.
  void merge(const Tally& other) {
    full_ = full_ || other.full_;
    if (full_) return clear();
    if (other.weighted_) set_weighted();
    if (other.shift_ > shift_) rebuild(other.shift_);
    for (std::size_t k = 0; k < other.size() && !full_; ++k) {
      put(other.rows(k), other.weight(k), other.least(k), other.largest(k));
      if (crowded()) coarsen();
    }
  }

  [[nodiscard]] bool weighted() const noexcept { return weighted_; }
  [[nodiscard]] bool full() const noexcept { return full_; }
  [[nodiscard]] int shift() const noexcept { return shift_; }
  [[nodiscard]] std::size_t width() const noexcept { return cuts_.size(); }
  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  [[nodiscard]] const std::vector<std::vector<std::uint64_t>>& cuts() const noexcept { return cuts_; }

  // Of cell k.
  [[nodiscard]] std::size_t size() const noexcept { return cells_.size() / stride_; }
  [[nodiscard]] std::uint64_t rows(std::size_t k) const noexcept { return words(k)[0]; }
  [[nodiscard]] ExactWeight weight(std::size_t k) const noexcept {
    if (weighted_) return weights_[k];
    ExactWeight one_each;
    one_each.words[2] = rows(k);
    return one_each;
  }
  [[nodiscard]] const std::uint64_t* least(std::size_t k) const noexcept { return words(k) + 1 + width(); }
  [[nodiscard]] const std::uint64_t* largest(std::size_t k) const noexcept { return words(k) + 1 + 2 * width(); }

  // The numbers of the cells, in the order of their values.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> numbers(size());
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = k;
    std::sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
      return std::lexicographical_compare(least(a), least(a) + width(), least(b), least(b) + width());
    });
    return numbers;
  }

  // What is written down of the cells, in the order of their values: of each its words, and where there are weights
  // their sum.
  [[nodiscard]] std::pair<std::vector<Words>, std::vector<ExactWeight>> written() const {
    std::pair<std::vector<Words>, std::vector<ExactWeight>> result;
    for (const std::size_t k : order()) {
      const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(k * stride_);
      result.first.insert(result.first.end(), first, first + static_cast<std::ptrdiff_t>(stride_));
      if (weighted_) result.second.push_back(weights_[k]);
    }
    return result;
  }

  // Back to what it was when it was written down.
  void restore(int shift, bool weighted, bool full, const std::vector<Words>& cells,
               const std::vector<ExactWeight>& weights) {
    rebuild(shift);
    weighted_ = weighted;
    put_all(cells, weights);
    full_ = full;
  }

  [[nodiscard]] static std::uint64_t key_of(double x) noexcept { return x == x ? order_key(x) : kMissing; }

 private:
  static constexpr std::size_t kFirstSlots = 1 << 8;
  static constexpr std::size_t kMostCounted = std::size_t{1} << 31;  // so that no count of 32 bits overflows
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // Of one column: a number in the index has this added where it is that of a group, and not of a cell.
  static constexpr std::uint32_t kDivided = std::uint32_t{1} << 31;

  // A slot of the index: some bits of the hash of a cell's first keys (of one column: of the leading bits), and the
  // cell's number.
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t at = kNone;
  };

  // Of one column: keys of the same leading bits that cuts divide among several cells.
  struct Group {
    std::uint64_t from = 0;
    std::size_t cut = 0;      // the number of the first that divides it
    std::size_t count = 0;    // and how many do
    std::size_t members = 0;  // where the numbers of its count + 1 cells are, in the order of their values

    [[nodiscard]] std::size_t place_of(std::uint64_t key, const std::vector<std::uint64_t>& cuts) const noexcept {
      std::size_t place = members;
      for (std::size_t k = cut; k < cut + count; ++k) place += cuts[k] <= key ? 1 : 0;
      return place;
    }
  };

  // Counts rows of one column from `row` on for as long as their cells are known; the number of the first row that is
  // left. No branch depends on which cell it is, but for those that cuts divide: the cell is at its place in the index
  // or at the next one in all but few cases.
  template <bool kWeighted>
  std::size_t add_known(const double* x, const double* w, std::size_t row, std::size_t rows) noexcept {
    const Slot* const index = index_.data();
    const std::size_t mask = index_.size() - 1;
    const std::uint64_t bits = shift_ > 63 ? 0 : ~std::uint64_t{0} << shift_;
    Words* const cells = cells_.data();
    ExactWeight* const weights = weights_.data();
    for (; row < rows; ++row) {
      if (kWeighted && !(w[row] > 0.0)) continue;
      const std::uint64_t key = key_of(x[row]);
      const std::uint64_t from = key == kMissing ? key : key & bits;
      const std::uint64_t hash = mixed(from);
      const Slot first = index[hash & mask];
      const Slot second = index[(hash + 1) & mask];
      std::uint32_t at = first.tag == tag_of(hash) ? first.at : second.at;
      if (at >= kDivided) {
        if (at == kNone || groups_[at - kDivided].from != from) return row;
        at = members_[groups_[at - kDivided].place_of(key, cuts_[0])];
        if (at == kNone) return row;
      } else if (cells[at].of[1] != from) {
        return row;
      }
      std::array<std::uint64_t, 4>& cell = cells[at].of;
      ++cell[0];
      if (key < cell[2]) cell[2] = key;
      if (key > cell[3]) cell[3] = key;
      if (kWeighted) weights[at].add(w[row]);
    }
    return row;
  }

  // Counts rows of one column, each as one.
  void add_column(const double* x, std::size_t rows) {
    if (shift_ == 0 && !table_.on()) begin_table_of_values();
    if (4 * rows > size()) table_.on() ? fetch(table_.data(), table_.bytes()) : fetch_index();
    if ((counted_ += rows) >= kMostCounted) take_counts();
    std::size_t unknown = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (table_.on()) {
        row = table_.add(x, row, rows, cuts_[0].data());
      } else if (!weighted_) {
        row = add_known<false>(x, nullptr, row, rows);
      }
      if (row == rows) break;
      unknown += add_one(key_of(x[row])) ? 0 : 1;
    }
    if (2 * unknown > rows) stop_table();
  }

  // Counts a row of one column that the table does not know, and tells it; false where it cannot be told.
  bool add_one(std::uint64_t key) {
    const std::uint32_t number = entered(&key);
    const std::size_t at = number < kDivided ? number : member_of(number - kDivided, key);
    widen(at, &key, &key);
    ++rows_of(at);
    if (weighted_) weights_[at].add(1.0);
    const bool told = key == kMissing || tell(number, key);
    if (crowded()) coarsen();
    return told;
  }

  // Tells the table of the cell that holds a key, entered in the index under this number.
  bool tell(std::uint32_t number, std::uint64_t key) {
    if (!table_.on()) return true;
    CellTable::Division division;
    if (number >= kDivided) division = {groups_[number - kDivided].cut, groups_[number - kDivided].count};
    return table_.learn(key, division, cuts_[0].data());
  }

  // Adds to the cells what the table has counted.
  void take_counts() noexcept {
    counted_ = 0;
    if (!table_.on()) return;
    for (std::size_t k = 0; k < size(); ++k) {
      if (*starts(k) == kMissing) continue;
      const CellTable::Counted counted = table_.take(*starts(k), cuts_[0].data());
      if (counted.rows == 0) continue;
      widen(k, &counted.least, &counted.largest);
      rows_of(k) += counted.rows;
      if (weighted_) weights_[k].words[2] += counted.rows;
    }
  }

  void stop_table() {
    take_counts();
    table_.clear();
  }

  // A table for cells of these leading bits, around the middle one of the cells.
  void begin_table(const std::vector<Words>& cells) {
    if (width() != 1 || weighted_) return;
    std::vector<std::uint64_t> least;
    for (const Words& cell : cells) least.push_back(cell.of[2]);
    const auto middle = least.begin() + static_cast<std::ptrdiff_t>(least.size() / 2);
    if (!least.empty()) std::nth_element(least.begin(), middle, least.end());
    table_.begin(shift_, least.empty() ? 0 : *middle, most_entries());
  }

  // A table for cells of one value, where these suit one; tried again when there are twice as many.
  void begin_table_of_values() {
    if (weighted_ || size() < 2 * tried_) return;
    tried_ = std::max<std::size_t>(size(), 1);
    std::vector<std::uint64_t> values;
    for (std::size_t k = 0; k < size(); ++k) {
      if (*starts(k) != kMissing) values.push_back(*starts(k));
    }
    table_.begin(values, most_entries());
    for (const std::uint64_t key : table_.on() ? values : std::vector<std::uint64_t>{}) table_.learn(key, {}, nullptr);
  }

  [[nodiscard]] std::size_t most_entries() const noexcept { return std::max<std::size_t>(1 << 14, 8 * most_); }

  void fetch_index() const noexcept {
    fetch(index_.data(), index_.size() * sizeof(Slot));
    fetch(cells_.data(), cells_.size() * sizeof(Words));
  }

  // Asks for memory from front to back, which is faster than line by line as rows happen to need it: between the
  // batches of one column those of all others have taken its place in the caches.
  static void fetch(const void* from, std::size_t bytes) noexcept {
#if defined(__GNUC__)
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(static_cast<const char*>(from) + at);
#else
    static_cast<void>(from);
    static_cast<void>(bytes);
#endif
  }

  void set_weighted() {
    if (weighted_) return;
    stop_table();
    for (std::size_t k = 0; k < size(); ++k) weights_.push_back(weight(k));
    weighted_ = true;
  }

  [[nodiscard]] const std::uint64_t* words(std::size_t k) const noexcept { return cells_[k * stride_].of.data(); }
  [[nodiscard]] std::uint64_t* words(std::size_t k) noexcept { return cells_[k * stride_].of.data(); }
  [[nodiscard]] std::uint64_t& rows_of(std::size_t k) noexcept { return words(k)[0]; }
  [[nodiscard]] const std::uint64_t* starts(std::size_t k) const noexcept { return words(k) + 1; }

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

  // The first cut of the first column that divides the keys with these leading bits, and how many do.
  [[nodiscard]] std::pair<std::size_t, std::size_t> dividing(std::uint64_t from) const noexcept {
    if (from == kMissing) return {0, 0};
    const std::vector<std::uint64_t>& cuts = cuts_[0];
    const std::uint64_t last = shift_ > 63 ? kMissing - 1 : from + ((std::uint64_t{1} << shift_) - 1);
    const auto first = std::upper_bound(cuts.begin(), cuts.end(), from);
    const auto end = std::upper_bound(first, cuts.end(), last);
    return {static_cast<std::size_t>(first - cuts.begin()), static_cast<std::size_t>(end - first)};
  }

  [[nodiscard]] static std::uint64_t mixed(std::uint64_t key) noexcept {
    key = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15u;
    return key ^ (key >> 29);
  }
  [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) noexcept {
    return static_cast<std::uint32_t>(hash >> 32);
  }
  [[nodiscard]] std::uint64_t hash_of(const std::uint64_t* starts) const noexcept {
    std::uint64_t all = 0;
    for (std::size_t c = 0; c < width(); ++c) all = mixed(all + starts[c]);
    return all;
  }

  // The slot of what begins at these keys, or the one in which it would be entered.
  [[nodiscard]] std::size_t slot_of(const std::uint64_t* first, std::uint64_t hash) const noexcept {
    const std::size_t mask = index_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(hash) & mask;
    while (index_[slot].at != kNone && !std::equal(first, first + width(), begins(index_[slot].at))) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
  [[nodiscard]] const std::uint64_t* begins(std::uint32_t at) const noexcept {
    return width() == 1 && at >= kDivided ? &groups_[at - kDivided].from : starts(at);
  }

  // The number of the cell that holds these keys, made if it is new.
  [[nodiscard]] std::size_t cell_of(const std::uint64_t* keys) {
    const std::uint32_t number = entered(keys);
    return width() == 1 && number >= kDivided ? member_of(number - kDivided, keys[0]) : number;
  }

  // The number in the index for these keys, entered if it is new: that of a cell, or of a group.
  [[nodiscard]] std::uint32_t entered(const std::uint64_t* keys) {
    scratch_.resize(width());
    for (std::size_t c = 0; c < width(); ++c) scratch_[c] = width() == 1 ? leading(keys[c]) : start_of(c, keys[c]);
    const std::uint64_t hash = hash_of(scratch_.data());
    std::uint32_t at = index_[slot_of(scratch_.data(), hash)].at;
    if (at != kNone) return at;
    if (2 * (size() + groups_.size() + 1) > index_.size()) grow();
    const auto [cut, count] = width() == 1 ? dividing(scratch_[0]) : std::pair<std::size_t, std::size_t>{};
    if (count == 0) {
      at = made(keys);
    } else {
      at = kDivided + static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({scratch_[0], cut, count, members_.size()});
      members_.resize(members_.size() + count + 1, kNone);
    }
    index_[slot_of(scratch_.data(), hash)] = {tag_of(hash), at};
    return at;
  }

  // The number of the cell in a group that holds a key, made if it is new.
  [[nodiscard]] std::size_t member_of(std::uint32_t group, std::uint64_t key) {
    std::uint32_t& member = members_[groups_[group].place_of(key, cuts_[0])];
    if (member == kNone) member = made(&key);
    return member;
  }

  // A new cell that holds these keys.
  std::uint32_t made(const std::uint64_t* keys) {
    const std::size_t at = size();
    reserve_for(cells_, stride_);
    cells_.resize(cells_.size() + stride_);
    if (weighted_) weights_.emplace_back();
    std::uint64_t* const own = words(at) + 1;
    for (std::size_t c = 0; c < width(); ++c) own[c] = start_of(c, keys[c]);
    std::copy_n(keys, width(), own + width());
    std::copy_n(keys, width(), own + 2 * width());
    return static_cast<std::uint32_t>(at);
  }

  void grow() {
    std::vector<Slot> before(2 * index_.size());
    before.swap(index_);
    for (const Slot& slot : before) {
      if (slot.at == kNone) continue;
      const std::uint64_t hash = hash_of(begins(slot.at));
      index_[slot_of(begins(slot.at), hash)] = {tag_of(hash), slot.at};
    }
  }

  void widen(std::size_t at, const std::uint64_t* least, const std::uint64_t* largest) noexcept {
    std::uint64_t* const low = words(at) + 1 + width();
    std::uint64_t* const high = low + width();
    for (std::size_t c = 0; c < width(); ++c) {
      low[c] = std::min(low[c], least[c]);
      high[c] = std::max(high[c], largest[c]);
    }
  }

  void put_all(const std::vector<Words>& cells, const std::vector<ExactWeight>& weights) {
    for (std::size_t k = 0; k * stride_ < cells.size(); ++k) {
      const std::uint64_t* const own = cells[k * stride_].of.data();
      put(own[0], weighted_ ? weights[k] : ExactWeight{}, own + 1 + width(), own + 1 + 2 * width());
    }
  }

  void put(std::uint64_t rows, const ExactWeight& weight, const std::uint64_t* least, const std::uint64_t* largest) {
    const std::uint32_t number = entered(least);
    const std::size_t at = width() > 1 || number < kDivided ? number : member_of(number - kDivided, *least);
    if (width() == 1 && *least != kMissing) tell(number, *least);
    widen(at, least, largest);
    rows_of(at) += rows;
    if (weighted_) weights_[at].add(weight);
  }

  // While rows are added there may be twice as many cells, so that it is seldom that all are made anew.
  [[nodiscard]] bool crowded() const noexcept { return size() > 2 * most_; }

  // Coarser cells, until there are few enough.
  void coarsen() {
    int shift = width() == 1 ? enough() : shift_ + 1;
    for (; size() > most_; ++shift) {
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
      const std::uint64_t left = *largest(sorted[k - 1]);
      const std::uint64_t right = *least(sorted[k]);
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
    take_counts();
    std::vector<Words> cells;
    std::vector<ExactWeight> weights;
    cells.swap(cells_);
    weights.swap(weights_);
    clear();
    shift_ = shift;
    begin_table(cells);
    put_all(cells, weights);
  }

  void clear() {
    cells_.clear();
    weights_.clear();
    groups_.clear();
    members_.clear();
    table_.clear();
    index_.assign(kFirstSlots, {});
  }

  std::vector<std::vector<std::uint64_t>> cuts_;
  std::size_t most_;
  std::size_t stride_;  // Words of a cell
  int shift_ = 0;
  bool weighted_ = false;
  bool full_ = false;
  std::vector<Slot> index_;  // by hash; twice as many as cells at least
  std::vector<Words> cells_;
  std::vector<ExactWeight> weights_;  // of each cell, where rows have weights
  std::vector<Group> groups_;
  std::vector<std::uint32_t> members_;  // of all groups
  CellTable table_;                     // of one column without weights
  std::size_t counted_ = 0;             // rows since what the table counted was taken
  std::size_t tried_ = 0;               // how many cells there were when a table of values was tried last
  std::vector<std::uint64_t> scratch_;
};

}  // namespace curvec::fit
