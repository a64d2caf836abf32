#ifndef APIMACHINERY_BASE_TEXT_DECIMAL_H_
#define APIMACHINERY_BASE_TEXT_DECIMAL_H_

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace kube::text {

// An exact decimal number of any size, for quantities. Up to a mantissa of 64 bits it allocates
// nothing; larger numbers are stored as digits. Equality, order and hash depend on the value alone.
// Thread-compatible.
//
// Time and memory are linear in the number of digits, whatever the exponents are. For this reason a
// sum ignores the smaller number if it begins more than kMaxSpread digits below the larger one.
class Decimal {
 public:
  static constexpr int64_t kMaxSpread = 10'000;

  Decimal() = default;

  // The number mantissa * 10^exponent. The exponent must be far from the limits of int64_t.
  Decimal(int64_t mantissa, int64_t exponent) : mantissa_(mantissa), exponent_(exponent) {}

  // Returns digits * 10^exponent, negated if `negative`. Zeros at either end are allowed; "" is 0.
  static Decimal FromDigits(bool negative, absl::string_view digits, int64_t exponent);

  // Returns -1, 0 or 1.
  int Sign() const { return (mantissa_ > 0) - (mantissa_ < 0); }

  Decimal operator-() const;
  Decimal& operator+=(const Decimal& other);
  Decimal& operator*=(int64_t factor);

  // Returns the nearest multiple of 10^exponent that is not closer to zero.
  Decimal RoundedUp(int64_t exponent) const;

  // Returns the number divided by 10^exponent, rounded away from zero and limited to the range of
  // int64_t.
  int64_t ToInt64(int64_t exponent) const;

  // Returns the nearest double, which may be an infinity.
  double ToDouble() const;

  // The normal form: sign * digits * 10^exponent. Equal numbers have equal normal forms.
  struct Normal {
    bool negative = false;
    std::string digits;    // Neither begins nor ends with 0; empty for zero.
    int64_t exponent = 0;  // 0 if there are no digits.

    // Returns the position of the first digit: 1 for the units.
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

  // The number is mantissa_ * 10^exponent_ if digits_ is empty (small). Otherwise it is digits_ *
  // 10^exponent_ with the sign of mantissa_, which is 1 or -1; digits_ are then those of Normal,
  // and more than fit into mantissa_.
  int64_t mantissa_ = 0;
  int64_t exponent_ = 0;
  std::string digits_;
};

// Return the digits of digits * factor, and the digits of the quotient of digits / divisor with the
// remainder. `digits` may begin with zeros.
std::string MultiplyDigits(absl::string_view digits, uint64_t factor);
std::pair<std::string, uint32_t> DivideDigits(absl::string_view digits, uint32_t divisor);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_DECIMAL_H_
