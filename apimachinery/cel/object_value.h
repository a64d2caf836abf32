#ifndef APIMACHINERY_CEL_OBJECT_VALUE_H_
#define APIMACHINERY_CEL_OBJECT_VALUE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/unstructured/value.h"

// Objects that expressions make, such as the `Object.spec{replicas: 3}` of a mutating admission
// policy, and values as JSON.
namespace kube::cel {

// An object that an expression has made. Its type is one that TypeProvider::CanMake knows.
// Immutable; thread-safe. (apiserver: `dynamic.ObjectVal`, `mutation.JSONPatchVal`)
class ObjectValue final : public OpaqueValue {
 public:
  using Field = std::pair<std::string, Value>;

  ObjectValue(TypePtr type, std::vector<Field> fields)
      : type_(std::move(type)), fields_(std::move(fields)) {}

  const TypePtr& type() const override { return type_; }
  // Objects are equal if they have the same type and the same fields, in any order.
  Value Equals(const Value& other) const override;
  std::string ToString() const override;

  // Returns the fields in the order in which the expression names them.
  const std::vector<Field>& fields() const KUBE_LIFETIME_BOUND { return fields_; }
  // Returns null if the object has no such field.
  const Value* Find(absl::string_view name) const KUBE_LIFETIME_BOUND;

 private:
  const TypePtr type_;
  const std::vector<Field> fields_;
};

// Returns the object if the value is one that an expression has made; otherwise null.
const ObjectValue* ObjectOf(const Value& value);

// The size that values may have as JSON. Lists and maps may share their elements, so that a short
// expression makes a value whose text is exponentially greater than its memory. Thread-compatible.
class JsonBudget {
 public:
  // The most that API servers accept in a request.
  static constexpr size_t kDefaultBytes = size_t{3} << 20;

  explicit JsonBudget(size_t bytes = kDefaultBytes) : limit_(bytes), left_(bytes) {}

  // Takes this number of bytes. Returns INVALID_ARGUMENT, and takes nothing, if fewer are left.
  absl::Status Take(size_t bytes);

 private:
  const size_t limit_;
  size_t left_;
};

// Returns the value as JSON: bytes in base64, durations in seconds ("1.5s"), times in RFC 3339. The
// result owns its memory. Returns INVALID_ARGUMENT for values that JSON does not have, such as
// types, errors and maps whose keys are not strings, for values that are nested more than 1,000
// levels deep, and for those that are greater than 3 MiB, or than what is left of `budget`, from
// which their size is taken. Thread-safe.
absl::StatusOr<unstructured::Value> ToJson(const Value& value);
absl::StatusOr<unstructured::Value> ToJson(const Value& value, JsonBudget& budget);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_OBJECT_VALUE_H_
