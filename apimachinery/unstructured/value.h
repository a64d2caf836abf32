#ifndef APIMACHINERY_UNSTRUCTURED_VALUE_H_
#define APIMACHINERY_UNSTRUCTURED_VALUE_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"

namespace kube::unstructured {

enum class ValueType : uint8_t { kNull, kBool, kInt, kDouble, kString, kList, kObject };

// Any JSON value, in sixteen bytes, for objects whose type is not known at compile time. It
// corresponds to the interface{} that apimachinery's decoder fills: null, a bool, an int64, a
// double, a string, a list (List<Value>) or an object (Map<Value>, sorted by key).
//
//   Value spec = Map<Value>{{"replicas", 3}, {"args", List<Value>{"run", 1.5, true}}};
//   std::optional<int64_t> replicas = spec["replicas"].integer();
//   bool host_network = spec["template"]["spec"]["hostNetwork"].boolean() == true;  // false
//   for (const auto& [key, value] : *spec.object()) out << key << ": " << value << "\n";
//
// operator[] only reads, and never fails: members of a value that is absent or not an object are
// null. To write a member, set it in the Map of an object, or use SetNestedField (nested.h), which
// creates the objects on the way and returns an error if one of these values is not an object.
// Objects from elsewhere may have any shape.
//
// A copy is deep and owns its memory. A moved-from Value is null. References to elements and
// members are invalidated as those of List and Map are when others are added or removed. Values in
// an object from a cache refer to memory that the object shares with others.
//
// Numbers are what Go's decoder makes of them: 1 is an int and 1.0 a double, and the two are not
// equal; an integer beyond 64 bits is a double. There is no unsigned 64-bit type.
//
// `List<Value>{List<Value>{1}}` is a list within a list for some compilers and a copy for others:
// write List<Value>{Value(List<Value>{1})}. Thread-compatible.
class Value {
 public:
  // Null.
  constexpr Value() = default;
  constexpr Value(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)

  template <std::same_as<bool> T>
  Value(T value) {  // NOLINT(google-explicit-constructor)
    bytes_[0] = value ? 1 : 0;
    SetTag(kube::table::ValueTag::kBool);
  }
  // From an integer of any type whose values all fit into int64_t.
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char> &&
           (std::is_signed_v<T> || sizeof(T) < sizeof(int64_t)))
      Value(T value) {  // NOLINT(google-explicit-constructor)
    Set(static_cast<int64_t>(value), kube::table::ValueTag::kInt);
  }
  template <std::floating_point T>
  Value(T value) {  // NOLINT(google-explicit-constructor)
    Set(static_cast<double>(value), kube::table::ValueTag::kDouble);
  }
  // From a string, UTF-8 by convention.
  template <kube::internal::StringSource T>
  Value(const T& text)  // NOLINT(google-explicit-constructor)
      : Value(kube::internal::ViewOf(text).data(), kube::internal::ViewOf(text).size()) {}
  Value(const char* data, size_t size);
  // A null list or map becomes an empty one.
  Value(List<Value> list);   // NOLINT(google-explicit-constructor)
  Value(Map<Value> object);  // NOLINT(google-explicit-constructor)

  Value(const Value& other) {
    std::memcpy(bytes_, other.bytes_, sizeof(bytes_));
    if (IsOutside()) kube::table::CopyValue(bytes_, other.bytes_, kube::table::TypeOf<Value>());
  }
  Value(Value&& other) noexcept {
    std::memcpy(bytes_, other.bytes_, sizeof(bytes_));
    std::memset(other.bytes_, 0, sizeof(bytes_));
  }
  Value& operator=(const Value& other) {
    if (this != &other) *this = Value(other);
    return *this;
  }
  // `other` may be part of this value.
  Value& operator=(Value&& other) noexcept {
    const Value taken(std::move(other));
    std::swap(bytes_, const_cast<Value&>(taken).bytes_);
    return *this;
  }
  ~Value() {
    if (IsOutside()) kube::table::DestroyValue(bytes_, kube::table::TypeOf<Value>());
  }

  ValueType type() const;
  bool is_null() const { return tag() == kube::table::ValueTag::kNull; }
  bool is_bool() const { return tag() == kube::table::ValueTag::kBool; }
  bool is_int() const { return tag() == kube::table::ValueTag::kInt; }
  bool is_double() const { return tag() == kube::table::ValueTag::kDouble; }
  bool is_number() const { return is_int() || is_double(); }
  bool is_string() const { return tag() == kube::table::ValueTag::kString; }
  bool is_list() const { return tag() == kube::table::ValueTag::kList; }
  bool is_object() const { return tag() == kube::table::ValueTag::kObject; }

  // Return the value if it is of this type, without conversion, except that number() also accepts
  // ints.
  std::optional<bool> boolean() const;
  std::optional<int64_t> integer() const;
  std::optional<double> number() const;
  std::optional<absl::string_view> text() const KUBE_LIFETIME_BOUND;
  // Return null if the value is of another type.
  const List<Value>* list() const KUBE_LIFETIME_BOUND { return const_cast<Value*>(this)->list(); }
  List<Value>* list() KUBE_LIFETIME_BOUND {
    return is_list() ? reinterpret_cast<List<Value>*>(bytes_) : nullptr;
  }
  const Map<Value>* object() const KUBE_LIFETIME_BOUND {
    return const_cast<Value*>(this)->object();
  }
  Map<Value>* object() KUBE_LIFETIME_BOUND {
    return is_object() ? reinterpret_cast<Map<Value>*>(bytes_) : nullptr;
  }

  // Returns the member with this name, or null if this is not an object or has no such member.
  const Value* Find(absl::string_view key) const KUBE_LIFETIME_BOUND {
    return const_cast<Value*>(this)->Find(key);
  }
  Value* Find(absl::string_view key) KUBE_LIFETIME_BOUND {
    Map<Value>* members = object();
    return members == nullptr ? nullptr : members->find(key);
  }

  // Returns the member with this name, or a null Value if this is not an object or has no such
  // member. It is only for reading: `value["spec"]["replicas"] = 3` does not compile; see
  // SetNestedField.
  template <kube::internal::StringSource K>
  const Value& operator[](const K& key) const KUBE_LIFETIME_BOUND {
    const Value* member = Find(kube::internal::ViewOf(key));
    return member == nullptr ? Null() : *member;
  }

  // Compares type and value: an int never equals a double (Go: `reflect.DeepEqual` of what Go
  // decodes).
  friend bool operator==(const Value& a, const Value& b) {
    return kube::table::EqualValues(a.bytes_, b.bytes_, kube::table::TypeOf<Value>());
  }
  template <typename H>
  friend H AbslHashValue(H h, const Value& value) {
    return H::combine(std::move(h),
                      kube::table::HashValue(value.bytes_, kube::table::TypeOf<Value>(), 0));
  }
  // Prints for people, as all API objects are printed: {name: "web", replicas: 3}. The strings of
  // credentials and the data of a Secret are shown by their size. Use EncodeJson for JSON.
  friend std::ostream& operator<<(std::ostream& out, const Value& value);

 private:
  template <typename T>
  void Set(T value, kube::table::ValueTag tag) {
    std::memcpy(bytes_, &value, sizeof(value));
    SetTag(tag);
  }
  void SetTag(kube::table::ValueTag tag) { kube::table::SetValueTag(bytes_, tag); }
  kube::table::ValueTag tag() const { return kube::table::ValueTagOf(bytes_); }
  // Returns whether the value may point to memory.
  bool IsOutside() const {
    return static_cast<uint8_t>(bytes_[15]) >= static_cast<uint8_t>(kube::table::ValueTag::kList);
  }
  // Returns a null value with static lifetime.
  static const Value& Null();

  // Numbers and pointers are copied into and out of it; the type of its content changes.
  alignas(8) char bytes_[16] = {};
};
static_assert(sizeof(Value) == 16);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_VALUE_H_
