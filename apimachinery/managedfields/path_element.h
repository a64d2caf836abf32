#ifndef APIMACHINERY_MANAGEDFIELDS_PATH_ELEMENT_H_
#define APIMACHINERY_MANAGEDFIELDS_PATH_ELEMENT_H_

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// One step of a path from an object to one of its fields or list items. There are four types:
//
//   field  .replicas                           a field of a struct, or a key of a map
//   key    [containerPort=80,protocol="TCP"]   an item of a list of type map, by its key fields
//   value  [="example.com/protect"]            an item of a list of type set, by its value
//   index  [3]                                 an item of a list by its position
//
// (structured-merge-diff: `fieldpath.PathElement`). Thread-compatible.
class PathElement {
 public:
  // In the order in which elements of different types are sorted and written.
  enum class Type : uint8_t { kField, kKey, kValue, kIndex };

  // The field with the empty name.
  PathElement() = default;
  static PathElement Field(absl::string_view name);
  static PathElement Key(Map<unstructured::Value> fields);
  static PathElement Item(unstructured::Value value);
  static PathElement Index(int64_t index);

  Type type() const { return type_; }
  // The name of a field; empty for other types.
  absl::string_view field_name() const { return name_; }
  // The key fields of a list item, sorted by name; null for other types.
  const Map<unstructured::Value>* key() const {
    return type_ == Type::kKey ? value_.object() : nullptr;
  }
  // The value of an item of a set; a null Value for other types.
  const unstructured::Value& item() const;
  // The position of an index; 0 for other types.
  int64_t index() const;

  // Returns the element as FieldsV1 writes it: `f:replicas`, `k:{"name":"web"}`, `v:"a"`, `i:3`
  // (structured-merge-diff: `fieldpath.SerializePathElement`).
  std::string Serialize() const;
  // Reads what Serialize writes. As upstream, all numbers become doubles, so that integers beyond
  // 2^53 are rounded, and text after the JSON of an element is ignored. Of a key field that occurs
  // twice the last value counts; upstream keeps both. Returns INVALID_ARGUMENT if `text` is not an
  // element, with upstream's message unless the error is in the JSON; NOT_FOUND if its prefix is
  // unknown, in which case readers skip the element
  // (structured-merge-diff: `fieldpath.DeserializePathElement`).
  static absl::StatusOr<PathElement> Parse(absl::string_view text);

  // Returns the element as messages show it, such as `[name="web"]`
  // (structured-merge-diff: `PathElement.String`).
  std::string ToString() const;

  // Orders elements as FieldsV1 writes them: by type, then by name, key fields, value or index.
  // Integers and doubles are compared by value: 80 and 80.0 are one key.
  friend std::strong_ordering operator<=>(const PathElement& a, const PathElement& b);
  friend bool operator==(const PathElement& a, const PathElement& b) { return (a <=> b) == 0; }
  friend std::ostream& operator<<(std::ostream& out, const PathElement& element);

 private:
  PathElement(Type type, String name, unstructured::Value value)
      : type_(type), name_(std::move(name)), value_(std::move(value)) {}

  Type type_ = Type::kField;
  String name_;
  unstructured::Value value_;  // the key, the item, or the index
};

// A path from the root of an object (structured-merge-diff: `fieldpath.Path`).
using Path = std::vector<PathElement>;

// Returns the path as messages show it: `.spec.containers[name="web"].image`. Names stand verbatim,
// also those with dots.
std::string PathText(absl::Span<const PathElement> path);

// Compares two JSON values in the order of upstream: numbers, strings, booleans, lists, maps, null
// (the order among types is upstream's). An integer is compared with a double as a double, so that
// the order is not transitive beyond 2^53, where several integers equal one double: it must not be
// relied on for memory safety. Stored sets, whose numbers are doubles, find their items that way
// (structured-merge-diff: `value.Compare`).
std::strong_ordering CompareValues(const unstructured::Value& a, const unstructured::Value& b);

// Returns whether two values are equal as the merge sees it: numbers by value, maps regardless of
// the order of keys (structured-merge-diff: `value.Equals`).
bool EqualValues(const unstructured::Value& a, const unstructured::Value& b);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_PATH_ELEMENT_H_
