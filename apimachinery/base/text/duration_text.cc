#include "apimachinery/base/text/duration_text.h"

#include <cstddef>
#include <limits>

#include "absl/time/time.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::text {
namespace {

// The magnitude of the smallest int64_t. Sums are unsigned and are checked against it.
constexpr uint64_t kLimit = uint64_t{1} << 63;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Removes the digits at the start of `text` and returns their value, or nullopt if it exceeds
// kLimit.
std::optional<uint64_t> CutWhole(absl::string_view& text) {
  uint64_t value = 0;
  size_t size = 0;
  for (; size < text.size() && IsDigit(text[size]); ++size) {
    if (value > kLimit / 10) return std::nullopt;
    value = value * 10 + (text[size] - '0');
    if (value > kLimit) return std::nullopt;
  }
  text.remove_prefix(size);
  return value;
}

// The fraction digits / scale.
struct Fraction {
  uint64_t digits = 0;
  double scale = 1;
};

// Removes the digits after the point. Digits that would exceed 64 bits are ignored.
Fraction CutFraction(absl::string_view& text) {
  Fraction fraction;
  bool full = false;
  size_t size = 0;
  for (; size < text.size() && IsDigit(text[size]); ++size) {
    if (full) continue;
    if (fraction.digits > (kLimit - 1) / 10) {
      full = true;
      continue;
    }
    const uint64_t digits = fraction.digits * 10 + (text[size] - '0');
    if (digits > kLimit) {
      full = true;
      continue;
    }
    fraction.digits = digits;
    fraction.scale *= 10;
  }
  text.remove_prefix(size);
  return fraction;
}

// Removes the unit at the start of `text`, which extends to the next digit or point. Returns its
// nanoseconds, or zero if it is unknown.
uint64_t CutUnit(absl::string_view& text) {
  struct Unit {
    absl::string_view name;
    uint64_t nanoseconds;
  };
  static constexpr Unit kUnits[] = {
      {"ns", 1},          {"us", 1'000},        {"\u00b5s", 1'000},  // the micro sign
      {"\u03bcs", 1'000},                                            // the Greek letter
      {"ms", 1'000'000},  {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
  };
  size_t size = 0;
  while (size < text.size() && text[size] != '.' && !IsDigit(text[size])) ++size;
  const absl::string_view name = text.substr(0, size);
  text.remove_prefix(size);
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit.nanoseconds;
  }
  return 0;
}

// Removes a number with its unit, such as "1.5h", and returns its nanoseconds.
std::optional<uint64_t> CutTerm(absl::string_view& text) {
  const size_t size = text.size();
  const std::optional<uint64_t> whole = CutWhole(text);
  if (!whole) return std::nullopt;
  bool has_digits = text.size() != size;
  Fraction fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    const size_t fraction_size = text.size();
    fraction = CutFraction(text);
    has_digits |= text.size() != fraction_size;
  }
  if (!has_digits) return std::nullopt;
  const uint64_t unit = CutUnit(text);
  if (unit == 0 || *whole > kLimit / unit) return std::nullopt;
  uint64_t value = *whole * unit;
  if (fraction.digits > 0) {
    value += static_cast<uint64_t>(static_cast<double>(fraction.digits) *
                                   (static_cast<double>(unit) / fraction.scale));
    if (value > kLimit) return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<int64_t> ParseGoDuration(absl::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  uint64_t sum = 0;
  while (!text.empty()) {
    const std::optional<uint64_t> term = CutTerm(text);
    if (!term) return std::nullopt;
    // Two terms of kLimit each wrap around to zero and are accepted, as in Go.
    sum += *term;
    if (sum > kLimit) return std::nullopt;
  }
  if (!negative && sum == kLimit) return std::nullopt;
  return static_cast<int64_t>(negative ? -sum : sum);
}

std::string FormatGoDuration(int64_t nanoseconds) {
  return text::GoDuration(absl::Nanoseconds(nanoseconds));
}

}  // namespace kube::text
