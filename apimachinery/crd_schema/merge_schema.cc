#include "apimachinery/crd_schema/merge_schema.h"

#include <memory>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/published.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"

// An API server makes an OpenAPI document of a CRD, and the merge schema of that. The document
// keeps the structure as it is: only objects get apiVersion, kind and metadata. What allOf, anyOf,
// oneOf and not say is no structure and does not count.
namespace kube::crd_schema {
namespace {

using crd_schema::internal::Additional;
using crd_schema::internal::Node;
using managedfields::FieldSchema;
using managedfields::ListSchema;
using managedfields::MapSchema;
using managedfields::ScalarType;
using managedfields::Schema;
using managedfields::SchemaArena;

constexpr absl::string_view kResourceFields[] = {"apiVersion", "kind", "metadata"};

// Like upstream, leaves strings with a format, such as date-time, open: they may be other scalars
// (kube-openapi: `convertPrimitive`).
ScalarType ScalarOf(const Node& node) {
  if (node.type == "integer" || node.type == "number") return ScalarType::kNumeric;
  if (node.type == "boolean") return ScalarType::kBoolean;
  return node.format.empty() || node.format == "byte" ? ScalarType::kString : ScalarType::kUntyped;
}

class MergeSchemaBuilder {
 public:
  explicit MergeSchemaBuilder(SchemaArena& arena) : arena_(arena) {
    Schema& text = arena.AddSchema();
    text.scalar = ScalarType::kString;
    text_ = &text;
  }

  // `is_resource` says that the value has apiVersion, kind and metadata. `preserve` is inherited
  // from the schemas around this one (kube-openapi: `parseSchema`).
  const Schema& Build(const Node& node, bool is_resource, bool preserve) {
    preserve = preserve || node.preserve_unknown_fields;
    Schema& schema = arena_.AddSchema();
    // A value without a type, such as an int-or-string, may be anything.
    const bool is_any = node.type.empty();
    if (is_any || node.type == "object") schema.map = &BuildMap(node, is_resource, preserve);
    if (is_any || node.type == "array") schema.list = &BuildList(node, preserve);
    if (is_any) {
      schema.scalar = ScalarType::kUntyped;
    } else if (schema.map == nullptr && schema.list == nullptr) {
      schema.scalar = ScalarOf(node);
    }
    return schema;
  }

  // Returns the schema of an object of which nothing else is known.
  const Schema& BuildObject() {
    MapSchema& map = arena_.AddMap();
    map.element = &managedfields::DeducedSchema();
    Schema& schema = arena_.AddSchema();
    schema.map = &map;
    return schema;
  }

 private:
  const Schema& BuildPart(const Node& node, bool preserve) {
    return Build(node, node.embedded_resource, preserve);
  }

  const MapSchema& BuildMap(const Node& node, bool is_resource, bool preserve) {
    MapSchema& map = arena_.AddMap();
    map.atomic = node.map_type == "atomic";
    for (const auto& [name, property] : node.properties) {
      if (is_resource && absl::c_linear_search(kResourceFields, absl::string_view(name))) continue;
      map.fields.push_back({.name = name, .schema = &BuildPart(*property, preserve)});
    }
    if (is_resource) AddResourceFields(map);
    switch (node.additional) {
      case Additional::kAbsent:
        // In OpenAPI, an object without properties has any.
        if (preserve || map.fields.empty()) map.element = &managedfields::DeducedSchema();
        break;
      case Additional::kFalse:
        break;
      case Additional::kTrue:
        map.element = &managedfields::DeducedSchema();
        break;
      case Additional::kSchema:
        map.element = &BuildPart(*node.additional_schema, preserve);
        break;
    }
    return map;
  }

  void AddResourceFields(MapSchema& map) {
    const Schema& metadata = managedfields::SchemaOf(api::meta::v1::ObjectMeta::kMessage);
    map.fields.push_back({.name = "apiVersion", .schema = text_});
    map.fields.push_back({.name = "kind", .schema = text_});
    map.fields.push_back({.name = "metadata", .schema = &metadata});
    absl::c_sort(map.fields,
                 [](const FieldSchema& a, const FieldSchema& b) { return a.name < b.name; });
  }

  const ListSchema& BuildList(const Node& node, bool preserve) {
    ListSchema& list = arena_.AddList();
    list.element = node.items != nullptr ? &BuildPart(*node.items, preserve)
                                         : &managedfields::UntypedAtomicSchema();
    list.associative = node.list_type == "set" || node.list_type == "map";
    if (node.list_type != "map") return list;
    for (const std::string& key : node.list_map_keys) {
      list.keys.push_back({.name = key});
      const Node* property = KeyProperty(node, key);
      // As upstream, a default of null is no default.
      if (property == nullptr || property->default_value.is_null()) continue;
      list.keys.back().default_value = property->default_value;
    }
    return list;
  }

  // Returns the schema of a key of the items, or null if it has no schema that could have a
  // default.
  static const Node* KeyProperty(const Node& list, absl::string_view key) {
    if (list.items == nullptr) return nullptr;
    if (!list.items->type.empty() && list.items->type != "object") return nullptr;
    if (list.items->embedded_resource && absl::c_linear_search(kResourceFields, key)) {
      return nullptr;
    }
    return list.items->FindProperty(key);
  }

  SchemaArena& arena_;
  const Schema* text_ = nullptr;
};

}  // namespace

std::shared_ptr<const MergeSchema> MergeSchema::Make(const Structural* structural) {
  const auto made = std::make_shared<MergeSchema>(Key());
  MergeSchemaBuilder builder(made->arena_);
  made->schema_ = structural != nullptr && IsPublished(*structural)
                      ? &builder.Build(structural->root(), /*is_resource=*/true,
                                       /*preserve=*/false)
                      : &builder.BuildObject();
  return made;
}

}  // namespace kube::crd_schema
