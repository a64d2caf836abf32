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

// Arithmetic with the quantities of API objects: CPUs, memory, storage.
// (client-go: `pkg/api/resource`)
namespace kube::resource {

// The notation of an amount; its value does not depend on it. (client-go: `resource.Format`)
//
//   Format::kDecimalSI         500m, 2, 12M
//   Format::kBinarySI          512Mi
//   Format::kDecimalExponent   12e6
using Format = kube::text::QuantityFormat;

// Exponents of ten for ScaledValue, Scaled and RoundUp. (client-go: `resource.Scale`)
inline constexpr int kNano = -9;
inline constexpr int kMicro = -6;
inline constexpr int kMilli = -3;
inline constexpr int kKilo = 3;
inline constexpr int kMega = 6;
inline constexpr int kGiga = 9;
inline constexpr int kTera = 12;
inline constexpr int kPeta = 15;
inline constexpr int kExa = 18;

// An exact number to calculate with, and the notation to write it in. kube::Quantity is the text in
// API objects; an Amount is made from it for arithmetic, and converts back:
//
//   const Amount free = node.status.allocatable["memory"] - used;  // Quantity - Amount
//   const bool fits = free >= "1Gi" && free >= request * replicas;
//   pod.spec.containers[0].resources.limits["cpu"] = Amount::Milli(250) + overhead;
//   const Amount cpus = Sum(pod.spec.containers, [](const corev1::Container& container) {
//     return container.resources.requests.find("cpu");
//   });
//
// Go's `resource.Quantity` is both at once. Numbers are exact and of any size; nothing overflows,
// and only RoundUp and the functions that return integers round. No memory is allocated for numbers
// of up to 64 bits times a power of ten. Parsing a text has limits, as in Go: fractions are rounded
// up to 10^-9, and a number with a binary suffix is capped at 2^63-1.
//
// A text that is not a quantity counts as zero, as with kube::Quantity; use ParseAmount for user
// input. Thread-compatible.
class Amount {
 public:
  // Makes 0 in kDecimalSI.
  Amount() = default;

  // (client-go: `resource.NewQuantity` with `DecimalSI`)
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char> && sizeof(T) <= sizeof(int64_t) &&
           (std::is_signed_v<T> || sizeof(T) < sizeof(int64_t)))
      Amount(T value)  // NOLINT(google-explicit-constructor)
      : value_(static_cast<int64_t>(value), 0) {}
  // (client-go: `resource.NewQuantity`)
  Amount(int64_t value, Format format) : value_(value, 0), format_(format) {}

  // Makes the number that the text denotes, in the text's notation; zero if it is not a quantity.
  Amount(const Quantity& quantity)  // NOLINT(google-explicit-constructor)
      : Amount(FromText(quantity.source())) {}
  template <kube::internal::StringSource T>
  Amount(const T& text)  // NOLINT(google-explicit-constructor)
      : Amount(FromText(kube::internal::ViewOf(text))) {}

  // Makes value / 1000. (client-go: `resource.NewMilliQuantity`, `Quantity.SetMilli`)
  static Amount Milli(int64_t value, Format format = Format::kDecimalSI) {
    return Scaled(value, kMilli, format);
  }
  // Makes value * 10^scale. (client-go: `resource.NewScaledQuantity`, `Quantity.SetScaled`)
  static Amount Scaled(int64_t value, int scale, Format format = Format::kDecimalSI) {
    return Amount(kube::text::Decimal(value, scale), format);
  }

  Format format() const { return format_; }
  void set_format(Format format) { format_ = format; }

  // A sum takes the notation of its first operand, or that of the second if the first is zero; so a
  // sum may start with Amount(). (client-go: `Quantity.Add`, `Sub`, `Mul`, `Neg`)
  Amount& operator+=(const Amount& other);
  Amount& operator-=(const Amount& other);
  Amount& operator*=(int64_t factor);
  Amount operator-() const { return Amount(-value_, format_); }
  friend Amount operator+(Amount a, const Amount& b) { return std::move(a += b); }
  friend Amount operator-(Amount a, const Amount& b) { return std::move(a -= b); }
  friend Amount operator*(Amount a, int64_t factor) { return std::move(a *= factor); }
  friend Amount operator*(int64_t factor, Amount a) { return std::move(a *= factor); }

  // Rounds away from zero to a multiple of 10^scale. Returns whether nothing was lost.
  // (client-go: `Quantity.RoundUp`)
  bool RoundUp(int scale);

  // Compare the numbers, whatever their notation: "1Ki" equals "1024". (client-go: `Quantity.Cmp`,
  // `CmpInt64`, `Equal`)
  friend bool operator==(const Amount& a, const Amount& b) { return a.value_ == b.value_; }
  friend std::weak_ordering operator<=>(const Amount& a, const Amount& b) {
    return a.value_ <=> b.value_;
  }
  // These overloads resolve an ambiguity between the implicit conversions in both directions.
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
  int Sign() const { return value_.Sign(); }  // -1, 0 or 1

  // Return the number, the number times 1000, and the number divided by 10^scale, rounded away from
  // zero and clamped to the range of int64_t. (client-go: `Quantity.Value`, `MilliValue`,
  // `ScaledValue`)
  int64_t Value() const { return ScaledValue(0); }
  int64_t MilliValue() const { return ScaledValue(kMilli); }
  int64_t ScaledValue(int scale) const { return value_.ToInt64(scale); }

  // Returns the number if it is an integer of at most 64 bits, otherwise nullopt.
  // (client-go: `Quantity.AsInt64`)
  std::optional<int64_t> AsInt64() const;

  // Returns the nearest double, which may be infinite. (client-go: `Quantity.AsFloat64Slow`,
  // `AsApproximateFloat64`)
  double ToDouble() const { return value_.ToDouble(); }

  // Returns the canonical text: the number is written with the largest suffix that leaves an
  // integer. In kBinarySI, a number that is below 1024 or not an integer is written as in
  // kDecimalSI. As in Go, the suffix is lost beyond E and Ei: 1000E gives "1".
  // (client-go: `Quantity.String`, `Quantity.CanonicalizeBytes`)
  std::string ToString() const;
  friend std::ostream& operator<<(std::ostream& out, const Amount& amount);

  // Returns ToString() as the type of API objects.
  Quantity ToQuantity() const { return Quantity(ToString()); }
  operator Quantity() const { return ToQuantity(); }  // NOLINT(google-explicit-constructor)

 private:
  static Amount FromText(absl::string_view text);
  Amount(kube::text::Decimal value, Format format) : value_(std::move(value)), format_(format) {}

  kube::text::Decimal value_;
  Format format_ = Format::kDecimalSI;
};

// Parses "500m", "1Gi" or "12e6". White space and the empty text are not allowed. Returns
// INVALID_ARGUMENT, in Go's words, for a text that is not a quantity.
// (client-go: `resource.ParseQuantity`)
absl::StatusOr<Amount> ParseAmount(absl::string_view text);

// Returns the sum of `amount_of(element)` for each element. `amount_of` returns an amount, a
// quantity, an integer, or a pointer to one of them; null counts as zero. The sum of an empty range
// is zero.
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

// These make Quantity + Quantity, Quantity - Quantity and Quantity * integer find the operators of
// Amount.
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
