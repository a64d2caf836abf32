#ifndef APISERVER_CRD_SCHEMA_INTERNAL_NODE_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_NODE_H_

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
#include "apimachinery/unstructured/value.h"
#include "apiserver/crd_schema/internal/go_regexp.h"

namespace kube::crd_schema::internal {

struct Node;
// Sorted by name, so that errors come in the same order each time.
using Nodes = std::map<std::string, std::unique_ptr<const Node>, std::less<>>;

// What additionalProperties says.
enum class Additional : uint8_t { kAbsent, kFalse, kTrue, kSchema };

// One schema in a tree of schemas: JSONSchemaProps with its patterns compiled and its JSON parsed.
// Upstream has three types for it: Structural, NestedValueValidation below allOf and its
// neighbours, and kube-openapi's spec.Schema for validation. They hold the same members; which of
// them may be set where is what ValidateStructural checks. Build, then immutable: thread-safe.
struct Node {
  std::string type;
  std::string format;
  std::string title;
  std::string description;
  // Null: there is none, as upstream, which cannot tell `default: null` from none.
  unstructured::Value default_value;
  bool nullable = false;

  bool preserve_unknown_fields = false;
  bool embedded_resource = false;
  bool int_or_string = false;
  std::vector<std::string> list_map_keys;
  std::optional<std::string> list_type;
  std::optional<std::string> map_type;
  // There are x-kubernetes-validations.
  bool has_rules = false;

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
  // Null: there is no pattern.
  std::unique_ptr<const GoRegexp> regexp;
  std::vector<unstructured::Value> enum_values;
  std::vector<std::string> required;

  std::vector<std::unique_ptr<const Node>> all_of;
  std::vector<std::unique_ptr<const Node>> any_of;
  std::vector<std::unique_ptr<const Node>> one_of;
  std::unique_ptr<const Node> not_;

  std::unique_ptr<const Node> items;
  Nodes properties;
  Additional additional = Additional::kAbsent;
  // Of kSchema.
  std::unique_ptr<const Node> additional_schema;

  // Nothing but the type is set.
  bool only_type = false;
  // Nothing is set but what the schema of metadata may say: a type, a default, and the two
  // properties name and generateName.
  bool plain_metadata = false;

  const Node* FindProperty(absl::string_view name) const;
};

// How deeply schemas may be nested in one another. Upstream has no limit but the decoder's.
inline constexpr int kMaxSchemaDepth = 200;

// INVALID_ARGUMENT as schema.NewStructural, or where a default or an enum is no JSON;
// RESOURCE_EXHAUSTED where schemas are nested too deeply.
absl::StatusOr<std::unique_ptr<const Node>> MakeNode(
    const api::apiextensions::v1::JSONSchemaProps& props);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_NODE_H_
