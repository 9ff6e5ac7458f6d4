// The values of a JSON text read as what they must be: else a ModelError says where the value stands, what it is and
// what it must be.
#ifndef CURVEC_JSON_FIELDS_HPP
#define CURVEC_JSON_FIELDS_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <curvec/config.hpp>
#include <curvec/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace curvec {
inline namespace CURVEC_ABI {
namespace detail {

/// Where a value stands, for messages: terms[2].points[0].
struct JsonPath {
  [[nodiscard]] std::string Text() const {
    if (outside == nullptr) return member.empty() ? std::string() : std::string(member);
    const std::string before = outside->Text();
    if (member.empty()) return before + "[" + std::to_string(place) + "]";
    return before.empty() ? std::string(member) : before + "." + std::string(member);
  }
  const JsonPath* outside = nullptr;
  std::string_view member;  // or, where it is empty, the place in a list
  std::size_t place = 0;
};

/// Functions of such values, for the classes that read a text.
class JsonFields {
 protected:
  using Path = JsonPath;

  [[noreturn]] static void Fail(const Path& path, const std::string& what) {
    const std::string where = path.Text();
    throw ModelError(where.empty() ? what : where + ": " + what);
  }
  /// A value as a message shows it: long ones are cut.
  [[nodiscard]] static std::string Shown(JsonValue value) { return Cut(value.Literal()); }
  [[nodiscard]] static std::string Shown(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", number);
    return text.data();
  }
  [[nodiscard]] static std::string Shown(const std::string& level) { return Quoted(level); }
  [[nodiscard]] static std::string Shown(std::int64_t level) { return std::to_string(level); }
  [[nodiscard]] static std::string Quoted(std::string_view text) { return "\"" + Cut(text) + "\""; }
  [[nodiscard]] static std::string Cut(std::string_view text) {
    constexpr std::size_t kMostShown = 60;
    if (text.size() <= kMostShown) return std::string(text);
    std::size_t size = kMostShown;
    while ((static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;  // no part of a character
    return std::string(text.substr(0, size)) + "...";
  }

  /// The members of an object, each under its name; there is no other one, and none twice.
  template <std::size_t N>
  [[nodiscard]] static std::array<JsonValue, N> Members(JsonValue object, const std::string_view (&names)[N],
                                                        const Path& path) {
    if (!object.IsObject()) Fail(path, Shown(object) + " must be an object");
    std::array<JsonValue, N> members;
    object.ForEachMember([&](const std::string& name, JsonValue value) {
      const auto* const place = std::find(std::begin(names), std::end(names), name);
      if (place == std::end(names)) Fail(path, "the member " + Quoted(name) + " is unknown");
      JsonValue& member = members[static_cast<std::size_t>(place - std::begin(names))];
      if (member.there()) Fail(path, "the member " + Quoted(name) + " is there twice");
      member = value;
    });
    return members;
  }

  [[nodiscard]] static JsonValue List(JsonValue value, const Path& path) {
    if (!value.there() || !value.IsList()) Fail(path, value.there() ? Shown(value) + " must be a list" : "is missing");
    return value;
  }
  [[nodiscard]] static std::string Text(JsonValue value, const Path& path) {
    if (!value.there() || !value.IsText()) Fail(path, value.there() ? Shown(value) + " must be text" : "is missing");
    return value.Text();
  }
  [[nodiscard]] static double Number(JsonValue value, const Path& path) {
    if (!value.there()) Fail(path, "is missing");
    if (!value.IsNumber()) Fail(path, Shown(value) + " must be a number");
    const double number = value.Number();
    if (!std::isfinite(number)) Fail(path, Shown(value) + " must be finite");
    if (value.IsInteger()) {
      std::array<char, 320> nearest{};  // the largest double has 309 digits
      std::snprintf(nearest.data(), nearest.size(), "%.0f", number);
      if (value.Literal() != nearest.data()) Fail(path, Shown(value) + " is an integer that no double holds");
    }
    return WithoutSignOfZero(number);
  }
  [[nodiscard]] static double NumberOr(double otherwise, JsonValue value, const Path& path) {
    return value.there() ? Number(value, path) : otherwise;
  }
  /// A value that may be declared: NaN where it is left out or null.
  [[nodiscard]] static double Declared(JsonValue value, const Path& path) {
    return value.there() && !value.IsNull() ? Number(value, path) : kNaN;
  }
  [[nodiscard]] static std::pair<JsonValue, JsonValue> Pair(JsonValue value, const Path& path) {
    std::array<JsonValue, 2> pair;
    std::size_t count = 0;
    if (value.IsList()) {
      value.ForEach([&](JsonValue item) {
        if (count < 2) pair[count] = item;
        ++count;
      });
    }
    if (count != 2) Fail(path, Shown(value) + " must be a pair");
    return {pair[0], pair[1]};
  }

  [[nodiscard]] static std::vector<double> Numbers(JsonValue list, const Path& path) {
    std::vector<double> numbers;
    List(list, path).ForEach([&](JsonValue item) { numbers.push_back(Number(item, {&path, {}, numbers.size()})); });
    return numbers;
  }
};

}  // namespace detail
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_JSON_FIELDS_HPP
