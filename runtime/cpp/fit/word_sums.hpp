// Sums of doubles without rounding, in 32 bits a word (after Neal 2015, arXiv:1505.05571): the order of what is added
// leaves no trace.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "fit/cells.hpp"

namespace curvec::fit {

// So many doubles can be added before the words must be carried, or they could overflow.
inline constexpr std::uint32_t kBetweenCarries = 1u << 29;

// The words of a sum. A word holds more than its 32 bits until it is carried.
template <std::size_t kCount>
struct Words32 {
  static constexpr std::size_t kWords = kCount;

  // Adds a double's digits, the last of them at a place that is counted in bits from the last bit of all.
  void add(std::uint64_t digits, std::size_t place, bool negative) noexcept {
    constexpr std::uint64_t kMask = 0xFFFFFFFFu;
    const std::size_t offset = place % 32;
    const std::uint64_t low = (digits & kMask) << offset;
    const std::uint64_t high = (digits >> 32 << offset) + (low >> 32);
    const std::int64_t sign = negative ? -1 : 1;
    std::int64_t* const to = words.data() + place / 32;
    to[0] += sign * static_cast<std::int64_t>(low & kMask);
    to[1] += sign * static_cast<std::int64_t>(high & kMask);
    to[2] += sign * static_cast<std::int64_t>(high >> 32);
  }

  void add(const Words32& other) noexcept {
    for (std::size_t k = 0; k < kWords; ++k) words[k] += other.words[k];
  }

  // Each word but the last within 32 bits: one form for each sum.
  void carry() noexcept {
    for (std::size_t k = 0; k + 1 < kWords; ++k) {
      const std::int64_t up = words[k] >> 32;
      words[k] -= up * (std::int64_t{1} << 32);
      words[k + 1] += up;
    }
  }

  std::array<std::int64_t, kWords> words{};
};

// The 53 digits of a double, its biased exponent (1 for subnormals, too) and its sign: digits * 2^(exponent - 1075).
struct Digits {
  explicit Digits(double value) noexcept {
    const auto bits = static_cast<std::uint64_t>(bits_of(value));
    const auto stored = static_cast<int>(bits >> 52 & 0x7FF);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    digits = stored != 0 ? fraction | std::uint64_t{1} << 52 : fraction;
    exponent = stored != 0 ? stored : 1;
    negative = bits >> 63 != 0;
  }

  std::uint64_t digits;
  int exponent;
  bool negative;
};

// A sum of any doubles, in words from 2^-1075 on.
class ExactSum : private Words32<67> {
 public:
  using Words32::kWords;
  using Words32::words;

  void add(double value) noexcept {
    if (value == 0.0) return;
    const Digits of(value);
    Words32::add(of.digits, static_cast<std::size_t>(of.exponent), of.negative);
    if (++added_ == kBetweenCarries) carry();
  }

  void add(const ExactSum& other) noexcept {
    carry();
    Words32::add(other);
    carry();
  }

  void carry() noexcept {
    Words32::carry();
    added_ = 0;
  }

 private:
  std::uint32_t added_ = 0;
};

// A sum of doubles below 2^120, in words from 2^-160 on: a seventh of an ExactSum's memory. What a double has below
// that is cut off before it is added. Its owner counts what is added, and carries.
struct BoundedSum : Words32<10> {
  static constexpr int kFirst = -160;  // the power of two of the last bit
  static constexpr double kLimit = 0x1p120;

  void add(double value) noexcept {
    const Digits of(value);
    const int place = of.exponent - 1075 - kFirst;
    if (place <= -53) return;
    if (place < 0) return Words32::add(of.digits >> -place, 0, of.negative);
    Words32::add(of.digits, static_cast<std::size_t>(place), of.negative);
  }

  void add(const BoundedSum& other) noexcept {
    Words32::add(other);
    carry();
  }

  // The sum as a double, within two units of its last place. Call carry() before.
  [[nodiscard]] double value() const noexcept {
    if (words[kWords - 1] < 0) {
      BoundedSum opposite;
      for (std::size_t k = 0; k < kWords; ++k) opposite.words[k] = -words[k];
      opposite.carry();
      return -opposite.value();
    }
    std::size_t top = kWords;
    while (top > 0 && words[top - 1] == 0) --top;
    double result = 0.0;
    for (std::size_t k = top; k > 0 && k + 3 > top; --k) {
      result += std::ldexp(static_cast<double>(words[k - 1]), 32 * static_cast<int>(k - 1) + kFirst);
    }
    return result;
  }
};

}  // namespace curvec::fit
