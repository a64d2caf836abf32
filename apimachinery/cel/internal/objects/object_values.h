#ifndef APIMACHINERY_CEL_INTERNAL_OBJECTS_OBJECT_VALUES_H_
#define APIMACHINERY_CEL_INTERNAL_OBJECTS_OBJECT_VALUES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Lists and maps that refer to a JSON value and its schema, which must outlive them.
namespace kube::cel::internal {

// A JSON array.
class ObjectList final : public ListValue {
 public:
  // `schema` is null, or of the kind SchemaKind::kList with a schema for the elements.
  ObjectList(const kube::List<unstructured::Value>& list, const Schema* schema);

  size_t size() const override { return list_.size(); }
  Value At(size_t index) const override;
  ListKind list_kind() const override;
  const std::vector<std::string>& keys() const override { return keys_; }
  bool has_schema() const override { return schema_ != nullptr; }

  const kube::List<unstructured::Value>& list() const { return list_; }

 private:
  const kube::List<unstructured::Value>& list_;
  const Schema* const schema_;
  std::vector<std::string> keys_;
};

// A JSON object. With a schema of the kind SchemaKind::kObject, keys are identifiers, and members
// that the schema does not declare are not visible.
class ObjectMap final : public MapValue {
 public:
  // `schema` is null, or of the kind SchemaKind::kObject or SchemaKind::kMap.
  ObjectMap(const kube::Map<unstructured::Value>& object, const Schema* schema);

  size_t size() const override { return object_.size(); }
  std::optional<Value> Find(const Value& key) const override;
  std::vector<Value> Keys() const override;
  bool has_schema() const override { return schema_ != nullptr; }

  const kube::Map<unstructured::Value>& object() const { return object_; }
  // Returns the value of a member by its JSON name; nullopt if the member is absent or not visible.
  std::optional<Value> Member(absl::string_view name) const;
  // Returns whether the schema says what the member is, so that it is compared by it.
  bool IsDeclared(absl::string_view name) const;

 private:
  bool is_object() const;
  // Returns the schema of a member: null if it is not declared, or there is no schema.
  const Schema* MemberSchema(absl::string_view name) const;

  const kube::Map<unstructured::Value>& object_;
  const Schema* const schema_;
};

// A value that the schema preserves without a type: it can only be compared. (k8s.io/apiserver:
// `unknownPreserved`)
class PreservedValue final : public OpaqueValue {
 public:
  explicit PreservedValue(const unstructured::Value& json) : json_(json) {}

  const TypePtr& type() const override;
  // Integers never equal doubles here.
  Value Equals(const Value& other) const override;
  std::string ToString() const override;

  const unstructured::Value& json() const { return json_; }

 private:
  const unstructured::Value& json_;
};

// Returns an optional value in which a list or an object has lost its schema, and an error says
// that it was converted: as upstream, reading a variable does so. Other values stay as they are.
// (cel-go: `applyQualifiers`)
Value WithoutSchema(const Value& optional);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_OBJECTS_OBJECT_VALUES_H_
