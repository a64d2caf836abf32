#include "apimachinery/codec/yaml/yaml_resolve.h"

// The rules of go-yaml v2's resolve.go, in its order. The first character decides what a plain
// scalar can be: a word such as "yes" or ".inf", or a number. Words are looked up in a table. A
// text that begins with a digit or a sign is tried as a timestamp, then, without its underscores,
// as an integer, as a float, and as a binary number with a sign after "0b". Everything else is a
// string.

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::codec::internal {
namespace {

using Kind = YamlScalar::Kind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr YamlScalar OfBool(bool value) { return {.kind = Kind::kBool, .boolean = value}; }
constexpr YamlScalar OfFloat(double value) { return {.kind = Kind::kFloat, .real = value}; }

struct Word {
  absl::string_view text;
  YamlScalar scalar;
};

// The words that are not strings (go-yaml: `resolveMap`). The empty text, which is null, is handled
// before. No word is longer than kLongestWord.
constexpr size_t kLongestWord = 5;

constexpr Word kWords[] = {
    {"y", OfBool(true)},
    {"Y", OfBool(true)},
    {"yes", OfBool(true)},
    {"Yes", OfBool(true)},
    {"YES", OfBool(true)},
    {"true", OfBool(true)},
    {"True", OfBool(true)},
    {"TRUE", OfBool(true)},
    {"on", OfBool(true)},
    {"On", OfBool(true)},
    {"ON", OfBool(true)},
    {"n", OfBool(false)},
    {"N", OfBool(false)},
    {"no", OfBool(false)},
    {"No", OfBool(false)},
    {"NO", OfBool(false)},
    {"false", OfBool(false)},
    {"False", OfBool(false)},
    {"FALSE", OfBool(false)},
    {"off", OfBool(false)},
    {"Off", OfBool(false)},
    {"OFF", OfBool(false)},
    {"~", {Kind::kNull}},
    {"null", {Kind::kNull}},
    {"Null", {Kind::kNull}},
    {"NULL", {Kind::kNull}},
    {".nan", OfFloat(kNan)},
    {".NaN", OfFloat(kNan)},
    {".NAN", OfFloat(kNan)},
    {".inf", OfFloat(kInfinity)},
    {".Inf", OfFloat(kInfinity)},
    {".INF", OfFloat(kInfinity)},
    {"+.inf", OfFloat(kInfinity)},
    {"+.Inf", OfFloat(kInfinity)},
    {"+.INF", OfFloat(kInfinity)},
    {"-.inf", OfFloat(-kInfinity)},
    {"-.Inf", OfFloat(-kInfinity)},
    {"-.INF", OfFloat(-kInfinity)},
};

std::optional<YamlScalar> FindWord(absl::string_view text) {
  if (text.size() > kLongestWord) return std::nullopt;
  for (const Word& word : kWords) {
    if (word.text == text) return word.scalar;
  }
  return std::nullopt;
}

// ---- Numbers

// Parses digits as strconv.ParseUint does with this base; no sign is allowed.
std::optional<uint64_t> ParseDigits(absl::string_view digits, int base) {
  uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Parses digits as strconv.ParseUint(text, 0, 64) does: 0x, 0o, 0b or a leading zero choose the
// base.
std::optional<uint64_t> ParseLiteral(absl::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text[0] != '0') return ParseDigits(text, 10);
  if (text.size() == 1) return 0;
  if (text.size() > 2) {
    switch (absl::ascii_tolower(static_cast<unsigned char>(text[1]))) {
      case 'b':
        return ParseDigits(text.substr(2), 2);
      case 'o':
        return ParseDigits(text.substr(2), 8);
      case 'x':
        return ParseDigits(text.substr(2), 16);
    }
  }
  return ParseDigits(text.substr(1), 8);
}

std::optional<YamlScalar> OfMagnitude(uint64_t magnitude, bool negative, bool has_sign) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (magnitude <= kMax + (negative ? 1 : 0)) {
    return YamlScalar{.kind = Kind::kInt,
                      .integer = static_cast<int64_t>(negative ? 0 - magnitude : magnitude)};
  }
  if (has_sign) return std::nullopt;
  return YamlScalar{.kind = Kind::kUint, .unsigned_integer = magnitude};
}

std::optional<YamlScalar> ParseInteger(absl::string_view text) {
  const bool negative = absl::StartsWith(text, "-");
  const bool has_sign = negative || absl::StartsWith(text, "+");
  const std::optional<uint64_t> magnitude = ParseLiteral(text.substr(has_sign ? 1 : 0));
  if (!magnitude.has_value()) return std::nullopt;
  return OfMagnitude(*magnitude, negative, has_sign);
}

// Does go-yaml's second attempt at "0b", which only adds a sign after the prefix.
std::optional<YamlScalar> ParseSignedBinary(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "0b")) return std::nullopt;
  const bool negative = absl::StartsWith(text, "-");
  if (!negative && !absl::StartsWith(text, "+")) return std::nullopt;
  const std::optional<uint64_t> magnitude = ParseDigits(text.substr(1), 2);
  if (!magnitude.has_value()) return std::nullopt;
  return OfMagnitude(*magnitude, negative, true);
}

size_t SkipDigits(absl::string_view text, size_t at) {
  while (at < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

// Matches [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool LooksLikeFloat(absl::string_view text) {
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const size_t whole = at;
  at = SkipDigits(text, at);
  const bool has_whole = at > whole;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = ++at;
    at = SkipDigits(text, at);
    if (!has_whole && at == fraction) return false;
  } else if (!has_whole) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const size_t exponent = at;
    at = SkipDigits(text, at);
    if (at == exponent) return false;
  }
  return at == text.size();
}

// A number that is too large for a double is a string; one that is too small is zero.
std::optional<YamlScalar> ParseFloat(absl::string_view text) {
  if (!LooksLikeFloat(text)) return std::nullopt;
  absl::ConsumePrefix(&text, "+");
  double value = 0;
  const absl::from_chars_result result =
      absl::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range && std::abs(value) > 1) return std::nullopt;
  return OfFloat(value);
}

// ---- Timestamps: time.Parse with the formats of go-yaml

// Takes one or two digits.
std::optional<int> ConsumeNumber(absl::string_view& text, int min, int max) {
  const size_t digits = SkipDigits(text.substr(0, 2), 0);
  if (digits == 0) return std::nullopt;
  int value = 0;
  for (const char digit : text.substr(0, digits)) value = value * 10 + (digit - '0');
  text.remove_prefix(digits);
  if (value < min || value > max) return std::nullopt;
  return value;
}

int DaysIn(int month, int year) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

bool ConsumeDate(absl::string_view& text) {
  if (SkipDigits(text, 0) != 4) return false;
  int year = 0;
  for (const char digit : text.substr(0, 4)) year = year * 10 + (digit - '0');
  text.remove_prefix(4);
  if (!absl::ConsumePrefix(&text, "-")) return false;
  const std::optional<int> month = ConsumeNumber(text, 1, 12);
  if (!month.has_value() || !absl::ConsumePrefix(&text, "-")) return false;
  return ConsumeNumber(text, 1, DaysIn(*month, year)).has_value();
}

bool ConsumeTime(absl::string_view& text) {
  if (!ConsumeNumber(text, 0, 23).has_value() || !absl::ConsumePrefix(&text, ":")) return false;
  if (!ConsumeNumber(text, 0, 59).has_value() || !absl::ConsumePrefix(&text, ":")) return false;
  if (!ConsumeNumber(text, 0, 59).has_value()) return false;
  if (!text.empty() && (text[0] == '.' || text[0] == ',')) {
    const size_t end = SkipDigits(text, 1);
    if (end > 1) text.remove_prefix(end);
  }
  return true;
}

bool IsZone(absl::string_view text) {
  if (text == "Z") return true;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return false;
  absl::string_view hour = text.substr(1, 2);
  absl::string_view minute = text.substr(4, 2);
  // Go's limits are inclusive.
  return SkipDigits(hour, 0) == 2 && SkipDigits(minute, 0) == 2 &&
         ConsumeNumber(hour, 0, 24).has_value() && ConsumeNumber(minute, 0, 60).has_value();
}

bool IsTimestamp(absl::string_view text) {
  if (!ConsumeDate(text)) return false;
  if (text.empty()) return true;
  if (text[0] == 'T' || text[0] == 't') {
    text.remove_prefix(1);
    return ConsumeTime(text) && IsZone(text);
  }
  // If the format has a space, time.Parse accepts any number of spaces.
  if (text[0] != ' ') return false;
  text = text.substr(text.find_first_not_of(' ') == absl::string_view::npos
                         ? text.size()
                         : text.find_first_not_of(' '));
  return ConsumeTime(text) && text.empty();
}

// ---- All of them

// `timestamps` is false for explicit tags other than !!timestamp: dates are not recognized then.
YamlScalar Resolve(absl::string_view text, bool timestamps) {
  const YamlScalar string{.kind = Kind::kString};
  if (text.empty()) return {.kind = Kind::kNull};
  const char first = text[0];
  const bool number =
      absl::ascii_isdigit(static_cast<unsigned char>(first)) || first == '+' || first == '-';
  if (!number && !absl::StrContains("yYnNtTfFoO~.", first)) return string;
  if (const std::optional<YamlScalar> word = FindWord(text)) return *word;
  if (first == '.') return ParseFloat(text).value_or(string);
  if (!number) return string;
  if (timestamps && IsTimestamp(text)) return {.kind = Kind::kTimestamp};
  std::string without;
  if (absl::StrContains(text, '_')) {
    without = absl::StrReplaceAll(text, {{"_", ""}});
    text = without;
  }
  if (const std::optional<YamlScalar> integer = ParseInteger(text)) return *integer;
  if (const std::optional<YamlScalar> real = ParseFloat(text)) return *real;
  return ParseSignedBinary(text).value_or(string);
}

// Matches [-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?
bool IsBase60(absl::string_view text) {
  size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  if (SkipDigits(text, at) == at) return false;
  at = text.find_first_not_of("0123456789_", at);
  if (at == absl::string_view::npos || text[at] != ':') return false;
  while (at < text.size() && text[at] == ':') {
    const size_t end = SkipDigits(text, ++at);
    const size_t digits = end - at;
    if (digits == 0 || digits > 2 || (digits == 2 && text[at] > '5')) return false;
    at = end;
  }
  if (at == text.size()) return true;
  return text[at] == '.' &&
         text.find_first_not_of("0123456789_", at + 1) == absl::string_view::npos;
}

}  // namespace

YamlScalar ResolveYamlScalar(absl::string_view text) { return Resolve(text, true); }

bool ResolveTaggedYamlScalar(absl::string_view tag, absl::string_view text, YamlScalar& scalar) {
  scalar = Resolve(text, tag == "timestamp");
  // As in go-yaml, an unsigned integer does not become a float.
  if (tag == "float" && scalar.kind == Kind::kInt) {
    scalar = OfFloat(static_cast<double>(scalar.integer));
  }
  return absl::StripPrefix(YamlTagOf(scalar.kind), "!!") == tag;
}

absl::string_view YamlTagOf(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "!!null";
    case Kind::kBool:
      return "!!bool";
    case Kind::kInt:
    case Kind::kUint:
      return "!!int";
    case Kind::kFloat:
      return "!!float";
    case Kind::kTimestamp:
      return "!!timestamp";
    case Kind::kString:
      break;
  }
  return "!!str";
}

bool ReadsAsString(absl::string_view text) {
  return !text.empty() && ResolveYamlScalar(text).kind == Kind::kString && !IsBase60(text);
}

std::string FormatYamlFloat(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  return text::FormatGeneral(value);
}

std::string FormatYamlFloatKey(double value) {
  // Numbers less than half a unit beyond the largest float still round to it.
  constexpr double kLimit = 0x1.ffffffp+127;
  if (std::isnan(value)) return ".nan";
  if (std::abs(value) >= kLimit) return value > 0 ? ".inf" : "-.inf";
  const auto narrow = static_cast<float>(value);
  // FormatGeneral prints a double with the shortest digits, so the float's shortest digits are
  // parsed as a double.
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), narrow,
                                 std::chars_format::scientific);
  double spelled = 0;
  absl::from_chars(digits.data(), end.ptr, spelled);
  return text::FormatGeneral(spelled);
}

}  // namespace kube::codec::internal
