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

// A number or a text in an API object: the number or name of a port, a number of pods or a
// percentage. apimachinery: `intstr.IntOrString`.
//
//   service.spec.ports = {{.port = 80, .target_port = 8080}};
//   deployment.spec.strategy.rolling_update = appsv1::RollingUpdateDeployment{.max_surge = "25%"};
//   const std::string port = service.spec.ports[0].target_port.ToString();  // "8080"
//
// The zero value is the number 0. In protobuf both a number and a text may be set, whatever the
// type is. Like Go, this class keeps both, and operator== compares both. Thread-compatible.
class IntOrString {
 public:
  enum class Type : int32_t { kInt = 0, kString = 1 };

  constexpr IntOrString() = default;

  // Accepts integer types of at most 32 bits; cast others. apimachinery: `intstr.FromInt32`.
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char> &&
           std::in_range<int32_t>(std::numeric_limits<T>::max()))
      IntOrString(T value)  // NOLINT(google-explicit-constructor)
      : int_(static_cast<int32_t>(value)) {}

  // The result is a text, even of "8080". apimachinery: `intstr.FromString`.
  template <internal::StringSource T>
  IntOrString(const T& text)  // NOLINT(google-explicit-constructor)
      : text_(text), type_(Type::kString) {}

  // Returns a number if `text` is a 32-bit integer, otherwise the text. For values from command
  // lines. apimachinery: `intstr.Parse`.
  static IntOrString Parse(absl::string_view text);

  Type type() const { return type_; }
  bool is_int() const { return type_ != Type::kString; }
  bool is_string() const { return type_ == Type::kString; }

  // Returns the number. A text is parsed as an integer: out of range it is the nearest 64-bit
  // number, and 0 if it is not an integer. apimachinery: `IntOrString.IntValue`.
  int64_t IntValue() const;

  // Returns the text; "" if this is a number.
  absl::string_view text() const KUBE_LIFETIME_BOUND {
    return is_string() ? text_.view() : absl::string_view();
  }

  // Returns the text, or the digits of the number. apimachinery: `IntOrString.String`.
  std::string ToString() const;

  friend bool operator==(const IntOrString& a, const IntOrString& b) {
    return a.type_ == b.type_ && a.int_ == b.int_ && a.text_ == b.text_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const IntOrString& value) {
    return H::combine(std::move(h), value.text_, value.int_, static_cast<int32_t>(value.type_));
  }
  // Writes ToString().
  friend std::ostream& operator<<(std::ostream& out, const IntOrString& value);

 private:
  friend struct internal::IntOrStringAccess;

  String text_;
  int32_t int_ = 0;
  Type type_ = Type::kInt;
};
static_assert(sizeof(IntOrString) == 24);

namespace internal {

// The parts as they are in protobuf, for the codecs. Any value of the type may occur there; one
// that is neither kInt nor kString counts as a number, and cannot be encoded as JSON.
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
