#include "apiserver/openapi/expression_types.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/custom_schema.h"
#include "apiserver/openapi/schema_parts.h"
#include "apiserver/openapi/type_definitions.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

using cel::SchemaKind;
using unstructured::Value;

// The definitions that a schema may refer to.
using References = std::vector<const TypeDefinition*>;

std::shared_ptr<cel::Schema> Make(SchemaKind kind) {
  auto schema = std::make_shared<cel::Schema>();
  schema->kind = kind;
  return schema;
}

// Returns the name of the definition that a schema refers to, alone or within an allOf, or "".
absl::string_view ReferenceOf(const Value& schema) {
  const std::optional<absl::string_view> reference = schema["$ref"].text();
  if (reference.has_value()) return absl::StripPrefix(*reference, kDefinitionsV3);
  const List<Value>* const all = schema["allOf"].list();
  if (all == nullptr) return "";
  for (const Value& each : *all) {
    const absl::string_view name = ReferenceOf(each);
    if (!name.empty()) return name;
  }
  return "";
}

SchemaKind KindOfText(absl::string_view format) {
  if (format == "byte") return SchemaKind::kByte;
  if (format == "duration") return SchemaKind::kDuration;
  if (format == "date") return SchemaKind::kDate;
  if (format == "date-time") return SchemaKind::kDateTime;
  return SchemaKind::kString;
}

// Reads schemas of OpenAPI, and those of the definitions that they refer to.
class SchemaReader {
 public:
  cel::SchemaPtr ReadDefinition(const TypeDefinition& definition) {
    const absl::StatusOr<Value> schema = unstructured::ParseJson(definition.schema);
    KUBE_CHECK_OK(schema) << "schema of a definition";
    within_.push_back(definition.name);
    cel::SchemaPtr read = Read(*schema, definition.references);
    within_.pop_back();
    return read;
  }

  cel::SchemaPtr Read(const Value& schema, const References& references) {
    const absl::string_view reference = ReferenceOf(schema);
    if (!reference.empty()) return ReadReference(reference, references);
    const absl::string_view format = schema["format"].text().value_or("");
    if (format == "int-or-string" || schema["x-kubernetes-int-or-string"].boolean() == true) {
      return Make(SchemaKind::kIntOrString);
    }
    const absl::string_view type = schema["type"].text().value_or("");
    if (type == "object") return ReadObject(schema, references);
    if (type == "array") return ReadElements(SchemaKind::kList, schema.Find("items"), references);
    if (type == "string") return Make(KindOfText(format));
    if (type == "boolean") return Make(SchemaKind::kBoolean);
    if (type == "number") return Make(SchemaKind::kNumber);
    if (type == "integer") return Make(SchemaKind::kInteger);
    return Make(SchemaKind::kPreserved);
  }

 private:
  cel::SchemaPtr ReadReference(absl::string_view name, const References& references) {
    if (absl::c_linear_search(within_, name)) return Make(SchemaKind::kObject);
    const auto found =
        absl::c_find_if(references, [&](const TypeDefinition* each) { return each->name == name; });
    if (found == references.end()) return Make(SchemaKind::kPreserved);
    return ReadDefinition(**found);
  }

  cel::SchemaPtr ReadElements(SchemaKind kind, const Value* element, const References& references) {
    const std::shared_ptr<cel::Schema> schema = Make(kind);
    if (element != nullptr && element->is_object()) schema->element = Read(*element, references);
    return schema;
  }

  cel::SchemaPtr ReadObject(const Value& schema, const References& references) {
    const Value& values = schema["additionalProperties"];
    if (values.is_object()) return ReadElements(SchemaKind::kMap, &values, references);
    const std::shared_ptr<cel::Schema> object = Make(SchemaKind::kObject);
    const Map<Value>* const properties = schema["properties"].object();
    if (properties == nullptr) return object;
    for (const auto& [name, property] : *properties) {
      object->properties.emplace(std::string(name), Read(property, references));
    }
    return object;
  }

  // The names of the definitions that are being read, from the outermost.
  std::vector<absl::string_view> within_;
};

// Gives objects without a schema what all objects have (kube-apiserver: `WithTypeAndObjectMeta`).
cel::SchemaPtr WithTypeAndObjectMeta(cel::SchemaPtr schema) {
  if (schema->kind != SchemaKind::kObject || !schema->properties.empty()) return schema;
  const cel::SchemaPtr text = Make(SchemaKind::kString);
  const std::shared_ptr<cel::Schema> metadata = Make(SchemaKind::kObject);
  metadata->properties = {{"name", text}, {"generateName", text}};
  const std::shared_ptr<cel::Schema> object = Make(SchemaKind::kObject);
  object->properties = {{"apiVersion", text}, {"kind", text}, {"metadata", metadata}};
  return object;
}

cel::SchemaPtr SchemaOf(const Resource& resource) {
  const TypeDefinitions& definitions = TypeDefinitions::BuiltIn();
  SchemaReader reader;
  if (resource.custom == nullptr) {
    return reader.ReadDefinition(definitions.Of(*resource.kind->message));
  }
  const Value schema(SchemaOfKind(*resource.custom, SpecVersion::kV3));
  return reader.Read(schema, {&definitions.Of(api::meta::v1::ObjectMeta::kMessage)});
}

}  // namespace

std::shared_ptr<const cel::SchemaTypes> ExpressionTypesOf(const Resource& resource,
                                                          absl::string_view name) {
  return std::make_shared<const cel::SchemaTypes>(*WithTypeAndObjectMeta(SchemaOf(resource)), name);
}

}  // namespace kube::apiserver::internal
