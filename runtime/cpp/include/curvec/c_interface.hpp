// What an emitted model's C interface does before it scores: columns from other languages are checked first.
#ifndef CURVEC_C_INTERFACE_HPP
#define CURVEC_C_INTERFACE_HPP

#include <curvec/c_interface.h>

#include <cstddef>
#include <cstdint>
#include <curvec/columns.hpp>
#include <curvec/config.hpp>
#include <iterator>

namespace curvec {
inline namespace CURVEC_ABI {

/// A status in words.
[[nodiscard]] inline const char* StatusMessage(std::int32_t status) noexcept {
  switch (status) {
    case CURVEC_OK:
      return "done";
    case CURVEC_NULL_POINTER:
      return "a pointer is null: columns, the result, or a column's values, offsets or bytes";
    case CURVEC_WRONG_COLUMN_COUNT:
      return "there must be one column for each feature of the model";
    case CURVEC_NEGATIVE_ROWS:
      return "the number of rows is negative";
    case CURVEC_COLUMN_NOT_SET:
      return "a column's storage was not set; where no row has a value, it is CURVEC_ALL_MISSING";
    case CURVEC_WRONG_STORAGE:
      return "a column's storage is unknown, or not one of its feature's type";
    case CURVEC_WRONG_TEXT:
      return "a column's offsets decrease, or a code is not below its number of entries";
    case CURVEC_WRONG_BOOLEAN:
      return "a column of a boolean feature holds a number that is neither 0 nor 1";
    default:
      return "no status of curvec's";
  }
}

/// A feature's name, which a NUL follows; null where there is none of that number.
template <class Names>
[[nodiscard]] const char* NameOf(const Names& names, std::int32_t feature) noexcept {
  const auto place = static_cast<std::size_t>(feature);  // a negative one is beyond all
  return place < std::size(names) ? names[place].data() : nullptr;
}

/// A feature's curvec_type; -1 where there is none of that number.
template <class Types>
[[nodiscard]] std::int32_t TypeOf(const Types& types, std::int32_t feature) noexcept {
  const auto place = static_cast<std::size_t>(feature);
  return place < std::size(types) ? types[place] : -1;
}

namespace detail {

[[nodiscard]] inline std::int32_t CheckOffsets(const curvec_column& text, std::int64_t first,
                                               std::int64_t last) noexcept {
  if (text.offsets == nullptr) return CURVEC_NULL_POINTER;
  for (std::int64_t i = first; i < last; ++i) {
    if (text.offsets[i] < 0 || text.offsets[i] > text.offsets[i + 1]) return CURVEC_WRONG_TEXT;
  }
  return text.bytes == nullptr && text.offsets[last] > 0 ? CURVEC_NULL_POINTER : CURVEC_OK;
}

[[nodiscard]] inline std::int32_t CheckText(const curvec_column& text, std::size_t rows, bool views) noexcept {
  if (views && text.storage == CURVEC_TEXT_VIEWS) return text.values == nullptr ? CURVEC_NULL_POINTER : CURVEC_OK;
  if (text.storage == CURVEC_TEXT) {
    return CheckOffsets(text, text.first, text.first + static_cast<std::int64_t>(rows));
  }
  if (text.storage != CURVEC_TEXT_CODES) return CURVEC_WRONG_STORAGE;
  if (text.values == nullptr) return CURVEC_NULL_POINTER;
  for (std::size_t row = 0; row < rows; ++row) {
    if (IsValid(text, row) && ValueAt<std::int32_t>(text, row) >= text.entries) return CURVEC_WRONG_TEXT;
  }
  return CheckOffsets(text, 0, text.entries);
}

/// Whether a column is one of a type; `views`: it is from C++, and text may be stored as std::string_view.
[[nodiscard]] inline std::int32_t CheckColumn(const curvec_column& column, std::int32_t type, std::size_t rows,
                                              bool views = false) noexcept {
  if (column.storage == CURVEC_NOT_SET) return CURVEC_COLUMN_NOT_SET;
  if (column.storage == CURVEC_ALL_MISSING || rows == 0) return CURVEC_OK;
  if (type == CURVEC_STRING) return CheckText(column, rows, views);
  if (!WithType(column.storage, [](auto) {})) return CURVEC_WRONG_STORAGE;
  if (column.values == nullptr) return CURVEC_NULL_POINTER;
  for (std::size_t row = 0; type == CURVEC_BOOLEAN && row < rows; ++row) {
    const Category<bool> category = Category<bool>::FromNumber(NumberAt(column, row));
    if (!category.missing() && !category.has_key()) return CURVEC_WRONG_BOOLEAN;
  }
  return CURVEC_OK;
}

}  // namespace detail

/// A curvec_status: whether columns from C are what features of these types can be read from. `wrong_column`, where it
/// is not null, becomes the first column that is not, or -1.
template <class Types>
[[nodiscard]] std::int32_t CheckColumns(const Types& types, const curvec_column* columns, std::int32_t column_count,
                                        std::int64_t rows, const double* result, std::int32_t* wrong_column) noexcept {
  const std::size_t count = std::size(types);
  if (wrong_column != nullptr) *wrong_column = -1;
  if (rows < 0) return CURVEC_NEGATIVE_ROWS;
  if (column_count != static_cast<std::int32_t>(count)) return CURVEC_WRONG_COLUMN_COUNT;
  if ((columns == nullptr && count > 0) || (result == nullptr && rows > 0)) return CURVEC_NULL_POINTER;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t status = detail::CheckColumn(columns[i], types[i], static_cast<std::size_t>(rows));
    if (status == CURVEC_OK) continue;
    if (wrong_column != nullptr) *wrong_column = static_cast<std::int32_t>(i);
    return status;
  }
  return CURVEC_OK;
}

}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_C_INTERFACE_HPP
