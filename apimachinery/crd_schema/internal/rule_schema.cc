#include "apimachinery/crd_schema/internal/rule_schema.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema::internal {
namespace {

using cel::RuleReason;
using cel::Schema;
using cel::SchemaKind;
using cel::SchemaPtr;

SchemaKind KindOfText(absl::string_view format) {
  if (format == "byte") return SchemaKind::kByte;
  if (format == "duration") return SchemaKind::kDuration;
  if (format == "date") return SchemaKind::kDate;
  if (format == "date-time") return SchemaKind::kDateTime;
  return SchemaKind::kString;
}

SchemaKind KindOf(const Node& node) {
  if (node.int_or_string) return SchemaKind::kIntOrString;
  if (node.type == "object") {
    return node.additional_schema == nullptr ? SchemaKind::kObject : SchemaKind::kMap;
  }
  if (node.type == "array" && node.items != nullptr) return SchemaKind::kList;
  if (node.type == "string") return KindOfText(node.format);
  if (node.type == "integer") return SchemaKind::kInteger;
  if (node.type == "number") return SchemaKind::kNumber;
  if (node.type == "boolean") return SchemaKind::kBoolean;
  return SchemaKind::kPreserved;
}

bool HasType(const Node* node, absl::string_view type) {
  return node != nullptr && node->type == type;
}

// Returns whether the schema declares all that expressions see of a resource anyway.
bool DeclaresMeta(const Node& node) {
  const Node* metadata = node.FindProperty("metadata");
  return HasType(node.FindProperty("kind"), "string") &&
         HasType(node.FindProperty("apiVersion"), "string") && HasType(metadata, "object") &&
         HasType(metadata->FindProperty("name"), "string") &&
         HasType(metadata->FindProperty("generateName"), "string");
}

SchemaPtr Text() {
  Schema schema;
  schema.kind = SchemaKind::kString;
  return std::make_shared<const Schema>(std::move(schema));
}

// Replaces what the schema says of apiVersion, kind and metadata.
void AddMeta(Schema& schema) {
  Schema metadata;
  metadata.kind = SchemaKind::kObject;
  metadata.properties.emplace("name", Text());
  metadata.properties.emplace("generateName", Text());
  schema.properties.insert_or_assign("metadata",
                                     std::make_shared<const Schema>(std::move(metadata)));
  schema.properties.insert_or_assign("kind", Text());
  schema.properties.insert_or_assign("apiVersion", Text());
}

void AddProperties(const Node& node, bool is_resource, Schema& schema) {
  for (const auto& [name, property] : node.properties) {
    schema.properties.emplace(name, RuleSchema(*property, property->embedded_resource));
  }
  const bool adds_meta = is_resource && !DeclaresMeta(node);
  if (adds_meta) AddMeta(schema);
  for (const std::string& name : node.required) {
    const bool is_meta = name == "metadata" || name == "kind" || name == "apiVersion";
    const Node* property = node.FindProperty(name);
    // A server adds members with a default to what it gets.
    const bool has_default = property != nullptr && !property->default_value.is_null();
    if ((adds_meta && is_meta) || !has_default) schema.required.push_back(name);
  }
}

void AddElement(const Node& element, Schema& schema) {
  schema.element = RuleSchema(element, element.embedded_resource);
}

void AddListType(const Node& node, Schema& schema) {
  if (node.list_type == "set") schema.list_kind = cel::ListKind::kSet;
  if (node.list_type == "map") schema.list_kind = cel::ListKind::kMap;
  schema.list_keys = node.list_map_keys;
}

void AddLongestEnum(const Node& node, Schema& schema) {
  if (node.enum_values.empty()) return;
  int64_t longest = 0;
  for (const unstructured::Value& value : node.enum_values) {
    if (value.is_string()) {
      longest = std::max(longest, static_cast<int64_t>(value.text()->size()));
    }
  }
  schema.longest_enum = longest;
}

RuleReason ReasonOf(absl::string_view reason) {
  if (reason == "FieldValueForbidden") return RuleReason::kForbidden;
  if (reason == "FieldValueRequired") return RuleReason::kRequired;
  if (reason == "FieldValueDuplicate") return RuleReason::kDuplicate;
  return RuleReason::kInvalid;
}

}  // namespace

SchemaPtr RuleSchema(const Node& node, bool is_resource) {
  Schema schema;
  schema.kind = KindOf(node);
  schema.nullable = node.nullable;
  switch (schema.kind) {
    case SchemaKind::kObject:
      AddProperties(node, is_resource, schema);
      break;
    case SchemaKind::kMap:
      AddElement(*node.additional_schema, schema);
      schema.max_size = node.max_properties;
      break;
    case SchemaKind::kList:
      AddElement(*node.items, schema);
      AddListType(node, schema);
      schema.max_size = node.max_items;
      break;
    case SchemaKind::kString:
      AddLongestEnum(node, schema);
      schema.max_size = node.max_length;
      break;
    case SchemaKind::kIntOrString:
      schema.type = node.type;
      schema.max_size = node.max_length;
      break;
    default:
      schema.max_size = node.max_length;
  }
  return std::make_shared<const Schema>(std::move(schema));
}

std::vector<cel::Rule> MakeRules(const Node& node) {
  std::vector<cel::Rule> rules;
  for (const NodeRule& rule : node.rules) {
    rules.push_back({.rule = rule.rule,
                     .message = rule.message,
                     .message_expression = rule.message_expression,
                     .reason = ReasonOf(rule.reason),
                     .field_path = rule.field_path,
                     .optional_old_self = rule.optional_old_self.value_or(false)});
  }
  return rules;
}

}  // namespace kube::crd_schema::internal
