#ifndef APIMACHINERY_CODEC_REFLECT_H_
#define APIMACHINERY_CODEC_REFLECT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// Reads and changes API objects by the JSON names of their members, for code that learns the names
// at run time: printer columns, field selectors, rules of a policy.
//
//   EXPECT_THAT(codec::SetPath(deployment, "spec.replicas", "3"), IsOk());
//   ...
//   const absl::StatusOr<codec::ValueView> replicas = codec::FindPath(deployment, "spec.replicas");
//   EXPECT_EQ(replicas->integer(), 3);
//
// A path consists of member names separated by "."; "[3]" selects an element of a list and "[key]"
// the value at a key of a map. The key is everything up to the bracket:
// "metadata.labels[app.io/name]". Members of an inline struct appear beside the members of the
// struct around it, as in JSON. If a member's name contains "." or "[" itself, the longest name
// that matches is taken. The empty path is the object itself.

// The form of a value.
enum class ValueForm : uint8_t {
  kAbsent,  // a null pointer
  kLeaf,    // a string, a number, a time and so on
  kObject,
  kList,  // a null list is an empty kList
  kMap,   // a null map is an empty kMap
};

// A read-only view of a value within an object: two pointers and a type, cheap to copy. It is valid
// while the object lives and does not change. Thread-safe as long as no other thread changes the
// object.
class ValueView {
 public:
  // Views the value of `type` that the member at `member` holds in the given shape. For the engine;
  // programs use View and FindPath.
  ValueView(const void* member, kube::table::Type type, kube::table::Shape shape)
      : member_(static_cast<const char*>(member)), type_(type), shape_(shape) {}

  ValueForm form() const;

  // Returns the number of members of an object, or of elements of a list or map; 0 for other forms.
  // Members are in the order of JSON, map entries are sorted by key.
  size_t size() const;
  // Returns the name of the object's type, such as "Container". For a list or map it is the type of
  // the elements. Empty for leaves.
  absl::string_view type_name() const;

  // Access the members of an object. member_name and member require that form() is kObject and that
  // i < size(). Member returns nullopt if the value is not an object or has no such member.
  absl::string_view member_name(size_t i) const;
  ValueView member(size_t i) const;
  std::optional<ValueView> Member(absl::string_view name) const;

  // Returns an element of a list, or a value of a map. Requires that i < size().
  ValueView element(size_t i) const;
  // Access the entries of a map. key requires that i < size(). Find returns nullopt if the value is
  // not a map or does not have the key.
  absl::string_view key(size_t i) const;
  std::optional<ValueView> Find(absl::string_view key) const;

  // Return the value of a leaf; each returns nullopt if the leaf is of another type. text() is for
  // String, Bytes, embedded JSON, a Quantity (as it was set) and an IntOrString that holds a
  // string; integer() for int32, int64 and an IntOrString that holds an int.
  std::optional<absl::string_view> text() const;
  std::optional<int64_t> integer() const;
  std::optional<bool> boolean() const;
  std::optional<double> number() const;

  // Returns the value as JSON, and "null" if it is absent. Returns the errors of EncodeJson.
  absl::StatusOr<std::string> Json() const;

  // Returns the object if it is a T, such as metav1::ObjectMeta for the metadata of any kind.
  // Returns null if it is of another type or absent.
  template <ApiStruct T>
  const T* As() const {
    const bool is_one = form() == ValueForm::kObject && type_.message == &T::kMessage;
    return is_one ? reinterpret_cast<const T*>(value()) : nullptr;
  }

  // Returns the field table of the object, or of the elements of a list or map; null for leaves.
  // For the engine.
  const kube::table::Message* message() const { return type_.message; }

  // Compares as == of the values does: semantically. Views of different types are not equal.
  friend bool operator==(const ValueView& a, const ValueView& b);

 private:
  // Returns the address of the value, or null if it is absent.
  const char* value() const;

  const char* member_;
  kube::table::Type type_;
  kube::table::Shape shape_;
};

// Do what the templates below do, for objects whose type is known only by its table. SetPath
// without `text` is ClearPath.
absl::StatusOr<ValueView> FindPath(ValueView root, absl::string_view path);
absl::Status SetPath(void* root, const kube::table::Message& message, absl::string_view path,
                     std::optional<absl::string_view> text);

// Returns a view of the whole object.
template <ApiStruct T>
ValueView View(const T& object) {
  return ValueView(&object, kube::table::TypeOf<T>(), kube::table::Shape::kValue);
}

// Returns the value at `path`, which may be absent. Returns NOT_FOUND if the path leads through an
// absent value, to an element beyond the end of a list, or to a key that the map does not have.
// Returns INVALID_ARGUMENT if objects of this type have no such path.
template <ApiStruct T>
absl::StatusOr<ValueView> FindPath(const T& object, absl::string_view path) {
  return FindPath(View(object), path);
}

// Sets the leaf at `path` from `text`. Absent boxes and map entries on the way are created, and a
// list may be extended by one element. Numbers, bools, times, durations, quantities and embedded
// JSON are written as in JSON but without quotes: "3", "true", "2026-01-02T15:04:05Z", "90s". For
// an IntOrString, digits mean the int. Bytes are set to `text` itself, which is not base64.
//
// Returns INVALID_ARGUMENT if objects of this type have no such path, if it does not lead to a
// leaf, or if `text` is not a value of the leaf's type. Returns OUT_OF_RANGE if an index is greater
// than the size of the list. After an error the object is unchanged, except that values created on
// the way stay.
template <ApiStruct T>
absl::Status SetPath(T& object, absl::string_view path, absl::string_view text) {
  return SetPath(&object, T::kMessage, path, text);
}

// Resets the value at `path` to that of a new object: absent, null or zero. Does nothing if the
// path leads through absent values. List elements and map entries become zero; they are not
// removed. Returns INVALID_ARGUMENT if objects of this type have no such path.
template <ApiStruct T>
absl::Status ClearPath(T& object, absl::string_view path) {
  return SetPath(&object, T::kMessage, path, std::nullopt);
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_REFLECT_H_
