#include "apimachinery/codec/json/json_leaf.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/json/json_scan.h"

namespace kube::codec::internal {
namespace {

bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

const char* SkipDigits(const char* p) {
  while (IsDigit(*p)) ++p;
  return p;
}

// Returns the value of four hexadecimal digits, or -1.
int32_t ParseHex4(absl::string_view text) {
  if (text.size() < 4) return -1;
  int32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    const char c = text[i];
    int32_t digit = 0;
    if (IsDigit(c)) {
      digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = c - 'A' + 10;
    } else {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

bool IsHighSurrogate(int32_t c) { return c >= 0xD800 && c < 0xDC00; }
bool IsLowSurrogate(int32_t c) { return c >= 0xDC00 && c < 0xE000; }

// Reads an escape; `raw` begins after "\u" and is moved past it. A high surrogate is combined with
// the low surrogate after it; a lone surrogate becomes U+FFFD. Returns false if `raw` does not
// begin with four hexadecimal digits.
bool AppendUnicodeEscape(absl::string_view& raw, std::string& out) {
  const int32_t c = ParseHex4(raw);
  if (c < 0) return false;
  raw.remove_prefix(4);
  if (IsHighSurrogate(c) && raw.size() >= 6 && raw[0] == '\\' && raw[1] == 'u') {
    const int32_t low = ParseHex4(raw.substr(2));
    if (IsLowSurrogate(low)) {
      raw.remove_prefix(6);
      text::AppendRune(out, static_cast<char32_t>(0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00)));
      return true;
    }
  }
  text::AppendRune(out,
                   IsHighSurrogate(c) || IsLowSurrogate(c) ? 0xFFFD : static_cast<char32_t>(c));
  return true;
}

// Returns whether a number outside the range of doubles is too small, rather than too large.
bool IsTiny(absl::string_view number) {
  const size_t e = std::min(number.find_first_of("eE"), number.size());
  const absl::string_view digits = number.substr(0, e);
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = digits.find_first_of("123456789");
  if (first == absl::string_view::npos) return true;
  const auto magnitude = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  int64_t exponent = 0;
  const bool negative = e + 1 < number.size() && number[e + 1] == '-';
  for (const char c : number.substr(e)) {
    // The bound is larger than any count of digits, so a larger exponent gives the same result.
    if (IsDigit(c)) exponent = std::min(exponent * 10 + (c - '0'), int64_t{1} << 40);
  }
  return magnitude + (negative ? -exponent : exponent) < 0;
}

}  // namespace

Scanned ScanNumber(const char* p) {
  if (*p == '-') ++p;
  if (*p == '0') {
    ++p;
  } else if (IsDigit(*p)) {
    p = SkipDigits(p);
  } else {
    return {nullptr, "expected a number"};
  }
  if (*p == '.') {
    if (!IsDigit(p[1])) return {nullptr, "expected digits after the decimal point"};
    p = SkipDigits(p + 1);
  }
  if (*p == 'e' || *p == 'E') {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    if (!IsDigit(*p)) return {nullptr, "expected digits in the exponent"};
    p = SkipDigits(p);
  }
  return {p, nullptr};
}

Scanned ScanBool(const char* p, bool& value) {
  if (std::memcmp(p, "true", 4) == 0) {
    value = true;
    return {p + 4, nullptr};
  }
  if (std::memcmp(p, "false", 5) == 0) {
    value = false;
    return {p + 5, nullptr};
  }
  return {nullptr, "expected true or false"};
}

Scanned ScanInt64(const char* p, int64_t& value) {
  const bool negative = *p == '-';
  if (negative) ++p;
  if (!IsDigit(*p)) return {nullptr, "expected an integer"};
  const char* digits = p;
  uint64_t sum = 0;
  for (; IsDigit(*p); ++p) sum = sum * 10 + static_cast<uint64_t>(*p - '0');
  if (*digits == '0' && p - digits > 1) return {nullptr, "leading zeros are not allowed"};
  if (*p == '.' || *p == 'e' || *p == 'E') return {nullptr, "expected an integer"};
  // Nineteen digits fit into 64 bits without overflow.
  const uint64_t limit = static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) + negative;
  if (p - digits > 19 || sum > limit) return {nullptr, "integer is out of range of 64 bits"};
  value = static_cast<int64_t>(negative ? 0 - sum : sum);
  return {p, nullptr};
}

Scanned ScanInt32(const char* p, int32_t& value) {
  int64_t wide = 0;
  const Scanned scanned = ScanInt64(p, wide);
  if (scanned.after == nullptr) return scanned;
  value = static_cast<int32_t>(wide);
  if (value != wide) return {nullptr, "integer is out of range of 32 bits"};
  return scanned;
}

Scanned ScanDouble(const char* p, double& value) {
  const Scanned scanned = ScanNumber(p);
  if (scanned.after == nullptr) return scanned;
  double parsed = 0;
  const std::from_chars_result result = std::from_chars(p, scanned.after, parsed);
  if (result.ec == std::errc::result_out_of_range) {
    // A number that is too small is zero with the same sign, as in Go. from_chars reports both
    // cases in the same way.
    if (!IsTiny({p, static_cast<size_t>(scanned.after - p)})) {
      return {nullptr, "number is out of range"};
    }
    parsed = *p == '-' ? -0.0 : 0.0;
  }
  value = parsed;
  return scanned;
}

Scanned ScanByteList(const char* p, std::string& bytes) {
  size_t count = 0;
  p = SkipSpace(p + 1);
  while (*p != ']' || count > 0) {
    if (count == bytes.size()) bytes += '\0';
    int32_t byte = static_cast<unsigned char>(bytes[count]);
    Scanned scanned{p + 4, nullptr};
    if (std::memcmp(p, "null", 4) != 0) scanned = ScanInt32(p, byte);
    if (scanned.after == nullptr) return scanned;
    if (byte < 0 || byte > 255) return {nullptr, "expected a byte"};
    bytes[count++] = static_cast<char>(byte);
    p = SkipSpace(scanned.after);
    if (*p == ']') break;
    if (*p != ',') return {nullptr, "expected ',' or ']' after an element"};
    p = SkipSpace(p + 1);
  }
  bytes.resize(count);
  return {p + 1, nullptr};
}

const char* AppendUnescaped(absl::string_view raw, std::string& out) {
  while (!raw.empty()) {
    const size_t plain = std::min(raw.find('\\'), raw.size());
    kube::text::AppendReplacingInvalidUtf8(raw.substr(0, plain), out);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    if (raw.size() < 2) return "unterminated escape in a string";
    const char c = raw[1];
    raw.remove_prefix(2);
    constexpr absl::string_view kEscapes = "\"\\/bfnrt";
    constexpr absl::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (c == 'u') {
      if (!AppendUnicodeEscape(raw, out)) return "expected four hexadecimal digits after \\u";
    } else if (const size_t i = kEscapes.find(c); i != absl::string_view::npos) {
      out += kMeanings[i];
    } else {
      return "unknown escape in a string";
    }
  }
  return nullptr;
}

}  // namespace kube::codec::internal
