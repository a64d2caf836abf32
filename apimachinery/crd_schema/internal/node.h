#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_NODE_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_NODE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/text/go_regexp.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema::internal {

struct Node;
// Sorted by name, so that errors have the same order each time.
using Nodes = std::map<std::string, std::unique_ptr<const Node>, std::less<>>;

// An element of x-kubernetes-validations, as it is written.
struct NodeRule {
  std::string rule = {};
  std::string message = {};
  std::string message_expression = {};
  // "" if it is not set.
  std::string reason = {};
  std::string field_path = {};
  std::optional<bool> optional_old_self = {};
};

// The value of additionalProperties.
enum class Additional : uint8_t { kAbsent, kFalse, kTrue, kSchema };

// A schema in a tree of schemas: JSONSchemaProps with compiled patterns and parsed JSON. Upstream
// has three types for it: Structural, NestedValueValidation (below allOf, anyOf, oneOf and not),
// and kube-openapi's spec.Schema for validation. They have the same members; ValidateStructural
// checks which may be set where. Build, then immutable; thread-safe.
struct Node {
  std::string type;
  std::string format;
  std::string title;
  std::string description;
  // Null if there is none. As upstream, `default: null` is the same.
  unstructured::Value default_value;
  bool nullable = false;

  bool preserve_unknown_fields = false;
  bool embedded_resource = false;
  bool int_or_string = false;
  std::vector<std::string> list_map_keys;
  std::optional<std::string> list_type;
  std::optional<std::string> map_type;
  // The x-kubernetes-validations.
  std::vector<NodeRule> rules;

  std::optional<double> maximum;
  bool exclusive_maximum = false;
  std::optional<double> minimum;
  bool exclusive_minimum = false;
  std::optional<double> multiple_of;
  std::optional<int64_t> max_length;
  std::optional<int64_t> min_length;
  std::optional<int64_t> max_items;
  std::optional<int64_t> min_items;
  std::optional<int64_t> max_properties;
  std::optional<int64_t> min_properties;
  bool unique_items = false;
  std::string pattern;
  // Null if there is no pattern.
  std::unique_ptr<const text::GoRegexp> regexp;
  std::vector<unstructured::Value> enum_values;
  std::vector<std::string> required;

  std::vector<std::unique_ptr<const Node>> all_of;
  std::vector<std::unique_ptr<const Node>> any_of;
  std::vector<std::unique_ptr<const Node>> one_of;
  std::unique_ptr<const Node> not_;

  std::unique_ptr<const Node> items;
  Nodes properties;
  Additional additional = Additional::kAbsent;
  // Set for Additional::kSchema.
  std::unique_ptr<const Node> additional_schema;

  // Whether only the type is set.
  bool only_type = false;
  // Whether only those parts are set that the schema of metadata may have: a type, a default, and
  // the properties name and generateName.
  bool plain_metadata = false;

  const Node* FindProperty(absl::string_view name) const;
};

// Returns whether the schema, its properties or elements have rules; they are not allowed elsewhere
// (apiextensions-apiserver: `hasXValidations`).
bool HasRules(const Node& node);

// The maximum depth of nested schemas. Upstream is limited only by its decoder.
inline constexpr int kMaxSchemaDepth = 200;

// Returns INVALID_ARGUMENT with upstream's errors (apiextensions-apiserver:
// `schema.NewStructural`), or if a default or an enum is not JSON. Returns RESOURCE_EXHAUSTED
// beyond kMaxSchemaDepth.
absl::StatusOr<std::unique_ptr<const Node>> MakeNode(
    const api::apiextensions::v1::JSONSchemaProps& props);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_NODE_H_
