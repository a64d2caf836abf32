#ifndef APIMACHINERY_BASE_TEXT_DECIMAL_H_
#define APIMACHINERY_BASE_TEXT_DECIMAL_H_

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace kube::text {

// An exact decimal number of any size: what quantities count with. Up to 64 bits (times a power of
// ten) nothing is allocated; beyond, it is its digits. Equal numbers are equal, whatever they were
// made of. Thread-compatible.
//
// Time and memory are linear in the digits that are given, whatever the exponents are: of a sum,
// what is kMaxSpread digits below its greater part is dropped.
class Decimal {
 public:
  static constexpr int64_t kMaxSpread = 10'000;

  Decimal() = default;

  // mantissa * 10^exponent. Exponents are far from the limits of 64 bits.
  Decimal(int64_t mantissa, int64_t exponent) : mantissa_(mantissa), exponent_(exponent) {}

  // +-digits * 10^exponent. Zeros at either end are welcome; "" is 0.
  static Decimal FromDigits(bool negative, absl::string_view digits, int64_t exponent);

  // -1, 0, 1
  int Sign() const { return (mantissa_ > 0) - (mantissa_ < 0); }

  Decimal operator-() const;
  Decimal& operator+=(const Decimal& other);
  Decimal& operator*=(int64_t factor);

  // The nearest multiple of 10^exponent that is not closer to zero.
  Decimal RoundedUp(int64_t exponent) const;

  // The number over 10^exponent, rounded up, away from zero, and no farther than 64 bits reach.
  int64_t ToInt64(int64_t exponent) const;

  // The nearest there is, infinities among them.
  double ToDouble() const;

  // The form that is the same for equal numbers: sign * digits * 10^exponent.
  struct Normal {
    bool negative = false;
    std::string digits;    // Neither begins nor ends with 0. Empty: zero.
    int64_t exponent = 0;  // With no digits: 0.

    // Where the first digit stands: 1 for the units.
    int64_t Magnitude() const { return static_cast<int64_t>(digits.size()) + exponent; }
  };
  Normal ToNormal() const;

  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }
  friend std::weak_ordering operator<=>(const Decimal& a, const Decimal& b);
  template <typename H>
  friend H AbslHashValue(H h, const Decimal& value) {
    Normal normal = value.ToNormal();
    return H::combine(std::move(h), normal.negative, normal.digits, normal.exponent);
  }

 private:
  bool is_small() const { return digits_.empty(); }

  // Small: the number is mantissa_ * 10^exponent_. Otherwise it is digits_ * 10^exponent_, with the
  // sign of mantissa_, which is 1 or -1; digits_ then are those of Normal, more than fit mantissa_.
  int64_t mantissa_ = 0;
  int64_t exponent_ = 0;
  std::string digits_;
};

// digits * factor, and the digits of the whole quotient and the remainder of digits / divisor.
// Digits may have zeros before them.
std::string MultiplyDigits(absl::string_view digits, uint64_t factor);
std::pair<std::string, uint32_t> DivideDigits(absl::string_view digits, uint32_t divisor);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_DECIMAL_H_
