#ifndef APIMACHINERY_TYPES_INT_OR_STRING_H_
#define APIMACHINERY_TYPES_INT_OR_STRING_H_

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/string.h"

namespace kube {

namespace internal {
struct IntOrStringAccess;
}  // namespace internal

// A number or a text of an API object: a port's number or name, an amount of pods or a percentage.
// Go: intstr.IntOrString.
//
//   service.spec.ports = {{.port = 80, .target_port = 8080}};
//   deployment.spec.strategy.rolling_update = {.max_surge = "25%"};
//   if (target_port.is_string()) Lookup(target_port.text()); else Use(target_port.IntValue());
//
// The zero value is the number 0. On the wire Go keeps a number beside a text and the other way
// round; so does this class, and == looks at both, as Go does. Thread-compatible.
class IntOrString {
 public:
  enum class Type : int32_t { kInt = 0, kString = 1 };

  constexpr IntOrString() = default;

  // Numbers that are 32 bits at most; others need a cast. (intstr.FromInt32)
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char> &&
           std::in_range<int32_t>(std::numeric_limits<T>::max()))
      IntOrString(T value)  // NOLINT(google-explicit-constructor)
      : int_(static_cast<int32_t>(value)) {}

  // Texts, "8080" too. (intstr.FromString)
  template <internal::StringSource T>
  IntOrString(const T& text)  // NOLINT(google-explicit-constructor)
      : text_(text), type_(Type::kString) {}

  // The number that `text` is, otherwise the text: what command lines take. (intstr.Parse)
  static IntOrString Parse(absl::string_view text);

  Type type() const { return type_; }
  bool is_int() const { return type_ != Type::kString; }
  bool is_string() const { return type_ == Type::kString; }

  // The number; of a text, what it reads as, the nearest 64-bit number, or 0. (IntValue)
  int64_t IntValue() const;

  // The text; of a number, "".
  absl::string_view text() const KUBE_LIFETIME_BOUND {
    return is_string() ? text_.view() : absl::string_view();
  }

  // The text, or the number's digits. (String)
  std::string ToString() const;

  friend bool operator==(const IntOrString& a, const IntOrString& b) {
    return a.type_ == b.type_ && a.int_ == b.int_ && a.text_ == b.text_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const IntOrString& value) {
    return H::combine(std::move(h), value.text_, value.int_, static_cast<int32_t>(value.type_));
  }
  // As ToString.
  friend std::ostream& operator<<(std::ostream& out, const IntOrString& value);

 private:
  friend struct internal::IntOrStringAccess;

  String text_;
  int32_t int_ = 0;
  Type type_ = Type::kInt;
};
static_assert(sizeof(IntOrString) == 24);

namespace internal {

// For the codecs: the parts as they are on the wire. All values of the type can be met there;
// those that are neither are numbers here, and JSON has no form for them.
struct IntOrStringAccess {
  static IntOrString Make(IntOrString::Type type, int32_t number, String text) {
    IntOrString value;
    value.text_ = std::move(text);
    value.int_ = number;
    value.type_ = type;
    return value;
  }
  static int32_t Int(const IntOrString& value) { return value.int_; }
  static const String& Text(const IntOrString& value) { return value.text_; }
};

}  // namespace internal
}  // namespace kube

#endif  // APIMACHINERY_TYPES_INT_OR_STRING_H_
