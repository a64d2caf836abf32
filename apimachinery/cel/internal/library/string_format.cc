#include "apimachinery/cel/internal/library/string_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/internal/library/text_search.h"
#include "apimachinery/cel/internal/literals.h"
#include "apimachinery/cel/internal/time.h"

namespace kube::cel::internal {
namespace {

constexpr int kMaxPrecision = 1'000;
constexpr int kMaxNesting = 100;

absl::Status Wrong(absl::string_view message) { return absl::InvalidArgumentError(message); }

absl::Status WrongType(char verb, const Value& value) {
  return WrongArgument(verb, TypeName(value));
}

absl::StatusOr<std::string> FormatNested(const Value& value, int depth);

bool IsFinite(const Value& value) {
  return value.kind() != ValueKind::kDouble || std::isfinite(value.number());
}

// Adds the quotes with which a value stands in a list or map.
std::string Quoted(const Value& value, absl::string_view text) {
  if (value.is_string() || !IsFinite(value)) return text::Quoted(text);
  return value.kind() == ValueKind::kBytes ? absl::StrCat("b", text::Quoted(text))
                                           : std::string(text);
}

absl::StatusOr<std::string> FormatElements(const ListValue& list, int depth) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < list.size(); ++i) {
    const Value element = list.At(i);
    KUBE_ASSIGN_OR_RETURN(const std::string text, FormatNested(element, depth + 1));
    texts.push_back(Quoted(element, text));
  }
  return absl::StrCat("[", absl::StrJoin(texts, ", "), "]");
}

absl::StatusOr<std::string> FormatEntries(const MapValue& map, int depth) {
  std::vector<std::string> texts;
  for (const Value& key : map.Keys()) {
    if (!key.is_string() && !key.is_bool() && !key.is_int() && key.kind() != ValueKind::kUint) {
      return Wrong(absl::StrCat("no formatting function for map key of type ", TypeName(key)));
    }
    const Value value = map.Find(key).value_or(Value());
    KUBE_ASSIGN_OR_RETURN(const std::string key_text, FormatNested(key, depth + 1));
    KUBE_ASSIGN_OR_RETURN(const std::string text, FormatNested(value, depth + 1));
    texts.push_back(absl::StrCat(Quoted(key, key_text), ":", Quoted(value, text)));
  }
  std::sort(texts.begin(), texts.end());
  return absl::StrCat("{", absl::StrJoin(texts, ", "), "}");
}

std::string DoubleOf(double value) {
  return std::isfinite(value) ? absl::StrFormat("%.6f", value) : text::FormatGeneral(value);
}

// Formats a value within a list or map.
absl::StatusOr<std::string> FormatNested(const Value& value, int depth) {
  if (depth > kMaxNesting) return Wrong("value is nested too deeply");
  switch (value.kind()) {
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return value.boolean() ? "true" : "false";
    case ValueKind::kInt:
      return absl::StrCat(value.integer());
    case ValueKind::kUint:
      return absl::StrCat(value.unsigned_integer());
    case ValueKind::kDouble:
      return DoubleOf(value.number());
    case ValueKind::kString:
      return std::string(value.text());
    case ValueKind::kBytes:
      if (!text::IsValidUtf8(value.bytes())) {
        return Wrong(
            "could not convert argument \"invalid UTF-8 in bytes, cannot convert to "
            "string\" to string");
      }
      return std::string(value.bytes());
    case ValueKind::kTimestamp:
      return absl::StrCat("timestamp(\"", FormatTimestamp(value.timestamp()), "\")");
    case ValueKind::kDuration:
      return absl::StrCat("duration(\"", FormatSeconds(value.duration()), "s\")");
    case ValueKind::kList:
      return FormatElements(value.list(), depth);
    case ValueKind::kMap:
      return FormatEntries(value.map(), depth);
    case ValueKind::kType:
      return value.type_value()->name;
    default:
      return Wrong(absl::StrCat("no formatting function for ", TypeName(value)));
  }
}

// %s
absl::StatusOr<std::string> FormatAsString(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kDouble:
      return text::FormatGeneral(value.number());
    case ValueKind::kTimestamp:
      return FormatTimestamp(value.timestamp());
    case ValueKind::kDuration:
      return absl::StrCat(FormatSeconds(value.duration()), "s");
    case ValueKind::kOptional:
    case ValueKind::kOpaque:
    case ValueKind::kError:
      return WrongType('s', value);
    default:
      return FormatNested(value, 0);
  }
}

// %d
absl::StatusOr<std::string> FormatAsDecimal(const Value& value) {
  if (value.is_int()) return absl::StrCat(value.integer());
  if (value.kind() == ValueKind::kUint) return absl::StrCat(value.unsigned_integer());
  return WrongType('d', value);
}

// Adds commas between thousands.
std::string Grouped(const std::string& number) {
  const size_t first = number[0] == '-' ? 1 : 0;
  const size_t point = std::min(number.find('.'), number.size());
  std::string out = number.substr(0, first);
  for (size_t i = first; i < point; ++i) {
    if (i > first && (point - i) % 3 == 0) out += ',';
    out += number[i];
  }
  return out + number.substr(point);
}

std::string Superscript(absl::string_view digits) {
  constexpr absl::string_view kDigits[] = {
      "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
      "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
  std::string out;
  for (const char c : digits) {
    if (c == '-') absl::StrAppend(&out, "\xe2\x81\xbb");
    if (c >= '0' && c <= '9') absl::StrAppend(&out, kDigits[c - '0']);
  }
  return out;
}

// Returns the number of %f and %e: doubles, and the names of those that are not finite.
absl::StatusOr<double> DoubleArgument(const Value& value, char verb) {
  // Upstream's zero has no sign.
  if (value.kind() == ValueKind::kDouble) return value.number() == 0 ? 0 : value.number();
  const bool special = value.is_string() && (value.text() == "NaN" || value.text() == "Infinity" ||
                                             value.text() == "-Infinity");
  if (!special) return WrongType(verb, value);
  return ParseGoDouble(value.text()).value_or(0);
}

std::string NotFinite(double number) {
  if (std::isnan(number)) return "NaN";
  return number < 0 ? "-\xe2\x88\x9e" : "\xe2\x88\x9e";
}

// %f
absl::StatusOr<std::string> FormatAsFixed(const Value& value, int precision) {
  KUBE_ASSIGN_OR_RETURN(const double number, DoubleArgument(value, 'f'));
  if (!std::isfinite(number)) return NotFinite(number);
  return Grouped(absl::StrFormat("%.*f", precision, number));
}

// Adds spaces in front until there are `width` characters.
std::string Padded(std::string text, int width) {
  const size_t size = CountRunes(text);
  const auto wanted = static_cast<size_t>(width);
  return size < wanted ? absl::StrCat(std::string(wanted - size, ' '), text) : text;
}

// %e. As upstream, what should be the precision is the smallest width; the precision is 6.
absl::StatusOr<std::string> FormatAsScientific(const Value& value, int width) {
  KUBE_ASSIGN_OR_RETURN(const double number, DoubleArgument(value, 'e'));
  if (!std::isfinite(number)) return Padded(NotFinite(number), width);
  const std::string text = absl::StrFormat("%.6e", number);
  const size_t mark = text.find('e');
  return Padded(
      absl::StrCat(text.substr(0, mark), "\xc3\x97", "10", Superscript(text.substr(mark + 1))),
      width);
}

// Returns the digits of a number to a base that is a power of two, with its sign.
std::string InBase(const Value& value, int bits, bool upper) {
  const bool negative = value.is_int() && value.integer() < 0;
  uint64_t rest =
      value.is_int() ? static_cast<uint64_t>(value.integer()) : value.unsigned_integer();
  if (negative) rest = uint64_t{0} - rest;
  std::string digits;
  do {
    digits += (upper ? "0123456789ABCDEF" : "0123456789abcdef")[rest & ((1u << bits) - 1)];
    rest >>= bits;
  } while (rest != 0);
  std::reverse(digits.begin(), digits.end());
  return negative ? absl::StrCat("-", digits) : digits;
}

bool IsInteger(const Value& value) { return value.is_int() || value.kind() == ValueKind::kUint; }

absl::StatusOr<std::string> FormatAsBinary(const Value& value) {
  if (value.is_bool()) return value.boolean() ? "1" : "0";
  if (IsInteger(value)) return InBase(value, 1, false);
  return WrongType('b', value);
}

absl::StatusOr<std::string> FormatAsHex(const Value& value, bool upper) {
  if (IsInteger(value)) return InBase(value, 4, upper);
  if (!value.is_string() && value.kind() != ValueKind::kBytes) {
    return WrongType('x', value);
  }
  const std::string hex = absl::BytesToHexString(value.is_string() ? value.text() : value.bytes());
  return upper ? absl::AsciiStrToUpper(hex) : hex;
}

absl::StatusOr<std::string> FormatAsOctal(const Value& value) {
  if (IsInteger(value)) return InBase(value, 3, false);
  return WrongType('o', value);
}

// Removes a clause from the front of `rest`.
absl::StatusOr<FormatClause> TakeClause(absl::string_view& rest) {
  FormatClause clause;
  if (rest[0] == '.') {
    size_t i = 1;
    while (i < rest.size() && absl::ascii_isdigit(static_cast<unsigned char>(rest[i]))) ++i;
    if (i == rest.size()) {
      return Wrong("error while parsing precision: could not find end of precision specifier");
    }
    if (!absl::SimpleAtoi(rest.substr(1, i - 1), &clause.precision) ||
        clause.precision > kMaxPrecision) {
      return Wrong("error while parsing precision: error while converting precision to integer");
    }
    rest.remove_prefix(i);
  }
  clause.verb = rest[0];
  if (!absl::StrContains("sdfebxXo", clause.verb)) {
    return Wrong(absl::StrCat("unrecognized formatting clause \"",
                              rest.substr(0, text::DecodeRune(rest).size), "\""));
  }
  rest.remove_prefix(1);
  return clause;
}

absl::StatusOr<std::string> FormatAs(const FormatClause& clause, const Value& value) {
  switch (clause.verb) {
    case 's':
      return FormatAsString(value);
    case 'd':
      return FormatAsDecimal(value);
    case 'f':
      return FormatAsFixed(value, clause.precision);
    case 'e':
      return FormatAsScientific(value, clause.precision);
    case 'b':
      return FormatAsBinary(value);
    case 'o':
      return FormatAsOctal(value);
    default:
      return FormatAsHex(value, clause.verb == 'X');
  }
}

// Returns what the clause for this verb accepts.
absl::string_view Accepted(char verb) {
  switch (verb) {
    case 'd':
      return "decimal clause can only be used on integers";
    case 'f':
      return "fixed-point clause can only be used on doubles";
    case 'e':
      return "scientific clause can only be used on doubles";
    case 'b':
      return "only integers and bools can be formatted as binary";
    case 'x':
    case 'X':
      return "only integers, byte buffers, and strings can be formatted as hex";
    case 'o':
      return "octal clause can only be used on integers";
    default:
      return "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
             "types, durations, and timestamps";
  }
}

}  // namespace

absl::Status WrongArgument(char verb, absl::string_view type_name) {
  return Wrong(absl::StrCat(Accepted(verb), ", was given ", type_name));
}

absl::StatusOr<std::string> Interpolate(absl::string_view format, size_t count,
                                        FormatArgument argument) {
  std::string out;
  size_t next = 0;
  absl::string_view rest = format;
  while (!rest.empty()) {
    const size_t plain = std::min(rest.find('%'), rest.size());
    absl::StrAppend(&out, rest.substr(0, plain));
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    rest.remove_prefix(1);
    if (absl::ConsumePrefix(&rest, "%")) {
      out += '%';
      continue;
    }
    if (next >= count) return Wrong(absl::StrCat("index ", next, " out of range"));
    if (rest.empty()) return Wrong("unexpected end of string");
    KUBE_ASSIGN_OR_RETURN(const FormatClause clause, TakeClause(rest),
                          "could not parse formatting clause");
    KUBE_ASSIGN_OR_RETURN(const std::string text, argument(clause, next),
                          "error during formatting");
    absl::StrAppend(&out, text);
    if (out.size() > kMaxTextSize) return Wrong("text is too large");
    ++next;
  }
  return out;
}

Value FormatText(absl::string_view format, const Value& arguments) {
  const ListValue& list = arguments.list();
  absl::StatusOr<std::string> text =
      Interpolate(format, list.size(), [&list](const FormatClause& clause, size_t index) {
        return FormatAs(clause, list.At(index));
      });
  if (!text.ok()) return Value::Error(std::string(text.status().message()));
  return Value::FromString(*std::move(text));
}

}  // namespace kube::cel::internal
