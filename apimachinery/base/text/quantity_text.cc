#include "apimachinery/base/text/quantity_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace kube::text {
namespace {

// Parsing splits a text into sign, digits, fraction and suffix. ParseShort then does what Go does
// with short numbers, in 64-bit integers; ParseLong does what Go does with all others, where it
// uses inf.Dec. Both must be imitated: only the first may find a text canonical (`verbatim`), and
// they treat texts without digits differently.
//
// Writing takes the normal form of the value, and chooses the largest suffix that leaves a whole
// number: powers of 1000, or with kBinarySI of 1024.

constexpr int kNano = -9;
constexpr int64_t kMaxBinary = std::numeric_limits<int64_t>::max();
// The limit of Go's fast path: a number of this many digits fits into 64 bits.
constexpr int kMaxInt64Factors = 18;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOneOf(char c, absl::string_view set) { return set.find(c) != absl::string_view::npos; }

// Go stores exponents in an int32, which wraps around.
constexpr int32_t Wrap(int64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

// Returns whether -limit < value < limit.
bool IsBetween(const Decimal& value, int64_t limit) {
  return value < Decimal(limit, 0) && value > Decimal(-limit, 0);
}

// ---- The parts of a text.

struct Parts {
  bool ok = false;
  bool negative = false;
  bool has_digits = false;  // the number as written has digits
  absl::string_view whole;  // without leading zeros, but at least "0"
  absl::string_view denom;  // after the point
  absl::string_view suffix;
};

// Returns the characters from `pos` on for which `is` holds, and moves `pos` behind them.
template <typename Is>
absl::string_view Cut(absl::string_view text, size_t& pos, Is is) {
  const size_t begin = pos;
  while (pos < text.size() && is(text[pos])) ++pos;
  return text.substr(begin, pos - begin);
}

// Splits a text. No digits are required: a sign, a point or a suffix alone is zero.
Parts Split(absl::string_view text) {
  Parts parts;
  size_t pos = 0;
  parts.negative = text[0] == '-';
  if (parts.negative || text[0] == '+') ++pos;
  parts.has_digits = !Cut(text, pos, [](char c) { return c == '0'; }).empty();
  parts.whole = Cut(text, pos, IsDigit);
  if (parts.whole.empty()) {
    parts.whole = "0";
  } else {
    parts.has_digits = true;
  }
  if (pos < text.size() && text[pos] == '.') {
    parts.denom = Cut(text, ++pos, IsDigit);
    parts.has_digits |= !parts.denom.empty();
  }
  const size_t suffix_begin = pos;
  Cut(text, pos, [](char c) { return IsOneOf(c, "eEinumkKMGTP"); });
  if (pos < text.size() && (text[pos] == '-' || text[pos] == '+')) ++pos;
  Cut(text, pos, IsDigit);
  parts.suffix = text.substr(suffix_begin);
  parts.ok = pos == text.size();
  return parts;
}

struct Suffix {
  absl::string_view name;
  int32_t exponent;  // of ten; with kBinarySI, of two
  QuantityFormat format;
};

constexpr Suffix kSuffixes[] = {
    {"n", -9, QuantityFormat::kDecimalSI}, {"u", -6, QuantityFormat::kDecimalSI},
    {"m", -3, QuantityFormat::kDecimalSI}, {"", 0, QuantityFormat::kDecimalSI},
    {"k", 3, QuantityFormat::kDecimalSI},  {"M", 6, QuantityFormat::kDecimalSI},
    {"G", 9, QuantityFormat::kDecimalSI},  {"T", 12, QuantityFormat::kDecimalSI},
    {"P", 15, QuantityFormat::kDecimalSI}, {"E", 18, QuantityFormat::kDecimalSI},
    {"Ki", 10, QuantityFormat::kBinarySI}, {"Mi", 20, QuantityFormat::kBinarySI},
    {"Gi", 30, QuantityFormat::kBinarySI}, {"Ti", 40, QuantityFormat::kBinarySI},
    {"Pi", 50, QuantityFormat::kBinarySI}, {"Ei", 60, QuantityFormat::kBinarySI},
};

std::optional<Suffix> FindSuffix(absl::string_view name) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.name == name) return suffix;
  }
  if (name.size() < 2 || (name[0] != 'e' && name[0] != 'E')) return std::nullopt;
  // std::from_chars does not accept a plus sign.
  const char* begin = name.data() + 1;
  const char* const end = name.data() + name.size();
  if (*begin == '+') ++begin;
  if (begin == end || (begin != name.data() + 1 && *begin == '-')) return std::nullopt;
  int64_t exponent = 0;
  const auto [parsed_end, error] = std::from_chars(begin, end, exponent);
  if (error != std::errc() || parsed_end != end) return std::nullopt;
  return Suffix{name, Wrap(exponent), QuantityFormat::kDecimalExponent};
}

absl::string_view SuffixName(int32_t exponent, QuantityFormat format) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.exponent == exponent && suffix.format == format) return suffix.name;
  }
  return "";
}

// ---- Parsing.

// Go's path for short numbers, with a 64-bit integer and an exponent. Returns nullopt if Go does
// not take it.
std::optional<ParsedQuantity> ParseShort(const Parts& parts, const Suffix& suffix) {
  const int64_t length = static_cast<int64_t>(parts.whole.size() + parts.denom.size());
  const bool binary = suffix.format == QuantityFormat::kBinarySI;
  const int64_t room = binary ? 14 - length - suffix.exponent * 3 / 10 : kMaxInt64Factors - length;
  if (room < 0 || (binary && !parts.denom.empty())) return std::nullopt;
  const int32_t scale =
      binary ? 0 : Wrap(suffix.exponent - static_cast<int64_t>(parts.denom.size()));
  if (scale < kNano) return std::nullopt;

  int64_t number = 0;
  for (const char c : parts.whole) number = number * 10 + (c - '0');
  for (const char c : parts.denom) number = number * 10 + (c - '0');
  ParsedQuantity parsed{.format = suffix.format};
  if (binary) {
    parsed.verbatim = number % 8 != 0;
    number <<= suffix.exponent;
  } else {
    // Go looks at the digits. A zero of fewer than three digits is found by the test of the first
    // digit.
    const bool thousands = length >= 3 && number % 1000 == 0;
    parsed.verbatim = scale % 3 == 0 && !thousands && parts.whole[0] != '0';
  }
  parsed.value = Decimal(parts.negative ? -number : number, scale);
  return parsed;
}

// Go's path for all other numbers, which uses inf.Dec.
ParsedQuantity ParseLong(const Parts& parts, const Suffix& suffix) {
  if (!parts.has_digits) return {.error = QuantityError::kNumeric};
  std::string digits(parts.whole);
  digits.append(parts.denom.data(), parts.denom.size());
  const bool binary = suffix.format == QuantityFormat::kBinarySI;
  // Go's exponent wraps around here too, but only with 2^31 digits.
  int64_t exponent = -static_cast<int64_t>(parts.denom.size());
  if (binary) {
    digits = MultiplyDigits(digits, uint64_t{1} << suffix.exponent);
  } else {
    exponent += suffix.exponent;
  }
  ParsedQuantity parsed{.format = suffix.format};
  parsed.value = Decimal::FromDigits(parts.negative, digits, exponent).RoundedUp(kNano);
  if (!binary) return parsed;
  const Decimal max(parts.negative ? -kMaxBinary : kMaxBinary, 0);
  if (parts.negative ? parsed.value < max : parsed.value > max) parsed.value = max;
  // As in Go, a fraction below 1 is written with a decimal suffix, which avoids rounding.
  if (parsed.value.Sign() != 0 && IsBetween(parsed.value, 1)) {
    parsed.format = QuantityFormat::kDecimalSI;
  }
  return parsed;
}

// ---- Writing.

void AppendDecimal(const Decimal::Normal& value, QuantityFormat format, std::string& text) {
  text += value.digits;
  int32_t exponent = Wrap(value.exponent);
  const int zeros = (exponent % 3 + 3) % 3;
  text.append(zeros, '0');
  exponent = Wrap(int64_t{exponent} - zeros);
  if (format != QuantityFormat::kDecimalExponent) {
    const absl::string_view suffix = SuffixName(exponent, QuantityFormat::kDecimalSI);
    text.append(suffix.data(), suffix.size());
  } else if (exponent != 0) {
    text += 'e';
    text += std::to_string(exponent);
  }
}

// `value` must be a whole number.
void AppendBinary(const Decimal::Normal& value, std::string& text) {
  std::string digits = value.digits;
  digits.append(static_cast<size_t>(value.exponent), '0');
  int32_t exponent = 0;
  for (;;) {
    auto [quotient, remainder] = DivideDigits(digits, 1024);
    if (remainder != 0) break;
    digits = std::move(quotient);
    exponent += 10;
  }
  text += digits;
  const absl::string_view suffix = SuffixName(exponent, QuantityFormat::kBinarySI);
  text.append(suffix.data(), suffix.size());
}

}  // namespace

absl::string_view QuantityErrorText(QuantityError error) {
  switch (error) {
    case QuantityError::kNone:
      return "";
    case QuantityError::kFormat:
      return "quantities must match the regular expression "
             "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    case QuantityError::kNumeric:
      return "unable to parse numeric part of quantity";
    case QuantityError::kSuffix:
      return "unable to parse quantity's suffix";
  }
  return "";
}

ParsedQuantity ParseQuantityText(absl::string_view text) {
  if (text.empty()) return {.error = QuantityError::kFormat};
  if (text == "0") return {.verbatim = true};
  const Parts parts = Split(text);
  if (!parts.ok) return {.error = QuantityError::kFormat};
  const std::optional<Suffix> suffix = FindSuffix(parts.suffix);
  if (!suffix) return {.error = QuantityError::kSuffix};
  if (std::optional<ParsedQuantity> parsed = ParseShort(parts, *suffix)) return *std::move(parsed);
  return ParseLong(parts, *suffix);
}

bool IsPlainQuantity(absl::string_view text) {
  size_t size = 0;
  while (size < text.size() && IsDigit(text[size])) ++size;
  if (size == 0 || size > 15) return false;
  if (text[0] == '0') return text.size() == 1;
  const size_t suffix_size = text.size() - size;
  if (suffix_size > 2) return false;
  if (suffix_size < 2) {
    if (size > 3 && text.substr(size - 3, 3) == "000") return false;
    return suffix_size == 0 || IsOneOf(text[size], "mkMGTPEun");
  }
  uint64_t number = 0;
  for (const char c : text.substr(0, size)) number = number * 10 + (c - '0');
  if (text[size + 1] != 'i' || number % 1024 == 0) return false;
  // These limits are those of ParseShort.
  switch (text[size]) {
    case 'K':
      return size <= 11;
    case 'M':
      return size <= 8;
    case 'G':
      return size <= 5;
    case 'T':
      return size <= 2;
    default:
      return false;
  }
}

std::string CanonicalQuantityText(absl::string_view text, const ParsedQuantity& parsed) {
  return parsed.verbatim ? std::string(text) : CanonicalQuantityText(parsed.value, parsed.format);
}

std::string CanonicalQuantityText(const Decimal& value, QuantityFormat format) {
  if (value.Sign() == 0) return "0";
  const Decimal::Normal normal = value.ToNormal();
  std::string text = normal.negative ? "-" : "";
  if (format != QuantityFormat::kBinarySI) {
    AppendDecimal(normal, format, text);
  } else if (normal.exponent < 0 || normal.Magnitude() > Decimal::kMaxSpread ||
             IsBetween(value, 1024)) {
    AppendDecimal(normal, QuantityFormat::kDecimalSI, text);
  } else {
    AppendBinary(normal, text);
  }
  return text;
}

absl::string_view TrimGoSpace(absl::string_view text) {
  // The characters of Go's unicode.IsSpace in UTF-8. None of them ends with the bytes of another.
  static constexpr absl::string_view kSpaces[] = {
      "\t",     "\n",     "\v",     "\f",     "\r",     " ",      "\u0085", "\u00a0", "\u1680",
      "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
      "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000",
  };
  const auto cut = [&text](auto matches, auto remove) {
    return std::any_of(std::begin(kSpaces), std::end(kSpaces), [&](absl::string_view space) {
      if (text.size() < space.size() || !matches(space)) return false;
      remove(space.size());
      return true;
    });
  };
  while (cut([&](absl::string_view s) { return text.substr(0, s.size()) == s; },
             [&](size_t n) { text.remove_prefix(n); })) {
  }
  while (cut([&](absl::string_view s) { return text.substr(text.size() - s.size()) == s; },
             [&](size_t n) { text.remove_suffix(n); })) {
  }
  return text;
}

}  // namespace kube::text
