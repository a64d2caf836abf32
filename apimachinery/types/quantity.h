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

// An amount in an API object: CPUs, memory, storage. apimachinery: `resource.Quantity`.
//
//   container.resources.limits = {{"cpu", "500m"}, {"memory", "1Gi"}};
//   const bool is_small = node.status.capacity["memory"] < "16Gi";
//   const int64_t millis = container.resources.limits["cpu"].MilliValue();  // 500
//
// It stores the text from which it was made, and computes the number when needed: "1Gi", "1024Mi"
// and "1073741824" are equal. A text is a decimal number and a suffix: n u m k M G T P E (powers of
// 1000), Ki Mi Gi Ti Pi Ei (powers of 1024), or e3 (a power of ten). Digits below 10^-9 are rounded
// up, away from zero; with a suffix of 1024 the limit is 2^63-1.
//
// The zero value is the text "", the number 0. An invalid text is kept until the object is encoded,
// which then fails; ParseQuantity (types/parse.h) detects it earlier. There is no arithmetic.
// Thread-compatible.
class Quantity {
 public:
  constexpr Quantity() = default;

  // Accepts any text, also one that is not a quantity.
  template <internal::StringSource T>
  Quantity(const T& text) : text_(text) {}  // NOLINT(google-explicit-constructor)

  // Returns the text from which the Quantity was made. Valid until it is assigned to or destroyed.
  absl::string_view source() const KUBE_LIFETIME_BOUND { return text_.view(); }

  // Returns whether the text is a quantity or empty.
  bool IsValid() const;

  // Returns the text that Go writes, with the largest suffix that leaves a whole number: "1Gi" for
  // "1024Mi", "500m" for "0.5", "0" for "". Returns a text that is not a quantity unchanged.
  // apimachinery: `Quantity.String`.
  std::string ToString() const;

  // The following methods treat a text that is not a quantity as zero.
  bool IsZero() const { return Sign() == 0; }
  int Sign() const;  // -1, 0 or 1

  // Return the number, or a thousand times the number, rounded up, away from zero. Numbers beyond
  // 64 bits become the nearest 64-bit number, where Go overflows. apimachinery: `Quantity.Value`,
  // `Quantity.MilliValue`.
  int64_t Value() const;
  int64_t MilliValue() const;

  // Compare by number. Texts that are not quantities are less than all quantities, and ordered as
  // texts. apimachinery: `Quantity.Cmp`.
  friend bool operator==(const Quantity& a, const Quantity& b) {
    return a.text_ == b.text_ || Compare(a, b) == 0;
  }
  friend std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return Compare(a, b);
  }
  // Equal numbers have equal hashes. Each hash parses the text: avoid quantities as keys of a hot
  // table.
  template <typename H>
  friend H AbslHashValue(H h, const Quantity& quantity) {
    return H::combine(std::move(h), quantity.Hash());
  }
  // Writes ToString().
  friend std::ostream& operator<<(std::ostream& out, const Quantity& quantity);

 private:
  static std::weak_ordering Compare(const Quantity& a, const Quantity& b);
  size_t Hash() const;

  String text_;
};
static_assert(sizeof(Quantity) == 16);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_QUANTITY_H_
