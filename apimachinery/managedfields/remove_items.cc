#include "apimachinery/managedfields/remove_items.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/to_field_set.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

enum class Mode : uint8_t { kRemove, kExtract };

// Finds the nodes of the fields of one map, whose keys must be asked for in ascending order.
class FieldCursor {
 public:
  explicit FieldCursor(const FieldSet& set) : next_(set.nodes().begin()), end_(set.nodes().end()) {}

  const FieldSet::Node* Find(absl::string_view name) {
    while (IsAtField() && next_->element.field_name() < name) ++next_;
    return IsAtField() && next_->element.field_name() == name ? &*next_ : nullptr;
  }

 private:
  // Fields are sorted before the elements of other types.
  bool IsAtField() const {
    return next_ != end_ && next_->element.type() == PathElement::Type::kField;
  }

  std::vector<FieldSet::Node>::const_iterator next_;
  const std::vector<FieldSet::Node>::const_iterator end_;
};

Value Select(const Value& value, const FieldSet& set, const Schema* schema, Mode mode);

Value SelectFromList(const Value& value, const FieldSet& set, const ListSchema& schema, Mode mode) {
  const List<Value>& list = *value.list();
  // What has no parts of its own is extracted as a whole. When parts of it are to be removed,
  // upstream leaves nothing of it.
  if (list.empty() || !schema.associative) return mode == Mode::kExtract ? value : Value();
  List<Value> kept;
  for (const Value& item : list) {
    const absl::StatusOr<PathElement> element = internal::ListItemElement(item, schema);
    const FieldSet::Node* node = element.ok() ? set.Find(*element) : nullptr;
    if (node == nullptr) {
      if (mode == Mode::kRemove) kept.push_back(item);
    } else if (mode == Mode::kExtract && node->children.empty()) {
      kept.push_back(item);
    } else if (mode == Mode::kExtract || !node->is_member) {
      kept.push_back(Select(item, node->children, schema.element, mode));
    }
  }
  return kept.empty() ? Value() : Value(std::move(kept));
}

Value SelectFromMap(const Value& value, const FieldSet& set, const MapSchema& schema, Mode mode) {
  const Map<Value>& map = *value.object();
  if (map.empty() || schema.atomic) return mode == Mode::kExtract ? value : Value();
  Map<Value> kept;
  FieldCursor cursor(set);
  for (const auto& [key, member] : map) {
    const FieldSet::Node* node = cursor.Find(key.view());
    if (node == nullptr) {
      if (mode == Mode::kRemove) kept[key] = member;
    } else if (!node->is_member) {
      kept[key] = Select(member, node->children, schema.Find(key.view()), mode);
    } else if (mode == Mode::kExtract) {
      // Upstream looks into a member with the set of its parent. This makes no difference to
      // leaves. Of other values it keeps only what happens to have the names of this level.
      kept[key] = Select(member, set, schema.Find(key.view()), mode);
    }
  }
  return kept.empty() ? Value() : Value(std::move(kept));
}

Value Select(const Value& value, const FieldSet& set, const Schema* schema, Mode mode) {
  if (schema == nullptr) return Value();
  if (value.is_list()) {
    return schema->list != nullptr ? SelectFromList(value, set, *schema->list, mode) : Value();
  }
  if (value.is_object()) {
    return schema->map != nullptr ? SelectFromMap(value, set, *schema->map, mode) : Value();
  }
  return schema->scalar != ScalarType::kNone ? value : Value();
}

// Adds to `keys` the key fields of the list items in and below which `set` and `present` have a
// common member. Returns whether they have one.
bool AddKeyFields(const FieldSet& set, const FieldSet& present, FieldSet& keys) {
  bool has_common = false;
  for (const FieldSet::Node& node : set.nodes()) {
    const FieldSet::Node* other = present.Find(node.element);
    if (other == nullptr) continue;
    FieldSet below;
    bool is_common = AddKeyFields(node.children, other->children, below);
    is_common |= node.is_member && other->is_member;
    has_common |= is_common;
    if (is_common && node.element.key() != nullptr) {
      for (const auto& entry : *node.element.key()) {
        below.Insert({PathElement::Field(entry.key.view())});
      }
    }
    if (!below.empty()) keys.Append(node.element, false, std::move(below));
  }
  return has_common;
}

}  // namespace

Value RemoveItems(const Value& value, const FieldSet& set, const Schema& schema) {
  return Select(value, set, &schema, Mode::kRemove);
}

Value ExtractItems(const Value& value, const FieldSet& set, const Schema& schema,
                   const ExtractItemsOptions& options) {
  if (options.append_key_fields) {
    const absl::StatusOr<FieldSet> present = ToFieldSet(value, schema);
    FieldSet keys;
    if (present.ok() && AddKeyFields(set, *present, keys)) {
      return Select(value, set.Union(keys), &schema, Mode::kExtract);
    }
  }
  return Select(value, set, &schema, Mode::kExtract);
}

}  // namespace kube::managedfields
