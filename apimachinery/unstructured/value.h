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

// Any JSON value, in sixteen bytes: what an object is made of whose type is not known when the
// program is compiled. Go: interface{}, as apimachinery's decoder fills it: null, a bool, an int64,
// a double, a string, a list (List<Value>), an object (Map<Value>, sorted by key).
//
//   Value spec = Map<Value>{{"replicas", 3}, {"args", List<Value>{"run", 1.5, true}}};
//   if (std::optional<int64_t> replicas = spec["replicas"].integer()) ...
//   if (spec["template"]["spec"]["hostNetwork"].boolean() == true) ...      // false if absent
//   for (const auto& [key, value] : *spec.object()) ...
//
// [] only reads, and never fails: what is absent, or not an object, has null members. To write a
// member, set it in the Map of an object, or use SetNestedField (nested.h): it makes the objects on
// the way, and returns an error where something else is there. Objects of other people may have any
// shape.
//
// A copy is deep, and owns its memory. What was moved from is null. References to what a list or an
// object holds end when others are added or removed, as those of List and Map do. In an object
// from a cache a Value points into memory that it shares with others.
//
// Numbers are what Go's decoder makes of them: 1 is an int, 1.0 a double, and the two are not
// equal; an integer beyond 64 bits is a double. There is no unsigned 64-bit type.
//
// `List<Value>{List<Value>{1}}` is a list in a list with some compilers and a copy with others: say
// List<Value>{Value(List<Value>{1})}. Thread-compatible.
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
  // Of any integer whose values all fit.
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
  // Of any text; UTF-8 by convention.
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
  // `other` may be part of this one.
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

  // What it is, if it is of that type. Nothing is converted, but number() takes ints too.
  std::optional<bool> boolean() const;
  std::optional<int64_t> integer() const;
  std::optional<double> number() const;
  std::optional<absl::string_view> text() const KUBE_LIFETIME_BOUND;
  // Null: it is none.
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

  // The member of that name; null where this is no object or has none.
  const Value* Find(absl::string_view key) const KUBE_LIFETIME_BOUND {
    return const_cast<Value*>(this)->Find(key);
  }
  Value* Find(absl::string_view key) KUBE_LIFETIME_BOUND {
    Map<Value>* members = object();
    return members == nullptr ? nullptr : members->find(key);
  }

  // The member of that name; a null value where this is no object or has none. Only for reading:
  // `value["spec"]["replicas"] = 3` does not compile, see SetNestedField.
  template <kube::internal::StringSource K>
  const Value& operator[](const K& key) const KUBE_LIFETIME_BOUND {
    const Value* member = Find(kube::internal::ViewOf(key));
    return member == nullptr ? Null() : *member;
  }

  // Same type, and equal: an int never equals a double. (reflect.DeepEqual on what Go decodes)
  friend bool operator==(const Value& a, const Value& b) {
    return kube::table::EqualValues(a.bytes_, b.bytes_, kube::table::TypeOf<Value>());
  }
  template <typename H>
  friend H AbslHashValue(H h, const Value& value) {
    return H::combine(std::move(h),
                      kube::table::HashValue(value.bytes_, kube::table::TypeOf<Value>(), 0));
  }
  // For people, as all API objects print: {name: "web", replicas: 3}. The texts of credentials are
  // shown by their size, and so are the data of a Secret. For JSON see EncodeJson.
  friend std::ostream& operator<<(std::ostream& out, const Value& value);

 private:
  template <typename T>
  void Set(T value, kube::table::ValueTag tag) {
    std::memcpy(bytes_, &value, sizeof(value));
    SetTag(tag);
  }
  void SetTag(kube::table::ValueTag tag) { kube::table::SetValueTag(bytes_, tag); }
  kube::table::ValueTag tag() const { return kube::table::ValueTagOf(bytes_); }
  // Whether it may point to memory.
  bool IsOutside() const {
    return static_cast<uint8_t>(bytes_[15]) >= static_cast<uint8_t>(kube::table::ValueTag::kList);
  }
  // A null value that stays.
  static const Value& Null();

  // Numbers and pointers are copied out of and into it: its type is each of theirs in turn.
  alignas(8) char bytes_[16] = {};
};
static_assert(sizeof(Value) == 16);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_VALUE_H_
