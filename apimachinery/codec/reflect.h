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

// Reading and changing API objects by the names that their members have in JSON, for code that
// learns those at run time: printer columns, field selectors, rules of a policy.
//
//   const ValueView image = *FindPath(pod, "spec.containers[0].image");
//   if (image.text() == "nginx") ...
//   if (absl::Status s = SetPath(deployment, "spec.replicas", "3"); !s.ok()) ...
//
// A path is a member's name, with "." before each further one; "[3]" is an element of a list,
// "[key]" the value of a map, and the key is all up to the bracket: "metadata.labels[app.io/name]".
// Members of an inline struct stand beside the others, as in JSON. Of names that have such
// characters themselves ("a.b"), the longest that fits is taken. The empty path is the object.

// What a value is made of.
enum class ValueForm : uint8_t {
  kAbsent,  // a pointer that is null
  kLeaf,    // text, a number, a time ...
  kObject,
  kList,  // may be null, and is then empty
  kMap,   // likewise
};

// A value within an object: two pointers, which are good while the object lives and does not
// change. Copy it as you like. Thread-safe where nobody changes the object.
class ValueView {
 public:
  // The value of a type at `value`, or what holds it. For the engine.
  ValueView(const void* member, kube::table::Type type, kube::table::Shape shape)
      : member_(static_cast<const char*>(member)), type_(type), shape_(shape) {}

  ValueForm form() const;

  // Objects: members, in the order of JSON. Lists and maps: elements; maps by key. Others: 0.
  size_t size() const;
  // The type's name, as "Container"; of lists and maps that of their elements; "" for leaves.
  absl::string_view type_name() const;

  // Of an object. A name that is none of its members': nothing.
  absl::string_view member_name(size_t i) const;
  ValueView member(size_t i) const;
  std::optional<ValueView> Member(absl::string_view name) const;

  // Of a list or map, where i < size().
  ValueView element(size_t i) const;
  // Of a map. Nothing: no such key.
  absl::string_view key(size_t i) const;
  std::optional<ValueView> Find(absl::string_view key) const;

  // Of leaves, and only of those that are such: a text (String, a Quantity as it was set, the text
  // of an IntOrString; embedded JSON; Bytes), an integer (int32, int64, an IntOrString's), a bool,
  // a double.
  std::optional<absl::string_view> text() const;
  std::optional<int64_t> integer() const;
  std::optional<bool> boolean() const;
  std::optional<double> number() const;

  // Its JSON; "null" where it is absent. Errors as EncodeJson's.
  absl::StatusOr<std::string> Json() const;

  // The object itself, if it is a T: metadata of any kind as metav1::ObjectMeta. Otherwise, and
  // where it is absent, null.
  template <ApiStruct T>
  const T* As() const {
    const bool is_one = form() == ValueForm::kObject && type_.message == &T::kMessage;
    return is_one ? reinterpret_cast<const T*>(value()) : nullptr;
  }

  // Of what an object, or an element of a list or map, consists; null for leaves. For the engine.
  const kube::table::Message* message() const { return type_.message; }

  // Semantic, as == of the objects. Views of different types are not equal.
  friend bool operator==(const ValueView& a, const ValueView& b);

 private:
  // Where the T is; null where it is absent.
  const char* value() const;

  const char* member_;
  kube::table::Type type_;
  kube::table::Shape shape_;
};

// The same for what is known by its table alone.
absl::StatusOr<ValueView> FindPath(ValueView root, absl::string_view path);
absl::Status SetPath(void* root, const kube::table::Message& message, absl::string_view path,
                     std::optional<absl::string_view> text);

// The whole object.
template <ApiStruct T>
ValueView View(const T& object) {
  return ValueView(&object, kube::table::TypeOf<T>(), kube::table::Shape::kValue);
}

// What `path` leads to, which may be absent. NOT_FOUND: it leads through something that is absent,
// to an element beyond the end, or to a key that is not there. INVALID_ARGUMENT: no object of this
// type has such a path.
template <ApiStruct T>
absl::StatusOr<ValueView> FindPath(const T& object, absl::string_view path) {
  return FindPath(View(object), path);
}

// Sets the leaf at `path` to what `text` says, and makes on the way what is absent: boxes, entries
// of maps, one element at the end of a list. Text is text; numbers, bools, times, durations,
// quantities and embedded JSON are as in JSON but without quotes: "3", "true",
// "2026-01-02T15:04:05Z", "90s"; of an IntOrString digits are the int. Bytes are the text's own,
// not base64.
//
// INVALID_ARGUMENT: no object of this type has such a path, or no leaf there, or `text` is not its
// like. OUT_OF_RANGE: an element beyond the one after the last. The object is then as it was, but
// for what was made on the way.
template <ApiStruct T>
absl::Status SetPath(T& object, absl::string_view path, absl::string_view text) {
  return SetPath(&object, T::kMessage, path, text);
}

// Makes what is at `path` what it is in a new object: absent, null, zero. What is not there stays
// so. Elements of lists and entries of maps cannot be removed this way. INVALID_ARGUMENT as above.
template <ApiStruct T>
absl::Status ClearPath(T& object, absl::string_view path) {
  return SetPath(&object, T::kMessage, path, std::nullopt);
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_REFLECT_H_
