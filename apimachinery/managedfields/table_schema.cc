// Makes schemas of field tables. The schema of a struct is made at the first call that needs it,
// together with those of all structs that it holds, and kept. A struct that contains itself, such
// as JSONSchemaProps, refers to its own schema: a struct is registered before its fields are
// visited. Nobody else sees schemas that are not complete, since the lock is held until all are.
//
// What becomes of a leaf type is what kube-openapi's `convertPrimitive` makes of its OpenAPI type
// and format: numbers, strings and booleans are themselves, strings with a format are untyped.

#include "apimachinery/managedfields/table_schema.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::managedfields {
namespace {

using kube::table::Field;
using kube::table::JsonForm;
using kube::table::Kind;
using kube::table::MergeRules;
using kube::table::Message;
using kube::table::Shape;
using unstructured::Value;

constexpr Schema kNumeric = {.scalar = ScalarType::kNumeric};
constexpr Schema kString = {.scalar = ScalarType::kString};
constexpr Schema kBoolean = {.scalar = ScalarType::kBoolean};
constexpr Schema kUntyped = {.scalar = ScalarType::kUntyped};

// Returns the default that the IDL gives a key, as JSON.
std::optional<Value> DefaultOf(absl::string_view json) {
  if (json.empty()) return std::nullopt;
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  KUBE_CHECK_OK(value) << "default of a list-map key";
  return *std::move(value);
}

std::vector<ListKey> KeysOf(const MergeRules& rules) {
  std::vector<ListKey> keys;
  if ((rules.strategy & MergeRules::kListMap) == 0) return keys;
  const std::vector<absl::string_view> defaults = absl::StrSplit(rules.list_map_defaults, ',');
  for (const absl::string_view name : absl::StrSplit(rules.list_map_keys, ',')) {
    const size_t i = keys.size();
    keys.push_back({.name = std::string(name),
                    .default_value = i < defaults.size() ? DefaultOf(defaults[i]) : std::nullopt});
  }
  return keys;
}

// Makes the schemas of structs and keeps them. Thread-safe.
class TableSchemas {
 public:
  TableSchemas() {
    MapSchema& map = arena_.AddMap();
    map.element = &DeducedSchema();
    Schema& schema = arena_.AddSchema();
    schema.map = &map;
    object_ = &schema;
  }

  const Schema& Of(const Message& message) {
    base::MutexLock lock(mutex_);
    return OfMessage(message, message.is_atomic != 0);
  }

 private:
  const Schema& OfMessage(const Message& message, bool atomic)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const Schema& OfField(const Message& message, const Field& field)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the schema of an element of a list or a map.
  const Schema& OfElement(const Message& message, const Field& field)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const Schema& OfLeaf(Kind kind) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const Schema& AddList(const Schema& element, const MergeRules& rules)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const Schema& AddMap(const Schema& element, bool atomic) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  base::Mutex mutex_;
  SchemaArena arena_ ABSL_GUARDED_BY(mutex_);
  // Of a map whose values can be anything.
  const Schema* object_ ABSL_GUARDED_BY(mutex_) = nullptr;
  // By struct and whether it is owned as a whole, which its type says, and fields may override.
  absl::flat_hash_map<std::pair<const Message*, bool>, const Schema*> messages_
      ABSL_GUARDED_BY(mutex_);
};

const Schema& TableSchemas::OfMessage(const Message& message, bool atomic) {
  // OpenAPI documents give no type to what has several forms in JSON.
  if (message.json_form != JsonForm::kObject) return DeducedSchema();
  const auto [place, is_new] = messages_.try_emplace(std::make_pair(&message, atomic), nullptr);
  if (!is_new) return *place->second;
  MapSchema& map = arena_.AddMap();
  Schema& schema = arena_.AddSchema();
  schema.map = &map;
  place->second = &schema;
  map.atomic = atomic;
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    if ((field.flags & kube::table::kNoJson) != 0) continue;
    const Schema& of_field = OfField(message, field);
    map.fields.push_back({.name = std::string(message.field_name(field)), .schema = &of_field});
  }
  std::sort(map.fields.begin(), map.fields.end(),
            [](const FieldSchema& a, const FieldSchema& b) { return a.name < b.name; });
  // An object of which OpenAPI says nothing more may have any members, as may one whose unknown
  // fields are kept.
  if (map.fields.empty() || message.unknown_fields() != nullptr) map.element = &DeducedSchema();
  return schema;
}

const Schema& TableSchemas::OfField(const Message& message, const Field& field) {
  const MergeRules rules = kube::table::MergeRulesOf(message, field);
  const bool atomic = (rules.strategy & MergeRules::kListAtomic) != 0;
  if (field.shape == Shape::kList) return AddList(OfElement(message, field), rules);
  if (field.shape == Shape::kMap) return AddMap(OfElement(message, field), atomic);
  if (field.kind == Kind::kStringList) return AddList(kString, rules);
  if (field.kind != Kind::kMessage) return OfLeaf(field.kind);
  const Message& sub = message.sub_message(field);
  const bool granular = (rules.strategy & MergeRules::kMapGranular) != 0;
  return OfMessage(sub, atomic || (sub.is_atomic != 0 && !granular));
}

const Schema& TableSchemas::OfElement(const Message& message, const Field& field) {
  if (field.kind == Kind::kStringList) return AddList(kString, {});
  if (field.kind != Kind::kMessage) return OfLeaf(field.kind);
  const Message& sub = message.sub_message(field);
  return OfMessage(sub, sub.is_atomic != 0);
}

const Schema& TableSchemas::OfLeaf(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return kBoolean;
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
      return kNumeric;
    case Kind::kString:
    case Kind::kBytes:     // format byte, the one format of which a string stays a string
    case Kind::kDuration:  // has no format
      return kString;
    case Kind::kTime:
    case Kind::kMicroTime:
    case Kind::kIntOrString:
    case Kind::kQuantity:
      return kUntyped;
    case Kind::kRawExtension:
      return UntypedAtomicSchema();
    case Kind::kFieldsV1:
      return *object_;
    case Kind::kRawJson:
    case Kind::kValue:
    case Kind::kStringList:  // not leaves: see OfField
    case Kind::kMessage:
      break;
  }
  return DeducedSchema();
}

const Schema& TableSchemas::AddList(const Schema& element, const MergeRules& rules) {
  ListSchema& list = arena_.AddList();
  list.element = &element;
  list.associative = (rules.strategy & (MergeRules::kListSet | MergeRules::kListMap)) != 0;
  list.keys = KeysOf(rules);
  Schema& schema = arena_.AddSchema();
  schema.list = &list;
  return schema;
}

const Schema& TableSchemas::AddMap(const Schema& element, bool atomic) {
  MapSchema& map = arena_.AddMap();
  map.element = &element;
  map.atomic = atomic;
  Schema& schema = arena_.AddSchema();
  schema.map = &map;
  return schema;
}

}  // namespace

const Schema& SchemaOf(const Message& message) {
  static base::NoDestructor<TableSchemas> schemas;
  return schemas->Of(message);
}

}  // namespace kube::managedfields
