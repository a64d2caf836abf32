#include "apimachinery/base/text/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>

namespace kube::text {
namespace {

// A Decimal is small (a 64-bit mantissa) or large (a string of digits). Each operation first tries
// 64-bit arithmetic with a check for overflow. If an operand is large or a result overflows, it
// converts the operands to their normal form, calculates on the digits, and lets FromDigits build
// the result.
//
// FromDigits strips zeros at both ends and makes the number small if it fits. So a number is large
// only if its normalised digits do not fit, and its digits are always normalised. A small mantissa
// may end in zeros: equal numbers can have different members, and comparisons go by value.

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
// 10^18 is the largest power of ten in an int64_t; an int64_t has at most 19 digits.
constexpr int64_t kMaxPower = 18;
constexpr int64_t kMaxDigits = 19;

constexpr int64_t kPowers[] = {1,
                               10,
                               100,
                               1000,
                               10000,
                               100000,
                               1000000,
                               10000000,
                               100000000,
                               1000000000,
                               10000000000,
                               100000000000,
                               1000000000000,
                               10000000000000,
                               100000000000000,
                               1000000000000000,
                               10000000000000000,
                               100000000000000000,
                               1000000000000000000};
static_assert(kPowers[kMaxPower] == 1'000'000'000'000'000'000);

uint64_t Magnitude(int64_t value) {
  return value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

// Returns value * 10^power, or nullopt if it does not fit into 64 bits.
std::optional<int64_t> Scale(int64_t value, uint64_t power) {
  int64_t result;
  if (power > kMaxPower || __builtin_mul_overflow(value, kPowers[power], &result)) {
    return std::nullopt;
  }
  return result;
}

uint64_t ParseDigits(absl::string_view digits) {
  uint64_t number = 0;
  for (const char c : digits) number = number * 10 + static_cast<uint64_t>(c - '0');
  return number;
}

// Adds one to `digits`, which may become longer.
void Increment(std::string& digits) {
  size_t i = digits.size();
  while (i > 0 && digits[i - 1] == '9') digits[--i] = '0';
  if (i > 0) {
    ++digits[i - 1];
  } else {
    digits.insert(digits.begin(), '1');
  }
}

// Both must have the same length.
std::string AddDigits(absl::string_view a, absl::string_view b) {
  std::string sum(a.size() + 1, '0');
  int carry = 0;
  for (size_t i = a.size(); i > 0; --i) {
    const int digit = (a[i - 1] - '0') + (b[i - 1] - '0') + carry;
    sum[i] = static_cast<char>('0' + digit % 10);
    carry = digit / 10;
  }
  sum[0] = static_cast<char>('0' + carry);
  return sum;
}

// Both must have the same length, and a >= b.
std::string SubtractDigits(absl::string_view a, absl::string_view b) {
  std::string difference(a.size(), '0');
  int borrow = 0;
  for (size_t i = a.size(); i > 0; --i) {
    const int digit = (a[i - 1] - '0') - (b[i - 1] - '0') - borrow;
    borrow = digit < 0;
    difference[i - 1] = static_cast<char>('0' + digit + 10 * borrow);
  }
  return difference;
}

Decimal AddNormals(Decimal::Normal a, Decimal::Normal b) {
  const int64_t exponent = std::min(a.exponent, b.exponent);
  a.digits.append(static_cast<size_t>(a.exponent - exponent), '0');
  b.digits.append(static_cast<size_t>(b.exponent - exponent), '0');
  const size_t size = std::max(a.digits.size(), b.digits.size());
  a.digits.insert(0, size - a.digits.size(), '0');
  b.digits.insert(0, size - b.digits.size(), '0');
  if (a.negative == b.negative) {
    return Decimal::FromDigits(a.negative, AddDigits(a.digits, b.digits), exponent);
  }
  if (a.digits < b.digits) std::swap(a, b);
  return Decimal::FromDigits(a.negative, SubtractDigits(a.digits, b.digits), exponent);
}

// Compares a * 10^shift with b; both are positive.
std::weak_ordering CompareShifted(uint64_t a, uint64_t shift, uint64_t b) {
  // 10^19 is more than 2^63, the largest magnitude; and 10^18 * 2^63 fits into 128 bits.
  if (shift > kMaxPower) return std::weak_ordering::greater;
  const unsigned __int128 product =
      static_cast<unsigned __int128>(a) * static_cast<uint64_t>(kPowers[shift]);
  return product <=> static_cast<unsigned __int128>(b);
}

std::weak_ordering CompareNormals(const Decimal::Normal& a, const Decimal::Normal& b) {
  if (const auto order = a.Magnitude() <=> b.Magnitude(); order != 0) return order;
  return a.digits.compare(b.digits) <=> 0;
}

std::weak_ordering Reverse(std::weak_ordering order) { return 0 <=> order; }

}  // namespace

std::string MultiplyDigits(absl::string_view digits, uint64_t factor) {
  constexpr size_t kLimbDigits = 9;
  constexpr uint64_t kLimb = 1'000'000'000;
  std::string out;  // backwards
  out.reserve(digits.size() + 2 * kLimbDigits + 2);
  unsigned __int128 carry = 0;
  while (!digits.empty() || carry != 0) {
    const size_t begin = digits.size() - std::min(digits.size(), kLimbDigits);
    const uint64_t limb = ParseDigits(digits.substr(begin));
    digits = digits.substr(0, begin);
    carry += static_cast<unsigned __int128>(limb) * factor;
    uint64_t low = static_cast<uint64_t>(carry % kLimb);
    carry /= kLimb;
    for (size_t i = 0; i < kLimbDigits; ++i, low /= 10) {
      out.push_back(static_cast<char>('0' + low % 10));
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::pair<std::string, uint32_t> DivideDigits(absl::string_view digits, uint32_t divisor) {
  std::string quotient;
  quotient.reserve(digits.size());
  uint64_t remainder = 0;
  for (const char c : digits) {
    remainder = remainder * 10 + static_cast<uint64_t>(c - '0');
    quotient.push_back(static_cast<char>('0' + remainder / divisor));
    remainder %= divisor;
  }
  quotient.erase(0, quotient.find_first_not_of('0'));
  return {std::move(quotient), static_cast<uint32_t>(remainder)};
}

Decimal Decimal::FromDigits(bool negative, absl::string_view digits, int64_t exponent) {
  const size_t end = digits.find_last_not_of('0') + 1;  // npos + 1 is 0.
  if (end == 0) return {};
  exponent += static_cast<int64_t>(digits.size() - end);
  digits = digits.substr(0, end);
  digits.remove_prefix(digits.find_first_not_of('0'));
  if (digits.size() <= kMaxDigits) {
    const uint64_t number = ParseDigits(digits);
    if (number <= static_cast<uint64_t>(kMax) + negative) {
      return Decimal(static_cast<int64_t>(negative ? -number : number), exponent);
    }
  }
  Decimal result(negative ? -1 : 1, exponent);
  result.digits_.assign(digits.data(), digits.size());
  return result;
}

Decimal::Normal Decimal::ToNormal() const {
  if (!is_small()) {
    return {.negative = mantissa_ < 0, .digits = digits_, .exponent = exponent_};
  }
  if (mantissa_ == 0) return {};
  uint64_t number = Magnitude(mantissa_);
  int64_t exponent = exponent_;
  for (; number % 10 == 0; number /= 10) ++exponent;
  char buffer[kMaxDigits + 1];
  char* const end = std::to_chars(buffer, buffer + sizeof(buffer), number).ptr;
  return {.negative = mantissa_ < 0, .digits = std::string(buffer, end), .exponent = exponent};
}

Decimal Decimal::operator-() const {
  if (is_small() && mantissa_ != -kMax - 1) return Decimal(-mantissa_, exponent_);
  // The smallest int64_t has no positive counterpart of 64 bits.
  const Normal normal = ToNormal();
  return FromDigits(!normal.negative, normal.digits, normal.exponent);
}

Decimal& Decimal::operator+=(const Decimal& other) {
  if (other.mantissa_ == 0) return *this;
  if (mantissa_ == 0) return *this = other;
  if (is_small() && other.is_small()) {
    const int64_t exponent = std::min(exponent_, other.exponent_);
    const auto a = Scale(mantissa_, static_cast<uint64_t>(exponent_ - exponent));
    const auto b = Scale(other.mantissa_, static_cast<uint64_t>(other.exponent_ - exponent));
    int64_t sum;
    if (a && b && !__builtin_add_overflow(*a, *b, &sum)) {
      mantissa_ = sum;
      exponent_ = exponent;
      return *this;
    }
  }
  Normal a = ToNormal();
  Normal b = other.ToNormal();
  if (a.Magnitude() > b.Magnitude() + kMaxSpread) return *this;
  if (b.Magnitude() > a.Magnitude() + kMaxSpread) return *this = other;
  return *this = AddNormals(std::move(a), std::move(b));
}

Decimal& Decimal::operator*=(int64_t factor) {
  int64_t product;
  if (is_small() && !__builtin_mul_overflow(mantissa_, factor, &product)) {
    mantissa_ = product;
    return *this;
  }
  const Normal normal = ToNormal();
  return *this = FromDigits(normal.negative != (factor < 0),
                            MultiplyDigits(normal.digits, Magnitude(factor)), normal.exponent);
}

Decimal Decimal::RoundedUp(int64_t exponent) const {
  if (mantissa_ == 0 || exponent_ >= exponent) return *this;
  const uint64_t drop = static_cast<uint64_t>(exponent - exponent_);
  if (is_small()) {
    if (drop > kMaxPower) return Decimal(Sign(), exponent);
    const int64_t quotient = mantissa_ / kPowers[drop];
    const bool exact = mantissa_ % kPowers[drop] == 0;
    return Decimal(exact ? quotient : quotient + Sign(), exponent);
  }
  if (drop >= digits_.size()) return Decimal(Sign(), exponent);
  std::string digits = digits_.substr(0, digits_.size() - drop);
  Increment(digits);  // The dropped digits end with one that is not 0.
  return FromDigits(mantissa_ < 0, digits, exponent);
}

int64_t Decimal::ToInt64(int64_t exponent) const {
  const Decimal rounded = RoundedUp(exponent);
  if (rounded.mantissa_ == 0) return 0;
  const int64_t limit = rounded.mantissa_ < 0 ? -kMax - 1 : kMax;
  if (!rounded.is_small()) return limit;
  return Scale(rounded.mantissa_, static_cast<uint64_t>(rounded.exponent_ - exponent))
      .value_or(limit);
}

double Decimal::ToDouble() const {
  if (is_small() && exponent_ == 0) return static_cast<double>(mantissa_);
  const Normal normal = ToNormal();
  const std::string text =
      (normal.negative ? "-" : "") + normal.digits + "e" + std::to_string(normal.exponent);
  return std::strtod(text.c_str(), nullptr);
}

std::weak_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a.Sign() != b.Sign() || a.Sign() == 0) return a.Sign() <=> b.Sign();
  std::weak_ordering order = std::weak_ordering::equivalent;
  if (!a.is_small() || !b.is_small()) {
    order = CompareNormals(a.ToNormal(), b.ToNormal());
  } else if (a.exponent_ >= b.exponent_) {
    order = CompareShifted(Magnitude(a.mantissa_), static_cast<uint64_t>(a.exponent_ - b.exponent_),
                           Magnitude(b.mantissa_));
  } else {
    order = Reverse(CompareShifted(Magnitude(b.mantissa_),
                                   static_cast<uint64_t>(b.exponent_ - a.exponent_),
                                   Magnitude(a.mantissa_)));
  }
  return a.Sign() > 0 ? order : Reverse(order);
}

}  // namespace kube::text
