// Columns of many rows, in the layouts that tables have: arrays of numbers, Arrow's text, dictionaries of text.
#ifndef CURVEC_COLUMNS_HPP
#define CURVEC_COLUMNS_HPP

#include <curvec/column.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <curvec/config.hpp>
#include <curvec/enum_curve.hpp>
#include <string_view>
#include <type_traits>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

namespace detail {

[[nodiscard]] inline bool IsValid(const curvec_column& column, std::size_t row) noexcept {
  if (column.validity == nullptr) return true;
  const std::int64_t bit = column.first + static_cast<std::int64_t>(row);
  return (column.validity[bit >> 3] >> (bit & 7) & 1) != 0;  // row 10 of a column from bit 0 on: bit 2 of byte 1
}

/// The storage of an array of T. Characters and enums are not numbers, and what is wider than a double is refused.
template <class T>
[[nodiscard]] constexpr std::int32_t StorageOf() noexcept {
  constexpr bool kCharacter = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> ||
#if defined(__cpp_char8_t)
                              std::is_same_v<T, char8_t> ||
#endif
                              std::is_same_v<T, char32_t>;
  static_assert(std::is_arithmetic_v<T> && !kCharacter && sizeof(T) <= 8,
                "a column holds double, float, bool, or integers of 8 to 64 bits: cast what is something else");
  if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 8 || sizeof(T) == 4, "cast floating-point numbers of other widths to float or double");
    return sizeof(T) == 8 ? CURVEC_FLOAT64 : CURVEC_FLOAT32;
  } else if constexpr (std::is_signed_v<T>) {
    return sizeof(T) == 8 ? CURVEC_INT64 : sizeof(T) == 4 ? CURVEC_INT32 : sizeof(T) == 2 ? CURVEC_INT16 : CURVEC_INT8;
  } else {
    return sizeof(T) == 8   ? CURVEC_UINT64
           : sizeof(T) == 4 ? CURVEC_UINT32
           : sizeof(T) == 2 ? CURVEC_UINT16
                            : CURVEC_UINT8;
  }
}

/// Calls use(T{}) with the type T of the numbers that a storage holds, and returns true; false where it holds no
/// numbers.
template <class Use>
bool WithType(std::int32_t storage, const Use& use) noexcept {
  switch (storage) {
    case CURVEC_FLOAT64:
      return use(double{}), true;
    case CURVEC_FLOAT32:
      return use(float{}), true;
    case CURVEC_INT64:
      return use(std::int64_t{}), true;
    case CURVEC_INT32:
      return use(std::int32_t{}), true;
    case CURVEC_INT16:
      return use(std::int16_t{}), true;
    case CURVEC_INT8:
      return use(std::int8_t{}), true;
    case CURVEC_UINT64:
      return use(std::uint64_t{}), true;
    case CURVEC_UINT32:
      return use(std::uint32_t{}), true;
    case CURVEC_UINT16:
      return use(std::uint16_t{}), true;
    case CURVEC_UINT8:
      return use(std::uint8_t{}), true;
    default:
      return false;
  }
}

/// A row's value in a column of T, whether it is valid or not. It is copied byte by byte, as it need not be aligned.
template <class T>
[[nodiscard]] T ValueAt(const curvec_column& column, std::size_t row) noexcept {
  const std::int64_t stride = column.stride != 0 ? column.stride : static_cast<std::int64_t>(sizeof(T));
  T value;
  std::memcpy(&value, static_cast<const char*>(column.values) + static_cast<std::int64_t>(row) * stride, sizeof value);
  return value;
}

/// Where a column holds the values from a row on as an array of T, all of them valid; else null.
template <class T>
[[nodiscard]] const T* ArrayFrom(const curvec_column& column, std::size_t row) noexcept {
  const bool packed = column.stride == 0 || column.stride == static_cast<std::int64_t>(sizeof(T));
  const bool aligned = reinterpret_cast<std::uintptr_t>(column.values) % alignof(T) == 0;
  if (column.storage != StorageOf<T>() || column.validity != nullptr || !packed || !aligned) return nullptr;
  return static_cast<const T*>(column.values) + row;
}

/// A row's number; NaN where it is missing.
[[nodiscard]] inline double NumberAt(const curvec_column& column, std::size_t row) noexcept {
  double number = kNaN;
  if (!IsValid(column, row)) return number;
  WithType(column.storage,
           [&](auto number_of_type) { number = static_cast<double>(ValueAt<decltype(number_of_type)>(column, row)); });
  return number;
}

/// NumberAt of the rows [first, first + count).
inline void NumbersFrom(const curvec_column& column, std::size_t first, std::size_t count, double* numbers) noexcept {
  const bool stored = WithType(column.storage, [&](auto number_of_type) {
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = static_cast<double>(ValueAt<decltype(number_of_type)>(column, first + i));
    }
  });
  for (std::size_t i = 0; i < count && (!stored || column.validity != nullptr); ++i) {
    if (!stored || !IsValid(column, first + i)) numbers[i] = kNaN;
  }
}

}  // namespace detail

/// A numeric feature's column: a pointer to its first row, and a validity bitmap where rows may be missing (a NaN is
/// missing too). All that is not a double is widened to one: exactly, but for integers beyond 2^53, which are rounded.
/// A column that nothing was assigned to, or a null pointer, is missing in every row.
class Numbers {
 public:
  Numbers() noexcept = default;
  template <class T>
  Numbers(const T* values, const std::uint8_t* validity = nullptr, std::int64_t first_bit = 0) noexcept {  // NOLINT
    if (values == nullptr) return;
    raw_.values = values;
    raw_.validity = validity;
    raw_.first = first_bit;
    raw_.storage = detail::StorageOf<T>();
  }
  explicit Numbers(const curvec_column& raw) noexcept : raw_(raw) {}

  [[nodiscard]] const curvec_column& raw() const noexcept { return raw_; }

  [[nodiscard]] double At(std::size_t row) const noexcept { return detail::NumberAt(raw_, row); }

 private:
  curvec_column raw_{nullptr, nullptr, nullptr, nullptr, 0, 0, 0, CURVEC_ALL_MISSING};
};

/// A categorical feature's column. Integers and bools are held as Numbers are (a fraction, or what is no bool, is no
/// category, and gives the Default); text is an array of std::string_view, or Arrow's, with or without codes into a
/// dictionary.
template <class Key>
class Keys {
  static constexpr bool kText = std::is_same_v<Key, std::string_view>;

 public:
  Keys() noexcept = default;
  template <class T, std::enable_if_t<std::is_arithmetic_v<T> && !kText, int> = 0>
  Keys(const T* values, const std::uint8_t* validity = nullptr, std::int64_t first_bit = 0) noexcept  // NOLINT
      : raw_(Numbers(values, validity, first_bit).raw()) {}
  template <class T, std::enable_if_t<std::is_same_v<T, std::string_view> && kText, int> = 0>
  Keys(const T* values, const std::uint8_t* validity = nullptr, std::int64_t first_bit = 0) noexcept {  // NOLINT
    if (values == nullptr) return;
    raw_.values = values;
    raw_.validity = validity;
    raw_.first = first_bit;
    raw_.storage = CURVEC_TEXT_VIEWS;
  }
  explicit Keys(const curvec_column& raw) noexcept : raw_(raw) {}

  [[nodiscard]] const curvec_column& raw() const noexcept { return raw_; }
  [[nodiscard]] Numbers numbers() const noexcept { return Numbers(raw_); }

  [[nodiscard]] Category<Key> At(std::size_t row) const noexcept {
    Category<Key> category;
    if (!detail::IsValid(raw_, row)) return category;
    if constexpr (kText) {
      return TextAt(row);
    } else {
      detail::WithType(raw_.storage, [&](auto number_of_type) {
        category = Category<Key>::FromNumber(detail::ValueAt<decltype(number_of_type)>(raw_, row));
      });
      return category;
    }
  }

 private:
  [[nodiscard]] std::string_view Entry(std::int64_t i) const noexcept {
    return {raw_.bytes + raw_.offsets[i], static_cast<std::size_t>(raw_.offsets[i + 1] - raw_.offsets[i])};
  }

  [[nodiscard]] Category<Key> TextAt(std::size_t row) const noexcept {
    switch (raw_.storage) {
      case CURVEC_TEXT_VIEWS:
        return detail::ValueAt<std::string_view>(raw_, row);
      case CURVEC_TEXT:
        return Entry(raw_.first + static_cast<std::int64_t>(row));
      case CURVEC_TEXT_CODES: {
        const auto code = detail::ValueAt<std::int32_t>(raw_, row);
        return code < 0 ? Category<Key>() : Category<Key>(Entry(code));
      }
      default:
        return {};
    }
  }

  curvec_column raw_ = Numbers().raw();
};

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_COLUMNS_HPP
