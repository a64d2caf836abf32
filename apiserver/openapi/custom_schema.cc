#include "apiserver/openapi/custom_schema.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/crd_schema/published.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/schema_parts.h"
#include "apiserver/openapi/type_definitions.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Value;

constexpr absl::string_view kPreserve = "x-kubernetes-preserve-unknown-fields";
constexpr absl::string_view kIntOrString = "x-kubernetes-int-or-string";
constexpr absl::string_view kEmbedded = "x-kubernetes-embedded-resource";
constexpr absl::string_view kJunctors[] = {"allOf", "anyOf", "oneOf"};

bool IsTrue(const Map<Value>& schema, absl::string_view key) {
  const Value* value = schema.find(key);
  return value != nullptr && value->boolean() == true;
}

bool HasType(const Map<Value>& schema, absl::string_view type) {
  const Value* value = schema.find("type");
  return value != nullptr && value->text() == type;
}

// Calls `visit` for the schemas in allOf, anyOf, oneOf and not.
void ForEachValidation(Map<Value>& schema, absl::FunctionRef<void(Map<Value>&)> visit) {
  for (const absl::string_view key : kJunctors) {
    Value* schemas = schema.find(key);
    if (schemas == nullptr || !schemas->is_list()) continue;
    for (Value& each : *schemas->list()) {
      if (each.is_object()) visit(*each.object());
    }
  }
  Value* negated = schema.find("not");
  if (negated != nullptr && negated->is_object()) visit(*negated->object());
}

// Removes members that are as good as absent, as a structural schema does.
void Normalize(Map<Value>& schema) {
  for (const absl::string_view key : {"default", "example"}) {
    const Value* value = schema.find(key);
    if (value != nullptr && value->is_null()) schema.erase(key);
  }
}

void NormalizeValidation(Map<Value>& schema) {
  Normalize(schema);
  schema.erase("additionalProperties");
  ForEachPart(schema, NormalizeValidation);
  ForEachValidation(schema, NormalizeValidation);
}

List<Value> IntegerAndString() {
  List<Value> types;
  types.push_back(Map<Value>{{"type", "integer"}});
  types.push_back(Map<Value>{{"type", "string"}});
  return types;
}

// Says of an int-or-string in plain OpenAPI what the extension means, unless the schema does so
// (apiextensions-apiserver: `Structural.Unfold`).
void Unfold(Map<Value>& schema) {
  const Value types = IntegerAndString();
  const Value* any = schema.find("anyOf");
  if (any != nullptr && *any == types) return;
  Value* all = schema.find("allOf");
  const bool has_all = all != nullptr && all->is_list() && !all->list()->empty();
  if (has_all && all->list()->front()["anyOf"] == types) return;
  if (any == nullptr) {
    schema["anyOf"] = types;
    return;
  }
  List<Value> joined;
  joined.push_back(Map<Value>{{"anyOf", types}});
  if (has_all) joined.insert(joined.end(), all->list()->begin(), all->list()->end());
  schema["allOf"] = std::move(joined);
}

void NormalizeStructural(Map<Value>& schema) {
  Normalize(schema);
  if (IsTrue(schema, kIntOrString)) Unfold(schema);
  ForEachPart(schema, NormalizeStructural);
  ForEachValidation(schema, NormalizeValidation);
}

bool IsNullable(const Value& schema) { return schema["nullable"].boolean() == true; }

// Removes the names of properties that may be null from those that are required.
void RelaxRequired(Map<Value>& schema) {
  Value* required = schema.find("required");
  if (required == nullptr || !required->is_list()) return;
  const Value* values = schema.find("additionalProperties");
  if (values != nullptr && IsNullable(*values)) {
    schema.erase("required");
    return;
  }
  const Value* properties = schema.find("properties");
  if (properties == nullptr) return;
  erase_if(*required->list(), [&](const Value& name) {
    const Value* property = properties->Find(name.text().value_or(""));
    return property != nullptr && IsNullable(*property);
  });
  if (required->list()->empty()) schema.erase("required");
}

// Removes what OpenAPI 2 does not have, and types that kubectl would misunderstand without it
// (apiextensions-apiserver: `ToStructuralOpenAPIV2`).
void ReduceToV2(Map<Value>& schema) {
  for (const absl::string_view key : kJunctors) schema.erase(key);
  schema.erase("not");
  const bool preserves = IsTrue(schema, kPreserve);
  const bool nullable = IsTrue(schema, "nullable");
  if (nullable || preserves) {
    schema.erase("items");
    schema.erase("properties");
  }
  if (nullable) {
    schema.erase("type");
    schema.erase("nullable");
  }
  if (HasType(schema, "array") && !schema.contains("items")) schema.erase("type");
  if (HasType(schema, "object") && preserves) schema.erase("type");
  RelaxRequired(schema);
  ForEachPart(schema, ReduceToV2);
}

Map<Value> TextWith(absl::string_view description) {
  return {{"description", description}, {"type", "string"}};
}

Map<Value> MetadataSchema(const table::Message& message) {
  Map<Value> schema;
  schema["description"] = kMetadataDescription;
  return WithReference(std::move(schema), TypeDefinitions::BuiltIn().Of(message).name);
}

Map<Value>& PropertiesOf(Map<Value>& schema) {
  Value& properties = schema["properties"];
  if (!properties.is_object()) properties = Map<Value>::Empty();
  return *properties.object();
}

void AddTypeMeta(Map<Value>& properties) {
  properties["apiVersion"] = TextWith(kApiVersionDescription);
  properties["kind"] = TextWith(kKindDescription);
}

void Require(absl::string_view name, Map<Value>& schema) {
  Value& required = schema["required"];
  if (!required.is_list()) required = List<Value>();
  List<Value>& names = *required.list();
  if (std::find(names.begin(), names.end(), Value(name)) == names.end()) names.push_back(name);
}

// Adds what embedded resources have, which is not part of their schemas
// (apiextensions-apiserver: `addEmbeddedProperties`).
void AddEmbedded(Map<Value>& schema, SpecVersion version) {
  ForEachPart(schema, [version](Map<Value>& part) { AddEmbedded(part, version); });
  if (version == SpecVersion::kV2 && IsTrue(schema, kPreserve)) return;
  if (!IsTrue(schema, kEmbedded)) return;
  Map<Value>& properties = PropertiesOf(schema);
  AddTypeMeta(properties);
  properties["metadata"] = MetadataSchema(metav1::ObjectMeta::kMessage);
  Require("kind", schema);
  Require("apiVersion", schema);
}

void AddExtensions(const CustomKind& kind, const KindInfo& info, Map<Value>& schema) {
  List<Value> kinds;
  kinds.push_back(
      Map<Value>{{"group", info.group}, {"version", info.version}, {"kind", info.kind}});
  schema["x-kubernetes-group-version-kind"] = std::move(kinds);
  if (kind.selectable().empty()) return;
  List<Value> fields;
  for (const std::string& path : kind.selectable()) {
    fields.push_back(Map<Value>{{"fieldPath", path}});
  }
  schema["x-kubernetes-selectable-fields"] = std::move(fields);
}

Map<Value> AnyObject() {
  Map<Value> schema;
  schema["type"] = "object";
  return schema;
}

// Returns the schema of the definition, ready for documents, or that of any object.
Map<Value> OwnSchema(const CustomKind& kind, SpecVersion version) {
  const crd_schema::Structural* structural = kind.rules().schema();
  if (kind.schema() == nullptr || structural == nullptr || !crd_schema::IsPublished(*structural)) {
    return AnyObject();
  }
  absl::StatusOr<Value> props = unstructured::ToValue(*kind.schema());
  if (!props.ok() || !props->is_object()) return AnyObject();
  Map<Value> schema = std::move(*props->object());
  // kubectl would refuse all fields but these if there were properties.
  const bool is_open = IsTrue(schema, kPreserve) || kind.preserves_unknown_fields();
  if (version == SpecVersion::kV2 && is_open) return AnyObject();
  NormalizeStructural(schema);
  if (version == SpecVersion::kV2) ReduceToV2(schema);
  Map<Value>& properties = PropertiesOf(schema);
  AddTypeMeta(properties);
  properties["metadata"] = MetadataSchema(metav1::ObjectMeta::kMessage);
  AddEmbedded(schema, version);
  return schema;
}

}  // namespace

std::string CustomDefinitionName(const KindInfo& kind) {
  std::vector<absl::string_view> parts = absl::StrSplit(kind.group, '.');
  std::reverse(parts.begin(), parts.end());
  return absl::StrCat(absl::StrJoin(parts, "."), ".", kind.version, ".", kind.kind);
}

Map<Value> SchemaOfKind(const CustomKind& kind, SpecVersion version) {
  Map<Value> schema = OwnSchema(kind, version);
  AddExtensions(kind, kind.kind(), schema);
  return schema;
}

Map<Value> SchemaOfList(const CustomKind& kind) {
  const KindInfo& list = kind.list_kind();
  Map<Value> items;
  items["description"] = absl::StrCat("The ", kind.kind().plural, ".");
  items["items"] = ReferenceTo(CustomDefinitionName(kind.kind()));
  items["type"] = "array";
  Map<Value> properties;
  AddTypeMeta(properties);
  properties["items"] = std::move(items);
  properties["metadata"] = MetadataSchema(metav1::ListMeta::kMessage);
  Map<Value> schema = AnyObject();
  schema["description"] = absl::StrCat(list.kind, " is a list of ", kind.kind().kind);
  schema["properties"] = std::move(properties);
  schema["required"] = List<Value>{"items"};
  AddExtensions(kind, list, schema);
  return schema;
}

}  // namespace kube::apiserver::internal
