// Tables from categories to values.
#ifndef CURVEC_ENUM_CURVE_HPP
#define CURVEC_ENUM_CURVE_HPP

#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/pwl_curve.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

namespace detail {

/// Integers of 8 to 64 bits: bool and characters are none.
template <class T>
inline constexpr bool kIsInteger =
    std::is_integral_v<T> && sizeof(T) <= 8 && !std::is_same_v<T, bool> && !std::is_same_v<T, char> &&
    !std::is_same_v<T, wchar_t> && !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

}  // namespace detail

/// A category or nothing: made of a key, of std::optional, or of std::nullopt for a missing one. Key is std::int64_t,
/// std::string_view (the text must outlive the call) or bool. A key of another kind does not convert: no fraction is
/// cut, and no bool, character or pointer becomes a number.
template <class Key>
class Category {
  static constexpr bool kInteger = std::is_same_v<Key, std::int64_t>;
  static constexpr bool kText = std::is_same_v<Key, std::string_view>;
  static_assert(kInteger || kText || std::is_same_v<Key, bool>, "a category is std::int64_t, std::string_view or bool");

  template <class T>
  static constexpr bool kIsKey =
      kInteger ? detail::kIsInteger<T> && (sizeof(T) < 8 || std::is_signed_v<T>)
               : std::is_same_v<T, Key> || (kText && std::is_convertible_v<const T&, std::string_view>);

 public:
  constexpr Category() noexcept = default;
  constexpr Category(std::nullopt_t) noexcept {}  // NOLINT: a missing category reads as one
  template <class T, std::enable_if_t<kIsKey<std::decay_t<T>>, int> = 0>
  constexpr Category(const T& key) noexcept : key_(key), state_(State::kKey) {  // NOLINT: a category is its key
    if constexpr (kInteger) number_ = static_cast<double>(key);
  }
  template <class T, std::enable_if_t<kIsKey<T>, int> = 0>
  constexpr Category(const std::optional<T>& key) noexcept {  // NOLINT: as above
    if (key) *this = Category(*key);
  }

  /// A number of a column: the category that it is; where it is none (a fraction, or another than 0 and 1 for a bool),
  /// one that no curve lists; NaN is missing.
  template <class T>
  [[nodiscard]] static constexpr Category FromNumber(T number) noexcept {
    static_assert(!kText, "text is no number");
    Category category;
    category.number_ = static_cast<double>(number);
    if (detail::IsNan(category.number_)) return category;
    category.state_ = State::kOther;
    if constexpr (!kInteger) {
      const bool one = detail::Equal(category.number_, 1.0);
      if (one || detail::Equal(category.number_, 0.0)) category.SetKey(one);
    } else if constexpr (!std::is_integral_v<T>) {
      constexpr double kExact = 9007199254740992.0;  // 2^53: the levels of a model are within it
      if (!(category.number_ >= -kExact && category.number_ <= kExact)) return category;
      const auto whole = static_cast<std::int64_t>(category.number_);
      if (detail::Equal(static_cast<double>(whole), category.number_)) category.SetKey(whole);
    } else if constexpr (std::is_signed_v<T> || sizeof(T) < 8) {
      category.SetKey(static_cast<std::int64_t>(number));
    } else if (number <= static_cast<T>(INT64_MAX)) {
      category.SetKey(static_cast<std::int64_t>(number));
    }
    return category;
  }

  [[nodiscard]] constexpr bool missing() const noexcept { return state_ == State::kMissing; }
  [[nodiscard]] constexpr bool has_key() const noexcept { return state_ == State::kKey; }
  [[nodiscard]] constexpr Key key() const noexcept { return key_; }

  /// The number that a numeric curve of an integer feature reads: of a fraction, which is no key, itself.
  [[nodiscard]] constexpr double number() const noexcept {
    static_assert(kInteger, "only integer categories are numbers too");
    return number_;
  }

 private:
  enum class State : unsigned char { kMissing, kKey, kOther };

  constexpr void SetKey(Key key) noexcept {
    key_ = key;
    state_ = State::kKey;
  }

  Key key_{};
  double number_ = kNaN;
  State state_ = State::kMissing;
};

/// What a curve gives for a category that it does not list.
struct Default {
  double value = kNaN;
};

/// A category and its value.
template <class Key>
struct Level {
  Key key;
  double value;
};
template <>
struct Level<std::string_view> {
  constexpr Level() noexcept = default;
  /// The text of a literal, all of it: to look for its end would, for many levels, take more steps than compilers do.
  template <std::size_t N>
  constexpr Level(const char (&literal)[N], double value_) noexcept : text(literal), size(N - 1), value(value_) {}
  constexpr Level(std::string_view key, double value_) noexcept : text(key.data()), size(key.size()), value(value_) {}

  const char* text = nullptr;
  std::size_t size = 0;
  double value = 0.0;
};

namespace detail {

template <class T>
[[nodiscard]] constexpr bool Less(const T& a, const T& b) noexcept {
  return a < b;
}
template <class Key>
[[nodiscard]] constexpr bool Less(const Level<Key>& a, const Level<Key>& b) noexcept {
  return a.key < b.key;
}
/// The order of the bytes, in one step: what std::string_view does is a loop to a compiler that makes a constant.
[[nodiscard]] constexpr bool Less(const Level<std::string_view>& a, const Level<std::string_view>& b) noexcept {
  return a.size < b.size ? a.size == 0 || __builtin_memcmp(a.text, b.text, a.size) <= 0
                         : b.size != 0 && __builtin_memcmp(a.text, b.text, b.size) < 0;
}

template <class T>
[[nodiscard]] constexpr bool Same(const T& a, const T& b) noexcept {
  return a == b;
}
template <class Key>
[[nodiscard]] constexpr bool Same(const Level<Key>& a, const Level<Key>& b) noexcept {
  return a.key == b.key;
}
[[nodiscard]] constexpr bool Same(const Level<std::string_view>& a, const Level<std::string_view>& b) noexcept {
  return a.size == b.size && (a.size == 0 || __builtin_memcmp(a.text, b.text, a.size) == 0);
}

/// The place of a level, or of a key, among n of them, or n: by halves where they are sorted, until a few are left to
/// look through.
template <class T>
[[nodiscard]] constexpr std::size_t Find(const T* levels, std::size_t n, bool sorted, const T& wanted) noexcept {
  std::size_t first = 0;
  std::size_t last = n;
  while (sorted && last - first > 8) {
    const std::size_t middle = first + (last - first) / 2;
    (Less(wanted, levels[middle]) ? last : first) = middle;
  }
  for (; first < last; ++first) {
    if (Same(levels[first], wanted)) return first;
  }
  return n;
}

}  // namespace detail

/// A table of N categories; sorted by key (as emitted tables of more than 16 are) it is searched by halves.
///
///     constexpr EnumCurve<std::int64_t, 2> charge_degree({{1, 0.0198}, {2, -0.0384}}, Default{0.0});
template <class Key, std::size_t N>
class EnumCurve {
 public:
  explicit constexpr EnumCurve(const Level<Key> (&levels)[N], Default unseen = {}, Missing missing = {}) noexcept
      : unseen_(unseen.value), missing_(missing.value) {
    // as few steps as can be: clang takes a million of them for a constant
    for (std::size_t i = 0; i < N; ++i) levels_[i] = levels[i];
    for (std::size_t i = 1; i < N && sorted_; ++i) sorted_ = detail::Less(levels[i - 1], levels[i]);
  }
  constexpr EnumCurve(const Level<Key> (&levels)[N], Missing missing) noexcept : EnumCurve(levels, {}, missing) {}

  /// The value of a category.
  [[nodiscard]] constexpr double Eval(const Category<Key>& category) const noexcept {
    if (category.missing()) return missing_;
    const Level<Key> wanted{category.key(), 0.0};
    const std::size_t i = category.has_key() ? detail::Find(levels_, N, sorted_, wanted) : N;
    return i < N ? levels_[i].value : unseen_;
  }

 private:
  Level<Key> levels_[N] = {};
  double unseen_;
  double missing_;
  bool sorted_ = true;
};

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_ENUM_CURVE_HPP
