#include "apimachinery/base/text/go_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/unicode_print.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::text {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void AppendHex(std::string& out, uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[(value >> shift) & 15];
}

// Returns the letter of the backslash escape that Go and C share, or 0.
char ShortEscape(char c) {
  switch (c) {
    case '\a':
      return 'a';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\v':
      return 'v';
    default:
      return 0;
  }
}

// A finite number: 0.DIGITS * 10^point.
struct Decimal {
  bool negative = false;
  std::string digits;
  int point = 0;
};

Decimal ShortestDecimal(double value) {
  char buffer[32];
  const std::to_chars_result end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  Decimal decimal;
  const char* c = buffer;
  if (*c == '-') {
    decimal.negative = true;
    ++c;
  }
  for (; *c != 'e'; ++c) {
    if (*c != '.') decimal.digits += *c;
  }
  ++c;
  if (*c == '+') ++c;
  int exponent = 0;
  std::from_chars(c, end.ptr, exponent);
  decimal.point = value == 0 ? 0 : exponent + 1;
  if (value == 0) decimal.digits.clear();
  return decimal;
}

// Returns "NaN", "+Inf" or "-Inf"; empty for finite numbers.
absl::string_view NotFinite(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return "";
}

std::string Fixed(const Decimal& d) {
  std::string out = d.negative ? "-" : "";
  const int digits = static_cast<int>(d.digits.size());
  if (d.point <= 0) {
    absl::StrAppend(&out, "0");
  } else {
    absl::StrAppend(&out, d.digits.substr(0, d.point),
                    std::string(std::max(0, d.point - digits), '0'));
  }
  if (d.point >= digits) return out;
  absl::StrAppend(&out, ".", std::string(std::max(0, -d.point), '0'),
                  d.digits.substr(std::max(0, d.point)));
  return out;
}

std::string Scientific(const Decimal& d, int min_exponent_digits) {
  const int exponent = d.point - 1;
  std::string out = d.negative ? "-" : "";
  out += d.digits[0];
  if (d.digits.size() > 1) absl::StrAppend(&out, ".", d.digits.substr(1));
  const std::string power = absl::StrCat(std::abs(exponent));
  absl::StrAppend(
      &out, exponent < 0 ? "e-" : "e+",
      std::string(std::max(0, min_exponent_digits - static_cast<int>(power.size())), '0'), power);
  return out;
}

}  // namespace

bool IsPrint(char32_t rune) {
  if (rune < 0x80) return rune >= 0x20 && rune != 0x7F;
  const PrintableRange* after = std::upper_bound(
      std::begin(kPrintable), std::end(kPrintable), rune,
      [](char32_t value, const PrintableRange& range) { return value < range.first; });
  return after != std::begin(kPrintable) && rune <= std::prev(after)->last;
}

void AppendQuoted(std::string& out, absl::string_view text) {
  out += '"';
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    const char c = text[0];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (!rune.invalid() && IsPrint(rune.value)) {
      out.append(text.data(), rune.size);
    } else if (const char letter = ShortEscape(c)) {
      out += '\\';
      out += letter;
    } else if (rune.size == 1) {
      out += "\\x";
      AppendHex(out, static_cast<unsigned char>(c), 2);
    } else if (rune.value < 0x10000) {
      out += "\\u";
      AppendHex(out, rune.value, 4);
    } else {
      out += "\\U";
      AppendHex(out, rune.value, 8);
    }
    text.remove_prefix(rune.size);
  }
  out += '"';
}

std::string Quoted(absl::string_view text) {
  std::string out;
  AppendQuoted(out, text);
  return out;
}

namespace {

// Appends a JSON string. Control characters in `short_escapes` are escaped by a letter, others as
// \u00xx.
void AppendJson(std::string& out, absl::string_view text, absl::string_view short_escapes,
                bool escapes_separators) {
  out += '"';
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    const char c = text[0];
    const bool is_separator = rune.value == 0x2028 || rune.value == 0x2029;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (rune.invalid()) {
      out += "\\ufffd";
    } else if (rune.value >= 0x20 && !(is_separator && escapes_separators)) {
      out.append(text.data(), rune.size);
    } else if (rune.value < 0x20 && absl::StrContains(short_escapes, c)) {
      out += '\\';
      out += ShortEscape(c);
    } else {
      out += "\\u";
      AppendHex(out, rune.value, 4);
    }
    text.remove_prefix(rune.size);
  }
  out += '"';
}

}  // namespace

void AppendJsonString(std::string& out, absl::string_view text) {
  AppendJson(out, text, "\n\r\t", /*escapes_separators=*/false);
}

void AppendStandardJsonString(std::string& out, absl::string_view text) {
  AppendJson(out, text, "\b\f\n\r\t", /*escapes_separators=*/true);
}

std::string FormatFixed(double value) {
  const absl::string_view special = NotFinite(value);
  return special.empty() ? Fixed(ShortestDecimal(value)) : std::string(special);
}

std::string FormatGeneral(double value) {
  const absl::string_view special = NotFinite(value);
  if (!special.empty()) return std::string(special);
  const Decimal decimal = ShortestDecimal(value);
  const int exponent = decimal.point - 1;
  if (value == 0 || (exponent >= -4 && exponent < 6)) return Fixed(decimal);
  return Scientific(decimal, 2);
}

std::string FormatJson(double value) {
  const Decimal decimal = ShortestDecimal(value);
  const double magnitude = std::abs(value);
  if (value == 0 || (magnitude >= 1e-6 && magnitude < 1e21)) return Fixed(decimal);
  // encoding/json does not pad negative exponents; positive ones have two digits, since they start
  // at 21.
  return Scientific(decimal, 1);
}

std::string GoDuration(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "inf";
  if (duration == -absl::InfiniteDuration()) return "-inf";
  const int64_t signed_ns = absl::ToInt64Nanoseconds(duration);
  if (signed_ns == 0) return "0s";
  const char* sign = signed_ns < 0 ? "-" : "";
  const uint64_t ns = signed_ns < 0 ? -static_cast<uint64_t>(signed_ns) : signed_ns;
  // Writes `units` / 10^digits without trailing zeros.
  const auto with_fraction = [](uint64_t units, int digits) {
    std::string text = absl::StrCat(units);
    if (static_cast<int>(text.size()) <= digits) text.insert(0, digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, 1, '.');
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  };
  if (ns < 1000) return absl::StrCat(sign, ns, "ns");
  if (ns < 1000000) return absl::StrCat(sign, with_fraction(ns, 3), "\u00b5s");
  if (ns < 1000000000) return absl::StrCat(sign, with_fraction(ns, 6), "ms");
  const uint64_t minutes = ns / 60000000000;
  const std::string seconds = absl::StrCat(with_fraction(ns % 60000000000, 9), "s");
  if (minutes == 0) return absl::StrCat(sign, seconds);
  if (minutes < 60) return absl::StrCat(sign, minutes, "m", seconds);
  return absl::StrCat(sign, minutes / 60, "h", minutes % 60, "m", seconds);
}

}  // namespace kube::text
