#ifndef APIMACHINERY_RESOURCE_AMOUNT_H_
#define APIMACHINERY_RESOURCE_AMOUNT_H_

#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/decimal.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"

// Arithmetic with the quantities of API objects: CPUs, memory, storage. (pkg/api/resource)
namespace kube::resource {

// How an amount is written; its value does not depend on it. (resource.Format)
//
//   Format::kDecimalSI         500m, 2, 12M
//   Format::kBinarySI          512Mi
//   Format::kDecimalExponent   12e6
using Format = kube::text::QuantityFormat;

// Powers of ten with a name, for ScaledValue, Scaled and RoundUp. (resource.Scale)
inline constexpr int kNano = -9;
inline constexpr int kMicro = -6;
inline constexpr int kMilli = -3;
inline constexpr int kKilo = 3;
inline constexpr int kMega = 6;
inline constexpr int kGiga = 9;
inline constexpr int kTera = 12;
inline constexpr int kPeta = 15;
inline constexpr int kExa = 18;

// A number to calculate with, and the format that it is written in. kube::Quantity is what stands
// in API objects, a text; an Amount is what is made of it, and goes back into it:
//
//   const Amount free = node.status.allocatable["memory"] - used;  // Quantity - Amount
//   if (free < "1Gi" || free < request * replicas) ...
//   pod.spec.containers[0].resources.limits["cpu"] = Amount::Milli(250) + overhead;
//   Amount cpus = Sum(pod.spec.containers, [](const Container& container) {
//     return container.resources.requests.find("cpu");
//   });
//
// Go's Quantity is both at once. Numbers are exact, of any size; nothing overflows and nothing is
// rounded, but by RoundUp and by the functions that return integers. Up to 64 bits (times a power
// of ten) no memory is allocated. Bounds are those of parsing: a billionth is the least fraction
// that a text can have, and 2^63-1 the most with a suffix of 1024.
//
// A text that is no quantity counts as zero, as with Quantity: ParseAmount is for what comes from
// users. Thread-compatible.
class Amount {
 public:
  // 0, as kDecimalSI.
  Amount() = default;

  // NewQuantity(value, DecimalSI).
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char> && sizeof(T) <= sizeof(int64_t) &&
           (std::is_signed_v<T> || sizeof(T) < sizeof(int64_t)))
      Amount(T value)  // NOLINT(google-explicit-constructor)
      : value_(static_cast<int64_t>(value), 0) {}
  // NewQuantity(value, format).
  Amount(int64_t value, Format format) : value_(value, 0), format_(format) {}

  // The number that the text is, with the text's format; of a text that is no quantity, zero.
  Amount(const Quantity& quantity)  // NOLINT(google-explicit-constructor)
      : Amount(FromText(quantity.source())) {}
  template <kube::internal::StringSource T>
  Amount(const T& text)  // NOLINT(google-explicit-constructor)
      : Amount(FromText(kube::internal::ViewOf(text))) {}

  // value / 1000. (NewMilliQuantity, SetMilli)
  static Amount Milli(int64_t value, Format format = Format::kDecimalSI) {
    return Scaled(value, kMilli, format);
  }
  // value * 10^scale. (NewScaledQuantity, SetScaled)
  static Amount Scaled(int64_t value, int scale, Format format = Format::kDecimalSI) {
    return Amount(kube::text::Decimal(value, scale), format);
  }

  Format format() const { return format_; }
  void set_format(Format format) { format_ = format; }

  // A sum takes the format of its first operand, but of the second one if the first is zero, so
  // that Amount() is a good start for sums. (Add, Sub, Mul, Neg)
  Amount& operator+=(const Amount& other);
  Amount& operator-=(const Amount& other);
  Amount& operator*=(int64_t factor);
  Amount operator-() const { return Amount(-value_, format_); }
  friend Amount operator+(Amount a, const Amount& b) { return std::move(a += b); }
  friend Amount operator-(Amount a, const Amount& b) { return std::move(a -= b); }
  friend Amount operator*(Amount a, int64_t factor) { return std::move(a *= factor); }
  friend Amount operator*(int64_t factor, Amount a) { return std::move(a *= factor); }

  // Rounds away from zero to a multiple of 10^scale. Whether it was one already. (RoundUp)
  bool RoundUp(int scale);

  // By number, whatever the formats: "1Ki" equals "1024". (Cmp, CmpInt64, Equal)
  friend bool operator==(const Amount& a, const Amount& b) { return a.value_ == b.value_; }
  friend std::weak_ordering operator<=>(const Amount& a, const Amount& b) {
    return a.value_ <=> b.value_;
  }
  // Without these C++ would not know which of the two to convert.
  template <std::same_as<Quantity> T>
  friend bool operator==(const Amount& a, const T& b) {
    return a == Amount(b);
  }
  template <std::same_as<Quantity> T>
  friend std::weak_ordering operator<=>(const Amount& a, const T& b) {
    return a <=> Amount(b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const Amount& amount) {
    return H::combine(std::move(h), amount.value_);
  }

  bool IsZero() const { return Sign() == 0; }
  int Sign() const { return value_.Sign(); }  // -1, 0, 1

  // The number, a thousand times the number, or the number over 10^scale; rounded up, away from
  // zero. What is beyond 64 bits becomes the nearest there is. (Value, MilliValue, ScaledValue)
  int64_t Value() const { return ScaledValue(0); }
  int64_t MilliValue() const { return ScaledValue(kMilli); }
  int64_t ScaledValue(int scale) const { return value_.ToInt64(scale); }

  // The number, if it is whole and has 64 bits at most. (AsInt64)
  std::optional<int64_t> AsInt64() const;

  // The nearest double, infinities among them. (AsFloat64Slow, AsApproximateFloat64)
  double ToDouble() const { return value_.ToDouble(); }

  // Canonical: the largest suffix that leaves a whole number; "0". With kBinarySI, what is below
  // 1024 or not whole is written as with kDecimalSI. Beyond E and Ei the suffix is lost, as in Go:
  // 1000E is "1". (String, CanonicalizeBytes)
  std::string ToString() const;
  friend std::ostream& operator<<(std::ostream& out, const Amount& amount);

  // ToString, for API objects.
  Quantity ToQuantity() const { return Quantity(ToString()); }
  operator Quantity() const { return ToQuantity(); }  // NOLINT(google-explicit-constructor)

 private:
  static Amount FromText(absl::string_view text);
  Amount(kube::text::Decimal value, Format format) : value_(std::move(value)), format_(format) {}

  kube::text::Decimal value_;
  Format format_ = Format::kDecimalSI;
};

// "500m", "1Gi", "12e6"; no white space, and not "". INVALID_ARGUMENT for others, with Go's words.
// (resource.ParseQuantity)
absl::StatusOr<Amount> ParseAmount(absl::string_view text);

// The sum of what `amount_of` makes of each element: amounts, quantities, integers, or pointers to
// them, where null is zero. Of nothing it is zero.
template <typename Range, typename AmountOf = std::identity>
Amount Sum(const Range& range, AmountOf amount_of = {}) {
  Amount sum;
  for (const auto& element : range) {
    const auto& amount = amount_of(element);
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(amount)>>) {
      if (amount != nullptr) sum += *amount;
    } else {
      sum += amount;
    }
  }
  return sum;
}

}  // namespace kube::resource

namespace kube {

// Quantities are found to add and subtract without being named as Amounts.
template <std::same_as<Quantity> T>
resource::Amount operator+(const T& a, const T& b) {
  return resource::Amount(a) + resource::Amount(b);
}
template <std::same_as<Quantity> T>
resource::Amount operator-(const T& a, const T& b) {
  return resource::Amount(a) - resource::Amount(b);
}
template <std::same_as<Quantity> T>
resource::Amount operator*(const T& a, int64_t factor) {
  return resource::Amount(a) * factor;
}

}  // namespace kube

#endif  // APIMACHINERY_RESOURCE_AMOUNT_H_
