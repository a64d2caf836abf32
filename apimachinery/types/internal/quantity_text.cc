#include "apimachinery/types/internal/quantity_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <system_error>

namespace kube::internal {
namespace {

constexpr int kNano = -9;
constexpr absl::string_view kMaxBinary = "9223372036854775807";
// Go's fast path: a product of this many digits fits 64 bits.
constexpr int kMaxInt64Factors = 18;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOneOf(char c, absl::string_view set) { return set.find(c) != absl::string_view::npos; }

// Go keeps exponents in an int32 and lets them wrap around.
constexpr int32_t Wrap(int64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

// ---- A text in its parts.

struct Parts {
  bool ok = false;
  bool negative = false;
  bool has_digits = false;  // in the number as it is written
  absl::string_view whole;  // without leading zeros, but at least "0"
  absl::string_view denom;  // after the point
  absl::string_view suffix;
};

// The characters from `pos` for which `is` holds. Moves `pos` behind them.
template <typename Is>
absl::string_view Cut(absl::string_view text, size_t& pos, Is is) {
  const size_t begin = pos;
  while (pos < text.size() && is(text[pos])) ++pos;
  return text.substr(begin, pos - begin);
}

// There need be no digits at all: a sign, a point or a suffix alone pass for zero.
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
  // from_chars knows no plus sign.
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

// ---- Arithmetic on digits.

QuantityValue Normalize(bool negative, std::string digits, int64_t exponent) {
  const size_t end = digits.find_last_not_of('0') + 1;  // npos + 1 is 0.
  if (end == 0) return {};
  exponent += static_cast<int64_t>(digits.size() - end);
  digits.erase(end);
  digits.erase(0, digits.find_first_not_of('0'));
  return {negative ? -1 : 1, std::move(digits), exponent};
}

// digits * 2^shift, where shift is at most 60.
std::string ShiftLeft(absl::string_view digits, int shift) {
  constexpr size_t kLimbDigits = 9;
  constexpr uint64_t kLimb = 1'000'000'000;
  std::string out;  // backwards
  out.reserve(digits.size() + 2 * kLimbDigits + 2);
  unsigned __int128 carry = 0;
  while (!digits.empty() || carry != 0) {
    const size_t begin = digits.size() - std::min(digits.size(), kLimbDigits);
    uint64_t limb = 0;
    for (const char c : digits.substr(begin)) limb = limb * 10 + (c - '0');
    digits = digits.substr(0, begin);
    carry += static_cast<unsigned __int128>(limb) << shift;
    uint64_t low = static_cast<uint64_t>(carry % kLimb);
    carry /= kLimb;
    for (size_t i = 0; i < kLimbDigits; ++i, low /= 10) {
      out.push_back(static_cast<char>('0' + low % 10));
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// Away from zero, to `exponent`.
QuantityValue RoundUp(const QuantityValue& value, int64_t exponent) {
  if (value.sign == 0 || value.exponent >= exponent) return value;
  const uint64_t drop = static_cast<uint64_t>(exponent) - static_cast<uint64_t>(value.exponent);
  const bool negative = value.sign < 0;
  if (drop >= value.digits.size()) return Normalize(negative, "1", exponent);
  std::string digits = value.digits.substr(0, value.digits.size() - drop);
  // The digits dropped end with one that is not 0.
  size_t i = digits.size();
  while (i > 0 && digits[i - 1] == '9') digits[--i] = '0';
  if (i > 0) {
    ++digits[i - 1];
  } else {
    digits.insert(digits.begin(), '1');
  }
  return Normalize(negative, std::move(digits), exponent);
}

// Where the first digit stands: 1 for the units.
int64_t Magnitude(const QuantityValue& value) {
  return static_cast<int64_t>(value.digits.size()) + value.exponent;
}

std::strong_ordering CompareMagnitudes(const QuantityValue& a, const QuantityValue& b) {
  if (const auto order = Magnitude(a) <=> Magnitude(b); order != 0) return order;
  return a.digits.compare(b.digits) <=> 0;
}

// ---- Parsing.

// Go's path for short numbers: a 64-bit integer and an exponent. Nothing: it does not take it.
std::optional<ParsedQuantity> ParseShort(const Parts& parts, const Suffix& suffix) {
  const int64_t length = static_cast<int64_t>(parts.whole.size() + parts.denom.size());
  const bool binary = suffix.format == QuantityFormat::kBinarySI;
  const int64_t room = binary ? 14 - length - suffix.exponent * 3 / 10 : kMaxInt64Factors - length;
  if (room < 0 || (binary && !parts.denom.empty())) return std::nullopt;
  const int32_t scale =
      binary ? 0 : Wrap(suffix.exponent - static_cast<int64_t>(parts.denom.size()));
  if (scale < kNano) return std::nullopt;

  std::string digits(parts.whole);
  digits.append(parts.denom.data(), parts.denom.size());
  ParsedQuantity parsed{.format = suffix.format};
  if (binary) {
    uint64_t number = 0;
    for (const char c : digits) number = number * 10 + (c - '0');
    parsed.verbatim = number % 8 != 0;
    digits = std::to_string(number << suffix.exponent);
  } else {
    const bool thousands = digits.size() >= 3 && digits.compare(digits.size() - 3, 3, "000") == 0;
    parsed.verbatim = scale % 3 == 0 && !thousands && digits[0] != '0';
  }
  parsed.value = Normalize(parts.negative, std::move(digits), scale);
  return parsed;
}

// Go's path over inf.Dec.
ParsedQuantity ParseLong(const Parts& parts, const Suffix& suffix) {
  if (!parts.has_digits) return {.error = QuantityError::kNumeric};
  std::string digits(parts.whole);
  digits.append(parts.denom.data(), parts.denom.size());
  const bool binary = suffix.format == QuantityFormat::kBinarySI;
  // Go's exponent wraps around here too, but it would have to write out 2^31 digits to show it.
  int64_t exponent = -static_cast<int64_t>(parts.denom.size());
  if (binary) {
    digits = ShiftLeft(digits, suffix.exponent);
  } else {
    exponent += suffix.exponent;
  }
  ParsedQuantity parsed{.format = suffix.format};
  parsed.value = RoundUp(Normalize(parts.negative, std::move(digits), exponent), kNano);
  if (!binary) return parsed;
  const QuantityValue max{1, std::string(kMaxBinary), 0};
  if (CompareMagnitudes(parsed.value, max) > 0) {
    parsed.value.digits = max.digits;
    parsed.value.exponent = max.exponent;
  }
  // Below 1, for Go too: this spares one rounding.
  if (parsed.value.sign != 0 && Magnitude(parsed.value) <= 0) {
    parsed.format = QuantityFormat::kDecimalSI;
  }
  return parsed;
}

// ---- Writing.

std::string DecimalText(const QuantityValue& value, QuantityFormat format) {
  std::string text = value.sign < 0 ? "-" : "";
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
  return text;
}

// `value` is whole and below 2^63: what a binary suffix is for.
std::string BinaryText(const QuantityValue& value) {
  uint64_t number = 0;
  for (const char c : value.digits) number = number * 10 + (c - '0');
  for (int64_t i = 0; i < value.exponent; ++i) number *= 10;
  int32_t exponent = 0;
  for (; number % 1024 == 0; number /= 1024) exponent += 10;
  std::string text = value.sign < 0 ? "-" : "";
  text += std::to_string(number);
  const absl::string_view suffix = SuffixName(exponent, QuantityFormat::kBinarySI);
  text.append(suffix.data(), suffix.size());
  return text;
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

std::strong_ordering operator<=>(const QuantityValue& a, const QuantityValue& b) {
  if (a.sign != b.sign || a.sign == 0) return a.sign <=> b.sign;
  return a.sign > 0 ? CompareMagnitudes(a, b) : CompareMagnitudes(b, a);
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
  // The sizes are those of Go's path for short numbers.
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
  const QuantityValue& value = parsed.value;
  if (parsed.verbatim) return std::string(text);
  if (value.sign == 0) return "0";
  if (parsed.format != QuantityFormat::kBinarySI) return DecimalText(value, parsed.format);
  const QuantityValue kibi{1, "1024", 0};
  const bool decimal = value.exponent < 0 || CompareMagnitudes(value, kibi) < 0;
  return decimal ? DecimalText(value, QuantityFormat::kDecimalSI) : BinaryText(value);
}

int64_t RoundedUp(const QuantityValue& value, int scale) {
  const QuantityValue rounded = RoundUp(value, scale);
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  const uint64_t limit = rounded.sign < 0 ? kMax + 1 : kMax;
  uint64_t number = 0;
  if (Magnitude(rounded) - scale > 19) {
    number = limit;  // more digits than 64 bits have
  } else {
    for (const char c : rounded.digits) number = number * 10 + (c - '0');
    for (int64_t i = scale; i < rounded.exponent; ++i) number *= 10;
    number = std::min(number, limit);
  }
  return static_cast<int64_t>(rounded.sign < 0 ? -number : number);
}

absl::string_view TrimGoSpace(absl::string_view text) {
  // unicode.IsSpace, as UTF-8. None ends with another one's bytes.
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

}  // namespace kube::internal
