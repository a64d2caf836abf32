#include "apimachinery/crd_schema/internal/node.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_regexp.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using api::apiextensions::v1::ValidationRule;

absl::StatusOr<std::unique_ptr<Node>> Make(const JSONSchemaProps& props, int depth);

// apiextensions-apiserver: `validateUnsupportedFields`.
absl::Status CheckUnsupported(const JSONSchemaProps& props) {
  absl::string_view name;
  if (!props.id.empty()) {
    name = "id";
  } else if (!props.schema.empty()) {
    name = "schema";
  } else if (!props.ref.value_or("").empty()) {
    name = "$ref";
  } else if (!props.pattern_properties.empty()) {
    name = "patternProperties";
  } else if (!props.dependencies.empty()) {
    name = "dependencies";
  } else if (props.additional_items) {
    name = "additionalItems";
  } else if (!props.definitions.empty()) {
    name = "definitions";
  } else {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("OpenAPIV3Schema '", name, "' is not supported"));
}

absl::StatusOr<unstructured::Value> ParseRaw(const RawJson& raw) {
  if (raw.empty()) return unstructured::Value();
  return unstructured::ParseJson(raw.view());
}

absl::Status SetJson(const JSONSchemaProps& props, Node& node) {
  if (props.default_.has_value()) {
    KUBE_ASSIGN_OR_RETURN(node.default_value, ParseRaw(*props.default_), "parse default");
  }
  for (const RawJson& raw : props.enum_) {
    KUBE_ASSIGN_OR_RETURN(unstructured::Value value, ParseRaw(raw), "parse enum");
    node.enum_values.push_back(std::move(value));
  }
  return absl::OkStatus();
}

absl::Status SetNodes(const List<JSONSchemaProps>& list, int depth,
                      std::vector<std::unique_ptr<const Node>>& nodes) {
  for (const JSONSchemaProps& props : list) {
    KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Node> node, Make(props, depth));
    nodes.push_back(std::move(node));
  }
  return absl::OkStatus();
}

absl::Status SetJunctors(const JSONSchemaProps& props, int depth, Node& node) {
  if (props.not_) {
    KUBE_ASSIGN_OR_RETURN(node.not_, Make(*props.not_, depth));
  }
  KUBE_RETURN_IF_ERROR(SetNodes(props.all_of, depth, node.all_of));
  KUBE_RETURN_IF_ERROR(SetNodes(props.any_of, depth, node.any_of));
  return SetNodes(props.one_of, depth, node.one_of);
}

// Copies the parts that do not define the structure (apiextensions-apiserver: `ValueValidation`).
void SetValueValidation(const JSONSchemaProps& props, Node& node) {
  node.maximum = props.maximum;
  node.exclusive_maximum = props.exclusive_maximum;
  node.minimum = props.minimum;
  node.exclusive_minimum = props.exclusive_minimum;
  node.multiple_of = props.multiple_of;
  node.max_length = props.max_length;
  node.min_length = props.min_length;
  node.max_items = props.max_items;
  node.min_items = props.min_items;
  node.max_properties = props.max_properties;
  node.min_properties = props.min_properties;
  node.unique_items = props.unique_items;
  node.required = props.required;
  node.pattern = props.pattern;
  if (!node.pattern.empty()) node.regexp = std::make_unique<const text::GoRegexp>(node.pattern);
}

absl::Status SetExtensions(const JSONSchemaProps& props, Node& node) {
  node.embedded_resource = props.x_kubernetes_embedded_resource;
  node.int_or_string = props.x_kubernetes_int_or_string;
  node.list_map_keys = props.x_kubernetes_list_map_keys;
  node.list_type = props.x_kubernetes_list_type;
  node.map_type = props.x_kubernetes_map_type;
  for (const ValidationRule& rule : props.x_kubernetes_validations) {
    node.rules.push_back(
        {.rule = std::string(rule.rule),
         .message = std::string(rule.message),
         .message_expression = std::string(rule.message_expression),
         .reason = rule.reason.has_value() ? std::string(*rule.reason) : std::string(),
         .field_path = std::string(rule.field_path),
         .optional_old_self = rule.optional_old_self});
  }
  node.preserve_unknown_fields = *props.x_kubernetes_preserve_unknown_fields;
  if (props.x_kubernetes_preserve_unknown_fields == false) {
    return absl::InvalidArgumentError(
        "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined");
  }
  return absl::OkStatus();
}

// The schema of metadata may only restrict name and generateName (apiextensions-apiserver:
// `validateStructuralMetadataInvariants`).
bool IsPlainMetadata(JSONSchemaProps props) {
  size_t names = 0;
  for (const absl::string_view name : {"name", "generateName"}) {
    names += props.properties.contains(name) ? 1 : 0;
  }
  if (names == props.properties.size()) props.properties.reset();
  props.type = "";
  props.default_.reset();
  return props == JSONSchemaProps();
}

absl::Status SetStructure(const JSONSchemaProps& props, int depth, Node& node) {
  if (props.items && !props.items->items.empty()) {
    return absl::InvalidArgumentError("OpenAPIV3Schema 'items' must be a schema, but is an array");
  }
  if (props.items && props.items->schema) {
    KUBE_ASSIGN_OR_RETURN(node.items, Make(*props.items->schema, depth));
  }
  for (const auto& [name, property] : props.properties) {
    KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Node> made, Make(property, depth));
    // Computed only for this property, because it copies the schema.
    if (name == "metadata") made->plain_metadata = IsPlainMetadata(property);
    node.properties.emplace(name, std::move(made));
  }
  if (!props.additional_properties) return absl::OkStatus();
  if (props.additional_properties->schema) {
    node.additional = Additional::kSchema;
    KUBE_ASSIGN_OR_RETURN(node.additional_schema,
                          Make(*props.additional_properties->schema, depth));
  } else {
    node.additional = props.additional_properties->allows ? Additional::kTrue : Additional::kFalse;
  }
  return absl::OkStatus();
}

// The order is upstream's, because only the first error is reported.
absl::StatusOr<std::unique_ptr<Node>> Make(const JSONSchemaProps& props, int depth) {
  if (depth > kMaxSchemaDepth) {
    return absl::ResourceExhaustedError(
        absl::StrCat("build schema: exceeds the maximum nesting depth of ", kMaxSchemaDepth));
  }
  KUBE_RETURN_IF_ERROR(CheckUnsupported(props));
  auto node = std::make_unique<Node>();
  KUBE_RETURN_IF_ERROR(SetJunctors(props, depth + 1, *node));
  SetValueValidation(props, *node);
  KUBE_RETURN_IF_ERROR(SetJson(props, *node));
  node->type = props.type;
  node->format = props.format;
  node->title = props.title;
  node->description = props.description;
  node->nullable = props.nullable;
  KUBE_RETURN_IF_ERROR(SetExtensions(props, *node));
  KUBE_RETURN_IF_ERROR(SetStructure(props, depth + 1, *node));
  JSONSchemaProps bare;
  bare.type = props.type;
  node->only_type = props == bare;
  return node;
}

}  // namespace

const Node* Node::FindProperty(absl::string_view name) const {
  const auto found = properties.find(name);
  return found == properties.end() ? nullptr : found->second.get();
}

bool HasRules(const Node& node) {
  const auto has = [](const std::unique_ptr<const Node>& child) {
    return child != nullptr && HasRules(*child);
  };
  return !node.rules.empty() || has(node.items) || has(node.additional_schema) ||
         absl::c_any_of(node.properties, [&](const auto& entry) { return has(entry.second); });
}

absl::StatusOr<std::unique_ptr<const Node>> MakeNode(const JSONSchemaProps& props) {
  return Make(props, 1);
}

}  // namespace kube::crd_schema::internal
