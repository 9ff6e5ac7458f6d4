// The rows of one column, counted at places that follow from their values: most rows of a tally end here, without a
// search for their cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fit/order.hpp"

namespace curvec::fit {

// Makes room for more: an eighth at least, where a vector would double what it has.
template <class T>
void reserve_for(std::vector<T>& values, std::size_t more) {
  const std::size_t count = values.size() + more;
  if (count > values.capacity()) values.reserve(std::max(count, values.size() + values.size() / 8));
}

// What a tally knows of its cells is written into entries, and rows whose entry is of a cell are counted there. What is
// not known is left to the tally, which finds the cell and tells the table. A value's entry follows either from the
// leading bits of its key, where cells are of keys that agree in these; or from its distance to a first value, where
// values are whole numbers or have few decimals, and each is a cell. Entries are in pages, made where there are cells;
// a directory says where each page is. A place that cuts divide has an entry for each of its cells beside the pages.
class CellTable {
 public:
  // The cuts, as keys in ascending order, that divide the keys of one place: `count` of them from the number `first`
  // on.
  struct Division {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  // What was counted in a cell since this was asked last: its rows, and the least and the largest of their keys.
  struct Counted {
    std::uint64_t rows;
    std::uint64_t least;
    std::uint64_t largest;
  };

  [[nodiscard]] bool on() const noexcept { return !directory_.empty(); }

  // Off, and its memory given back: of some hundred columns it would be much.
  void clear() noexcept { *this = CellTable(); }

  // An empty table for cells of keys that agree in all but their last `shift` bits, of about `most` entries at most.
  // Where there are more such cells than a directory holds, it is of those around a key.
  void begin(int shift, std::uint64_t around, std::size_t most) {
    clear();
    if (shift <= 0 || shift > kMostShift) return;
    shift_ = shift;
    scale_ = 0.0;
    const std::uint64_t all = std::uint64_t{1} << (64 - shift - kPageBits);
    const std::uint64_t count = std::min<std::uint64_t>(all, kMostDirectory);
    const std::uint64_t middle = around >> (shift + kPageBits);
    first_page_ = std::min(middle - std::min(middle, count / 2), all - count);
    make(static_cast<std::size_t>(count), most);
  }

  // An empty table for cells of one value each, of keys in any order: if these are whole numbers, or have few decimals,
  // and are not far apart. Otherwise it is off.
  void begin(const std::vector<std::uint64_t>& keys, std::size_t most) {
    clear();
    if (keys.size() < 2) return;
    const auto [least, largest] = std::minmax_element(keys.begin(), keys.end());
    const double low = from_order_key(*least);
    const double width = from_order_key(*largest) - low;
    for (const double scale : {1.0, 10.0, 100.0, 1000.0}) {
      const double places = width * scale;
      if (!(places < static_cast<double>(std::min(most, 8 * keys.size() + 4 * kPage)))) return;
      const bool fit = std::all_of(keys.begin(), keys.end(), [&](std::uint64_t key) {
        const double place = (from_order_key(key) - low) * scale;
        return std::fabs(place - std::round(place)) < 0.01;
      });
      if (!fit) continue;
      const double room = std::ceil(places / 2) + kPage;  // for what is yet to come, on both sides
      scale_ = scale;
      origin_ = low - room / scale;
      first_page_ = 0;
      return make(static_cast<std::size_t>((places + 2 * room) / kPage) + 1, most);
    }
  }

  // Counts rows from `row` on for as long as their cells are known; the number of the first row that is left.
  [[nodiscard]] std::size_t add(const double* x, std::size_t row, std::size_t rows,
                                const std::uint64_t* cuts) noexcept {
    if (scale_ > 0.0) {
      return add_at<false>(x, row, rows, cuts, [this](double value, std::uint64_t) { return linear_place(value); });
    }
    return add_at<true>(x, row, rows, cuts, [shift = shift_](double, std::uint64_t key) { return key >> shift; });
  }

  // Tells of the cell that holds a key; false where there is no room for it.
  bool learn(std::uint64_t key, Division division, const std::uint64_t* cuts) {
    std::size_t at = made(place_of(key));
    if (at == 0) return false;
    if (division.count > 0) {
      if (counts_[at] == 0) {
        divided_.push_back({division, bounds_.size()});
        counts_[at] = static_cast<std::uint32_t>(divided_.size());
        reserve_for(bounds_, division.count + 1);
        reserve_for(counts_, division.count + 1);
        bounds_.resize(bounds_.size() + division.count + 1);
        counts_.resize(bounds_.size());
      }
      at = divided_[counts_[at] - 1].entry_of(key, cuts);
    }
    if (!is_cell(at)) bounds_[at] = {key, key};
    return bounds_[at].least <= key && key <= bounds_[at].largest;
  }

  // What was counted in the cell of a key.
  [[nodiscard]] Counted take(std::uint64_t key, const std::uint64_t* cuts) noexcept {
    std::size_t at = entry_of(place_of(key));
    if (!is_cell(at) && counts_[at] > 0) at = divided_[counts_[at] - 1].entry_of(key, cuts);
    if (!is_cell(at)) return {0, key, key};
    const std::uint64_t rows = counts_[at];
    counts_[at] = 0;
    return {rows, bounds_[at].least, bounds_[at].largest};
  }

  [[nodiscard]] const void* data() const noexcept { return bounds_.data(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bounds_.size() * sizeof(Bounds); }

 private:
  static constexpr int kPageBits = 8;
  static constexpr std::size_t kPage = std::size_t{1} << kPageBits;
  static constexpr std::uint64_t kMostDirectory = std::uint64_t{1} << 16;
  static constexpr int kMostShift = 63 - kPageBits;

  // The least and the largest key; of an entry that is not of a cell the other way round, so that no key is within.
  struct Bounds {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t largest = 0;
  };

  // A place that cuts divide, and where the entries of its cells begin.
  struct Divided {
    Division by;
    std::size_t entries;

    [[nodiscard]] std::size_t entry_of(std::uint64_t key, const std::uint64_t* cuts) const noexcept {
      std::size_t entry = entries;
      for (std::size_t k = by.first; k < by.first + by.count; ++k) entry += cuts[k] <= key ? 1 : 0;
      return entry;
    }
  };

  template <bool kWiden, class Place>
  [[nodiscard]] std::size_t add_at(const double* x, std::size_t row, std::size_t rows, const std::uint64_t* cuts,
                                   const Place& place_of) noexcept {
    const std::uint64_t first = first_page_;
    const std::uint64_t outside = directory_.size() - 1;
    const std::uint32_t* const directory = directory_.data();
    Bounds* const bounds = bounds_.data();
    std::uint32_t* const counts = counts_.data();
    for (; row < rows; ++row) {
      const std::uint64_t key = order_key(x[row]);
      const std::uint64_t place = place_of(x[row], key);
      const std::uint64_t page = std::min((place >> kPageBits) - first, outside);
      std::size_t at = directory[page] + place % kPage;
      // One branch, that is seldom taken: more of them would be guessed wrongly.
      if ((key < bounds[at].least) | (key > bounds[at].largest)) {
        if (!is_cell(at)) {
          if (counts[at] == 0) return row;
          at = divided_[counts[at] - 1].entry_of(key, cuts);
          if (!is_cell(at)) return row;
        } else if (!kWiden) {
          return row;
        }
        bounds[at].least = std::min(key, bounds[at].least);
        bounds[at].largest = std::max(key, bounds[at].largest);
      }
      ++counts[at];
    }
    return row;
  }

  void make(std::size_t pages, std::size_t most) {
    most_ = most;
    directory_.assign(pages + 1, 0);  // the last one is for all pages outside
    bounds_.assign(kPage, {});        // the first page knows of no cell, and stands for all that were not made
    counts_.assign(kPage, 0);
  }

  // The place of a value by its distance to the origin; outside of the directory where it is far away or missing.
  [[nodiscard]] std::uint64_t linear_place(double value) const noexcept {
    const auto outside = static_cast<double>((directory_.size() - 1) * kPage);
    double place = (value - origin_) * scale_ + 0.5;
    place = place < outside ? place : outside;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(place > 0.0 ? place : 0.0));
  }

  [[nodiscard]] std::uint64_t place_of(std::uint64_t key) const noexcept {
    return scale_ > 0.0 ? linear_place(from_order_key(key)) : key >> shift_;
  }

  [[nodiscard]] bool is_cell(std::size_t at) const noexcept { return bounds_[at].least <= bounds_[at].largest; }

  [[nodiscard]] std::size_t page_of(std::uint64_t place) const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>((place >> kPageBits) - first_page_, directory_.size() - 1));
  }

  // A place's entry, which may be in the first page.
  [[nodiscard]] std::size_t entry_of(std::uint64_t place) const noexcept {
    return directory_[page_of(place)] + place % kPage;
  }

  // A place's entry, in a page that is made where there is none yet; 0 where there is no room for one.
  [[nodiscard]] std::size_t made(std::uint64_t place) {
    const std::size_t page = page_of(place);
    if (page + 1 == directory_.size()) return 0;
    if (directory_[page] == 0) {
      if (bounds_.size() > most_) return 0;
      directory_[page] = static_cast<std::uint32_t>(bounds_.size());
      reserve_for(bounds_, kPage);
      reserve_for(counts_, kPage);
      bounds_.resize(bounds_.size() + kPage);
      counts_.resize(bounds_.size());
    }
    return entry_of(place);
  }

  int shift_ = 0;        // how many bits of a key are no part of its place
  double scale_ = 0.0;   // places of values that are one apart; 0 where places are of leading bits
  double origin_ = 0.0;  // the value at place 0
  std::size_t most_ = 0;
  std::uint64_t first_page_ = 0;          // of the directory
  std::vector<std::uint32_t> directory_;  // where the entries of each page begin; 0 where there is no page
  std::vector<Bounds> bounds_;
  std::vector<std::uint32_t> counts_;  // of the rows; of a place that cuts divide its number plus 1
  std::vector<Divided> divided_;
};

}  // namespace curvec::fit
