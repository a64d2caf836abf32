#include "apimachinery/managedfields/reconcile.h"

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/internal/walk_errors.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"

// A set is walked twice: first to see whether anything changes, which copies nothing, then, rarely,
// to make the new set.
namespace kube::managedfields {
namespace {

using internal::OrNothing;
using internal::WalkErrors;

// What happens to the fields below a node of a set.
enum class Change : uint8_t {
  kKeep,      // they stay
  kCollapse,  // the node takes their place, because it is owned as a whole now
  kDescend,   // those below them may change
  kInvalid,   // the schema allows nothing
};

// Returns whether nothing is known of the content of a map. Upstream exempts maps without fields
// whose elements are of the deduced type, or of an inlined type that may be any scalar.
bool IsUntyped(const MapSchema& map) {
  if (!map.fields.empty() || map.element == nullptr) return false;
  if (map.element->scalar != ScalarType::kUntyped) return false;
  const MapSchema* inner = map.element->map;
  return inner == nullptr || (!inner->atomic && inner->fields.empty());
}

// Without a value there is nothing to deduce from: a schema that allows a map is taken for one.
Change ChangeOf(const Schema& schema) {
  if (schema.map != nullptr) {
    if (IsUntyped(*schema.map)) return Change::kKeep;
    return schema.map->atomic ? Change::kCollapse : Change::kDescend;
  }
  if (schema.scalar != ScalarType::kNone) return Change::kKeep;
  if (schema.list == nullptr) return Change::kInvalid;
  return schema.list->associative ? Change::kDescend : Change::kCollapse;
}

// What happens below `node`, which is in a set below a schema into which one descends.
struct Below {
  Change change = Change::kKeep;
  const Schema* schema = nullptr;
};
Below BelowNode(const FieldSet::Node& node, const Schema& parent) {
  if (node.children.empty()) return {};
  const Schema* schema = nullptr;
  if (parent.map == nullptr) {
    schema = &OrNothing(parent.list->element);
  } else if (node.element.type() == PathElement::Type::kField) {
    schema = parent.map->Find(node.element.field_name());
  } else {
    schema = parent.map->element;
  }
  // Fields that the schema does not have stay as they are.
  if (schema == nullptr) return {};
  return {.change = ChangeOf(*schema), .schema = schema};
}

// Returns whether the set has to change.
bool HasChanges(const FieldSet& set, const Schema& schema, WalkErrors& errors) {
  bool has_changes = false;
  for (const FieldSet::Node& node : set.nodes()) {
    const Below below = BelowNode(node, schema);
    switch (below.change) {
      case Change::kKeep:
        break;
      case Change::kCollapse:
        has_changes = true;
        break;
      case Change::kDescend:
        if (HasChanges(node.children, *below.schema, errors)) has_changes = true;
        break;
      case Change::kInvalid:
        errors.Add("schema error: invalid atom: inlined");
        break;
    }
  }
  return has_changes;
}

FieldSet Changed(const FieldSet& set, const Schema& schema) {
  FieldSet out;
  for (const FieldSet::Node& node : set.nodes()) {
    const Below below = BelowNode(node, schema);
    if (below.change == Change::kCollapse) {
      out.Append(node.element, true, FieldSet());
    } else if (below.change == Change::kDescend) {
      out.Append(node.element, node.is_member, Changed(node.children, *below.schema));
    } else {
      out.Append(node.element, node.is_member, node.children);
    }
  }
  return out;
}

}  // namespace

absl::StatusOr<std::optional<FieldSet>> ReconcileWithSchema(const FieldSet& set,
                                                            const Schema& schema) {
  const Change change = ChangeOf(schema);
  WalkErrors errors;
  if (change == Change::kInvalid) errors.Add("schema error: invalid atom: inlined");
  const bool has_changes = change == Change::kDescend && HasChanges(set, schema, errors);
  KUBE_RETURN_IF_ERROR(errors.ToStatus(), "errors reconciling field set with schema");
  if (!has_changes) return std::nullopt;
  return std::optional<FieldSet>(Changed(set, schema));
}

}  // namespace kube::managedfields
