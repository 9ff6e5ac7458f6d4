// Sums of weights in 192 bits, without rounding: what Tally keeps of each cell, where ExactSum (word_sums.hpp) would
// take 22 times the memory.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "fit/word_sums.hpp"

namespace curvec::fit {

// A sum of weights without rounding: 64 bits before the point and 128 behind it. What a weight has beyond that is cut
// off before it is added, so that the order of the rows does not matter.
class ExactWeight {
 public:
  void add(double w) noexcept {
    const Digits of(w);
    const int place = of.exponent - 1075 + 128;  // of the last digit, counted from the last bit
    if (place <= -53) return;
    const std::uint64_t bits = place < 0 ? of.digits >> -place : of.digits;
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

}  // namespace curvec::fit
