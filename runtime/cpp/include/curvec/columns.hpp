// Columns of many rows, in the layouts that tables have: arrays of numbers, Arrow's text, dictionaries of text.
#ifndef CURVEC_COLUMNS_HPP
#define CURVEC_COLUMNS_HPP

#include <curvec/column.h>

#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/enum_curve.hpp>
#include <string_view>
#include <type_traits>

namespace curvec {
inline namespace CURVEC_ABI {

namespace detail {

[[nodiscard]] inline bool IsValid(const std::uint8_t* validity, std::int64_t bit) noexcept {
  return validity == nullptr || (validity[bit >> 3] >> (bit & 7) & 1) != 0;
}

template <class T>
[[nodiscard]] constexpr std::int32_t StorageOf() noexcept {
  static_assert(std::is_arithmetic_v<T>,
                "a column holds double, float, std::int64_t, std::int32_t, std::int8_t or bool");
  if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) <= 8, "long double has more digits than the contract");
    return sizeof(T) == 8 ? CURVEC_FLOAT64 : CURVEC_FLOAT32;
  } else {
    static_assert(sizeof(T) == 1 || std::is_signed_v<T>, "pass signed integers");
    static_assert(sizeof(T) != 2, "widen 16-bit integers to std::int32_t");
    return sizeof(T) == 8 ? CURVEC_INT64 : sizeof(T) == 4 ? CURVEC_INT32 : CURVEC_INT8;
  }
}

}  // namespace detail

/// A numeric feature's column: a pointer to its first row, and a validity bitmap where rows may be missing (a NaN is
/// missing too). float and integers are widened to double: exactly, but for integers beyond 2^53, which are rounded.
class Numbers {
 public:
  Numbers() noexcept = default;
  template <class T>
  Numbers(const T* values, const std::uint8_t* validity = nullptr, std::int64_t first_bit = 0) noexcept  // NOLINT
      : raw_{values, nullptr, nullptr, validity, first_bit, detail::StorageOf<T>()} {}
  explicit Numbers(const curvec_column& raw) noexcept : raw_(raw) {}

  [[nodiscard]] const curvec_column& raw() const noexcept { return raw_; }

  [[nodiscard]] double At(std::size_t row) const noexcept {
    if (!detail::IsValid(raw_.validity, raw_.first + static_cast<std::int64_t>(row))) return kNaN;
    switch (raw_.storage) {
      case CURVEC_FLOAT64:
        return static_cast<const double*>(raw_.values)[row];
      case CURVEC_FLOAT32:
        return static_cast<double>(static_cast<const float*>(raw_.values)[row]);
      case CURVEC_INT64:
        return static_cast<double>(static_cast<const std::int64_t*>(raw_.values)[row]);
      case CURVEC_INT32:
        return static_cast<double>(static_cast<const std::int32_t*>(raw_.values)[row]);
      case CURVEC_INT8:
        return static_cast<double>(static_cast<const std::int8_t*>(raw_.values)[row]);
      default:
        return kNaN;
    }
  }

 private:
  curvec_column raw_{};
};

/// A categorical feature's column. Integers and bools are held as Numbers are (a fraction is no category, and gives the
/// Default); text is an array of std::string_view, or Arrow's, with or without codes into a dictionary.
template <class Key>
class Keys {
  static constexpr bool kText = std::is_same_v<Key, std::string_view>;

 public:
  Keys() noexcept = default;
  template <class T, std::enable_if_t<std::is_arithmetic_v<T> && !kText, int> = 0>
  Keys(const T* values, const std::uint8_t* validity = nullptr, std::int64_t first_bit = 0) noexcept  // NOLINT
      : raw_(Numbers(values, validity, first_bit).raw()) {}
  template <class T, std::enable_if_t<std::is_same_v<T, std::string_view> && kText, int> = 0>
  Keys(const T* values, const std::uint8_t* validity = nullptr, std::int64_t first_bit = 0) noexcept  // NOLINT
      : raw_{values, nullptr, nullptr, validity, first_bit, CURVEC_TEXT_VIEWS} {}
  explicit Keys(const curvec_column& raw) noexcept : raw_(raw) {}

  [[nodiscard]] const curvec_column& raw() const noexcept { return raw_; }
  [[nodiscard]] Numbers numbers() const noexcept { return Numbers(raw_); }

  /// Whether the bitmap has a value in that row.
  [[nodiscard]] bool IsThere(std::size_t row) const noexcept {
    return detail::IsValid(raw_.validity, raw_.first + static_cast<std::int64_t>(row));
  }

  [[nodiscard]] Category<Key> At(std::size_t row) const noexcept {
    if (!IsThere(row)) return {};
    if constexpr (kText) {
      return TextAt(row);
    } else {
      return NumberAt(row);
    }
  }

 private:
  [[nodiscard]] Category<Key> NumberAt(std::size_t row) const noexcept {
    constexpr double kExact = 9007199254740992.0;  // 2^53: the levels of a model are within it
    if (raw_.storage == CURVEC_INT64) return static_cast<Key>(static_cast<const std::int64_t*>(raw_.values)[row]);
    const double number = Numbers(raw_).At(row);
    if (detail::IsNan(number)) return {};
    if (!(number >= -kExact && number <= kExact)) return Category<Key>::Other();
    const auto whole = static_cast<std::int64_t>(number);
    return detail::Equal(static_cast<double>(whole), number) ? Category<Key>(static_cast<Key>(whole))
                                                             : Category<Key>::Other();
  }

  [[nodiscard]] std::string_view Entry(std::int64_t i) const noexcept {
    return {raw_.bytes + raw_.offsets[i], static_cast<std::size_t>(raw_.offsets[i + 1] - raw_.offsets[i])};
  }

  [[nodiscard]] Category<Key> TextAt(std::size_t row) const noexcept {
    if (raw_.storage == CURVEC_TEXT_VIEWS) return static_cast<const std::string_view*>(raw_.values)[row];
    if (raw_.storage == CURVEC_TEXT) return Entry(raw_.first + static_cast<std::int64_t>(row));
    const std::int32_t code = static_cast<const std::int32_t*>(raw_.values)[row];
    return code < 0 ? Category<Key>() : Category<Key>(Entry(code));
  }

  curvec_column raw_{};
};

}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_COLUMNS_HPP
