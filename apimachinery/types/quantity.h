#ifndef APIMACHINERY_TYPES_QUANTITY_H_
#define APIMACHINERY_TYPES_QUANTITY_H_

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/string.h"

namespace kube {

// An amount in an API object: CPUs, memory, storage. Go: resource.Quantity.
//
//   container.resources.limits = {{"cpu", "500m"}, {"memory", "1Gi"}};
//   if (node.status.capacity["memory"] < "16Gi") ...
//   int64_t millis = container.resources.limits["cpu"].MilliValue();   // 500
//
// It is the text that it was made of, and a number on demand: "1Gi", "1024Mi" and "1073741824" are
// equal. Texts are a decimal number and a suffix: n u m k M G T P E (powers of 1000), Ki Mi Gi Ti
// Pi Ei (of 1024), or e3 (of ten). Below a billionth they are rounded up, away from zero; with a
// suffix of 1024 the limit is 2^63-1.
//
// The zero value is the text "", the number 0. A text that is no quantity stays what it is until
// the object is encoded, which then fails; ParseQuantity (types/parse.h) finds out sooner.
// Arithmetic is not part of this class. Thread-compatible.
class Quantity {
 public:
  constexpr Quantity() = default;

  // Takes any text.
  template <internal::StringSource T>
  Quantity(const T& text) : text_(text) {}  // NOLINT(google-explicit-constructor)

  // The text as it came. Valid while the Quantity lives and is not assigned to.
  absl::string_view source() const KUBE_LIFETIME_BOUND { return text_.view(); }

  // Whether the text is a quantity; so is "".
  bool IsValid() const;

  // As Go writes it: the largest suffix that leaves a whole number ("1024Mi" is "1Gi", "0.5" is
  // "500m"), and "0" for "". A text that is no quantity, as it came. (String)
  std::string ToString() const;

  // All that follows takes what is no quantity for zero.
  bool IsZero() const { return Sign() == 0; }
  int Sign() const;  // -1, 0, 1

  // The number, or a thousand times the number, rounded up, away from zero. What is beyond 64 bits
  // becomes the nearest there is; Go overflows. (Value, MilliValue)
  int64_t Value() const;
  int64_t MilliValue() const;

  // By number. Texts that are no quantities come before all others, ordered as texts. (Cmp)
  friend bool operator==(const Quantity& a, const Quantity& b) {
    return a.text_ == b.text_ || Compare(a, b) == 0;
  }
  friend std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return Compare(a, b);
  }
  // Equal numbers hash alike. For every hash a text is read: do not key a hot table by quantities.
  template <typename H>
  friend H AbslHashValue(H h, const Quantity& quantity) {
    return H::combine(std::move(h), quantity.Hash());
  }
  // As ToString.
  friend std::ostream& operator<<(std::ostream& out, const Quantity& quantity);

 private:
  static std::weak_ordering Compare(const Quantity& a, const Quantity& b);
  size_t Hash() const;

  String text_;
};
static_assert(sizeof(Quantity) == 16);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_QUANTITY_H_
