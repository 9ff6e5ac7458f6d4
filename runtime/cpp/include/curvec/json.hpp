// Strict JSON (RFC 8259), read where it stands: a text is checked once as a whole, after which its values are looked at
// without a copy.
#ifndef CURVEC_JSON_HPP
#define CURVEC_JSON_HPP

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <curvec/abi.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace curvec {
inline namespace CURVEC_ABI {

/// What is wrong with a model's file: where, the value, and the rule.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

/// A value inside of a text that CheckJson has seen, which must outlive it.
class JsonValue {
 public:
  explicit JsonValue(const char* first = nullptr) noexcept : first_(first) {}

  [[nodiscard]] bool there() const noexcept { return first_ != nullptr; }
  [[nodiscard]] bool IsNull() const noexcept { return *first_ == 'n'; }
  [[nodiscard]] bool IsBool() const noexcept { return *first_ == 't' || *first_ == 'f'; }
  [[nodiscard]] bool IsText() const noexcept { return *first_ == '"'; }
  [[nodiscard]] bool IsList() const noexcept { return *first_ == '['; }
  [[nodiscard]] bool IsObject() const noexcept { return *first_ == '{'; }
  [[nodiscard]] bool IsNumber() const noexcept { return *first_ == '-' || (*first_ >= '0' && *first_ <= '9'); }
  [[nodiscard]] bool IsInteger() const noexcept {
    return IsNumber() && Literal().find_first_of(".eE") == std::string_view::npos;
  }

  /// The value as it is written.
  [[nodiscard]] std::string_view Literal() const noexcept {
    return {first_, static_cast<std::size_t>(End(first_) - first_)};
  }
  [[nodiscard]] bool Bool() const noexcept { return *first_ == 't'; }

  /// A number, rounded to the nearest double; infinity where none is near.
  [[nodiscard]] double Number() const {
#if defined(__cpp_lib_to_chars)
    const std::string_view literal = Literal();
    double number = 0.0;
    const auto read = std::from_chars(literal.data(), literal.data() + literal.size(), number);
    if (read.ec == std::errc()) return number;
#endif
    std::string text(Literal());  // where the library has no from_chars of doubles, and for what leaves their range
    const std::size_t point = text.find('.');
    if (point != std::string::npos) text.replace(point, 1, std::localeconv()->decimal_point);  // as strtod reads it
    return std::strtod(text.c_str(), nullptr);
  }

  /// Text, in UTF-8.
  [[nodiscard]] std::string Text() const {
    std::string text;
    for (const char* at = first_ + 1; *at != '"'; ++at) {
      if (*at != '\\') {
        text += *at;
      } else if (*++at == 'u') {
        std::uint32_t code = Hex(at + 1);
        at += 4;
        if (code >= 0xD800 && code < 0xDC00) {  // the first half of a pair, of which CheckJson saw the second
          code = 0x10000 + ((code - 0xD800) << 10) + (Hex(at + 3) - 0xDC00);
          at += 6;
        }
        AppendUtf8(code, text);
      } else {
        constexpr std::string_view kEscapes = "\"\\/bfnrt";
        text += "\"\\/\b\f\n\r\t"[kEscapes.find(*at)];
      }
    }
    return text;
  }

  /// Calls use(value) for each value of a list.
  template <class Use>
  void ForEach(const Use& use) const {
    for (const char* at = After(first_ + 1); *at != ']'; at = AfterComma(at)) {
      use(JsonValue(at));
      at = After(End(at));
    }
  }
  /// Calls use(name, value) for each member of an object.
  template <class Use>
  void ForEachMember(const Use& use) const {
    for (const char* at = After(first_ + 1); *at != '}'; at = AfterComma(at)) {
      const std::string name = JsonValue(at).Text();
      at = After(After(End(at)) + 1);  // the colon
      use(name, JsonValue(at));
      at = After(End(at));
    }
  }
  [[nodiscard]] std::size_t Count() const {
    std::size_t count = 0;
    ForEach([&](JsonValue) { ++count; });
    return count;
  }

  static std::uint32_t Hex(const char* digits) noexcept {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const char digit = digits[i];
      value = value * 16 + static_cast<std::uint32_t>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
    return value;
  }

 private:
  static bool IsSpace(char character) noexcept {
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
  }
  static const char* After(const char* at) noexcept {
    while (IsSpace(*at)) ++at;
    return at;
  }
  static const char* AfterComma(const char* at) noexcept { return *at == ',' ? After(at + 1) : at; }
  static const char* EndOfText(const char* at) noexcept {
    for (++at; *at != '"'; ++at) at += *at == '\\' ? 1 : 0;
    return at + 1;
  }
  static const char* End(const char* at) noexcept {
    if (*at == '"') return EndOfText(at);
    if (*at == '[' || *at == '{') {
      std::size_t open = 0;
      do {
        if (*at == '"') {
          at = EndOfText(at);
          continue;
        }
        if (*at == '[' || *at == '{') ++open;
        if (*at == ']' || *at == '}') --open;
        ++at;
      } while (open != 0);
      return at;
    }
    while (*at != ',' && *at != ']' && *at != '}' && !IsSpace(*at)) ++at;
    return at;
  }
  static void AppendUtf8(std::uint32_t code, std::string& text) {
    const auto byte = [&](std::uint32_t value) { text += static_cast<char>(static_cast<unsigned char>(value)); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
      byte(0xC0 | code >> 6);
    } else {
      if (code < 0x10000) {
        byte(0xE0 | code >> 12);
      } else {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
      }
      byte(0x80 | (code >> 6 & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
  }

  const char* first_;
};

/// Checks that a text is one JSON object, in valid UTF-8.
class JsonChecker {
 public:
  explicit JsonChecker(std::string_view text) noexcept : text_(text) {}

  /// The object. Throws a ModelError that says the line.
  [[nodiscard]] JsonValue Check() {
    Space();
    const std::size_t first = at_;
    if (Next() != '{') Fail("a model is a JSON object, which begins with {");
    Value(0);
    Space();
    if (at_ != text_.size()) Fail("there is text behind the end of the JSON object");
    return JsonValue(text_.data() + first);
  }

 private:
  static constexpr int kMostNested = 100;  // nodes nest 32 deep at most, each in a list or an object of another one

  [[noreturn]] void Fail(const std::string& what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw ModelError("line " + std::to_string(line) + ": " + what);
  }
  /// The next character; NUL, which no text but a faulty one has here, at the end.
  [[nodiscard]] char Next() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool NextIsDigit() const noexcept { return Next() >= '0' && Next() <= '9'; }
  [[nodiscard]] bool Take(char character) noexcept {
    const bool found = at_ < text_.size() && text_[at_] == character;
    at_ += found ? 1 : 0;
    return found;
  }
  void Space() noexcept {
    while (Next() == ' ' || Next() == '\t' || Next() == '\n' || Next() == '\r') ++at_;
  }

  void Value(int depth) {
    if (depth > kMostNested) Fail("lists and objects are nested more than 100 deep");
    switch (Next()) {
      case '{':
        return Members(depth);
      case '[':
        return Items(depth);
      case '"':
        return Text();
      default:
        for (const std::string_view word : {"null", "true", "false"}) {
          if (text_.substr(at_, word.size()) != word) continue;
          at_ += word.size();
          return;
        }
        Number();
    }
  }
  void Members(int depth) {
    ++at_;
    Space();
    if (Take('}')) return;
    do {
      Space();
      if (Next() != '"') Fail("the name of an object's member is missing: text in double quotes");
      Text();
      Space();
      if (!Take(':')) Fail("a colon is missing behind the name of an object's member");
      Space();
      Value(depth + 1);
      Space();
    } while (Take(','));
    if (!Take('}')) Fail("an object is not closed: a comma or } is missing");
  }
  void Items(int depth) {
    ++at_;
    Space();
    if (Take(']')) return;
    do {
      Space();
      Value(depth + 1);
      Space();
    } while (Take(','));
    if (!Take(']')) Fail("a list is not closed: a comma or ] is missing");
  }
  void Number() {
    const std::size_t first = at_;
    static_cast<void>(Take('-'));
    if (!NextIsDigit()) {
      at_ = first;
      Fail("a value is missing: JSON has null, true, false, finite numbers, text in double quotes, lists and objects");
    }
    if (!Take('0')) Digits();
    if (NextIsDigit()) Fail("a number begins with 0");
    if (Take('.')) Digits();
    if (Take('e') || Take('E')) {
      if (!Take('+')) static_cast<void>(Take('-'));
      Digits();
    }
  }
  void Digits() {
    if (!NextIsDigit()) Fail("a digit is missing in a number");
    while (NextIsDigit()) ++at_;
  }

  void Text() {
    ++at_;
    while (!Take('"')) {
      const auto byte = static_cast<unsigned char>(Next());
      if (byte < 0x20) Fail(at_ < text_.size() ? "a control character in text must be escaped" : "text is not closed");
      if (Take('\\')) {
        Escape();
      } else {
        Character(byte);
      }
    }
  }
  void Escape() {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    if (kEscapes.find(Next()) != std::string_view::npos && at_ < text_.size()) {
      ++at_;
      return;
    }
    const std::uint32_t code = Unit();
    if (code >= 0xDC00 && code < 0xE000) Fail("the second half of a surrogate pair without the first one");
    if (code < 0xD800 || code >= 0xDC00) return;
    const std::uint32_t second = Take('\\') ? Unit() : 0;
    if (second < 0xDC00 || second >= 0xE000) Fail("the first half of a surrogate pair without the second one");
  }
  std::uint32_t Unit() {
    const std::string_view digits = text_.substr(std::min(at_ + 1, text_.size()), 4);
    const bool good = Next() == 'u' && digits.size() == 4 &&
                      digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    if (!good) Fail("an unknown escape in text");
    at_ += 5;
    return JsonValue::Hex(digits.data());
  }
  /// One character in UTF-8 (RFC 3629): of 1 to 4 bytes, in its shortest form, no half of a surrogate pair.
  void Character(unsigned char first) {
    const int more = first < 0x80 ? 0 : first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2 : 3;
    std::uint32_t code = more == 0 ? first : first & (0x3Fu >> more);
    bool good = first < 0x80 || (first >= 0xC2 && first < 0xF5);
    ++at_;
    for (int i = 0; i < more && good; ++i) {
      const auto byte = static_cast<unsigned char>(Next());
      good = (byte & 0xC0) == 0x80;
      code = code << 6 | (byte & 0x3Fu);
      at_ += good ? 1 : 0;
    }
    if (more == 2) good = good && code >= 0x800 && !(code >= 0xD800 && code < 0xE000);
    if (more == 3) good = good && code >= 0x10000 && code < 0x110000;
    if (!good) Fail("text is not valid UTF-8");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace detail
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_JSON_HPP
