#include "apimachinery/cel/internal/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::cel::internal {
namespace {

absl::Status Wrong() { return absl::InvalidArgumentError("unable to unescape string"); }

bool IsSurrogate(uint32_t rune) { return rune >= 0xD800 && rune < 0xE000; }

// Returns the character of an escape of one letter, or 0 if there is no such escape.
char Simple(char letter) {
  switch (letter) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
    case '\'':
    case '"':
    case '`':
    case '?':
      return letter;
    default:
      return 0;
  }
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = absl::ascii_tolower(static_cast<unsigned char>(c));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Appends a code point, or the byte with this value.
absl::Status AppendNumber(uint32_t value, bool is_bytes, std::string& out) {
  if (is_bytes) {
    out += static_cast<char>(value);
    return absl::OkStatus();
  }
  if (value > 0x10FFFF || IsSurrogate(value)) {
    return absl::InvalidArgumentError("invalid unicode code point");
  }
  text::AppendRune(out, static_cast<char32_t>(value));
  return absl::OkStatus();
}

// Removes hexadecimal digits from the front of `rest`.
absl::Status TakeHex(size_t digits, bool is_bytes, absl::string_view& rest, std::string& out) {
  if (rest.size() < digits) return Wrong();
  uint32_t value = 0;
  for (const char c : rest.substr(0, digits)) {
    const int digit = HexValue(c);
    if (digit < 0) return Wrong();
    value = value * 16 + static_cast<uint32_t>(digit);
  }
  rest.remove_prefix(digits);
  return AppendNumber(value, is_bytes, out);
}

absl::Status TakeOctal(char first, bool is_bytes, absl::string_view& rest, std::string& out) {
  uint32_t value = static_cast<uint32_t>(first - '0');
  for (size_t i = 0; i < 2; ++i) {
    if (i >= rest.size() || rest[i] < '0' || rest[i] > '7') {
      return absl::InvalidArgumentError("unable to unescape octal sequence in string");
    }
    value = value * 8 + static_cast<uint32_t>(rest[i] - '0');
  }
  rest.remove_prefix(2);
  return AppendNumber(value, is_bytes, out);
}

// Removes an escape from the front of `rest`, whose backslash is gone, and appends what it means.
absl::Status TakeEscape(bool is_bytes, absl::string_view& rest, std::string& out) {
  if (rest.empty()) {
    return absl::InvalidArgumentError("unable to unescape string, found '\\' as last character");
  }
  const char c = rest[0];
  rest.remove_prefix(1);
  if (const char simple = Simple(c); simple != 0) {
    out += simple;
    return absl::OkStatus();
  }
  if (c == 'x' || c == 'X') return TakeHex(2, is_bytes, rest, out);
  if (c == 'u' && !is_bytes) return TakeHex(4, is_bytes, rest, out);
  if (c == 'U' && !is_bytes) return TakeHex(8, is_bytes, rest, out);
  if (c >= '0' && c <= '3') return TakeOctal(c, is_bytes, rest, out);
  return Wrong();
}

// Removes underscores between digits. Returns nullopt if an underscore stands elsewhere.
std::optional<std::string> WithoutUnderscores(absl::string_view text, bool is_hex) {
  const auto is_digit = [is_hex](char c) {
    return is_hex ? HexValue(c) >= 0 : c >= '0' && c <= '9';
  };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    const bool after_digit = i > 0 ? is_digit(text[i - 1]) : is_hex;
    if (!after_digit || i + 1 >= text.size() || !is_digit(text[i + 1])) return std::nullopt;
  }
  return out;
}

// Returns whether the text is digits with at most one dot, and an exponent, which hexadecimal
// numbers must have.
bool IsNumber(absl::string_view text, bool is_hex) {
  size_t digits = 0;
  bool dot = false;
  size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !dot) {
      dot = true;
    } else if (is_hex ? HexValue(text[i]) >= 0 : text[i] >= '0' && text[i] <= '9') {
      ++digits;
    } else {
      break;
    }
  }
  if (digits == 0) return false;
  if (i == text.size()) return !is_hex;
  const char mark = absl::ascii_tolower(static_cast<unsigned char>(text[i]));
  if (mark != (is_hex ? 'p' : 'e')) return false;
  absl::string_view exponent = text.substr(i + 1);
  if (!exponent.empty() && (exponent[0] == '+' || exponent[0] == '-')) exponent.remove_prefix(1);
  return !exponent.empty() &&
         std::all_of(exponent.begin(), exponent.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

absl::StatusOr<std::string> Unquote(absl::string_view literal, bool is_bytes) {
  const std::string normal = absl::StrReplaceAll(literal, {{"\r\n", "\n"}, {"\r", "\n"}});
  absl::string_view rest = normal;
  const bool raw = absl::ConsumePrefix(&rest, "r") || absl::ConsumePrefix(&rest, "R");
  if (rest.size() < 2 || rest.front() != rest.back()) return Wrong();
  const size_t quotes = rest.size() >= 6 && rest[1] == rest[0] && rest[2] == rest[0] ? 3 : 1;
  rest = rest.substr(quotes, rest.size() - 2 * quotes);
  std::string out;
  while (!rest.empty()) {
    const size_t plain = raw ? rest.size() : std::min(rest.find('\\'), rest.size());
    absl::StrAppend(&out, rest.substr(0, plain));
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    rest.remove_prefix(1);
    KUBE_RETURN_IF_ERROR(TakeEscape(is_bytes, rest, out));
  }
  return out;
}

std::optional<uint64_t> ParseUintLiteral(absl::string_view text) {
  absl::ConsumeSuffix(&text, "u") || absl::ConsumeSuffix(&text, "U");
  const int base = absl::ConsumePrefix(&text, "0x") ? 16 : 10;
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<int64_t> ParseIntLiteral(absl::string_view text, bool negative) {
  const std::optional<uint64_t> magnitude = ParseUintLiteral(text);
  const uint64_t limit = uint64_t{std::numeric_limits<int64_t>::max()} + (negative ? 1 : 0);
  if (!magnitude.has_value() || *magnitude > limit) return std::nullopt;
  return static_cast<int64_t>(negative ? uint64_t{0} - *magnitude : *magnitude);
}

std::optional<double> ParseGoDouble(absl::string_view text) {
  const bool negative = absl::StartsWith(text, "-");
  const bool has_sign = negative || absl::StartsWith(text, "+");
  const std::string lower = absl::AsciiStrToLower(text.substr(has_sign ? 1 : 0));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (lower == "inf" || lower == "infinity") return negative ? -kInfinity : kInfinity;
  if (lower == "nan" && !has_sign) return std::numeric_limits<double>::quiet_NaN();
  absl::string_view rest = lower;
  const bool is_hex = absl::ConsumePrefix(&rest, "0x");
  const std::optional<std::string> digits = WithoutUnderscores(rest, is_hex);
  if (!digits.has_value() || !IsNumber(*digits, is_hex)) return std::nullopt;
  double value = 0;
  const absl::from_chars_result result =
      absl::from_chars(digits->data(), digits->data() + digits->size(), value,
                       is_hex ? absl::chars_format::hex : absl::chars_format::general);
  if (result.ec == std::errc::result_out_of_range && std::abs(value) > 1) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace kube::cel::internal
