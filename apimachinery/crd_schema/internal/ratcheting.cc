#include "apimachinery/crd_schema/internal/ratcheting.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema::internal {
namespace {

using unstructured::Value;

bool IsListMap(const Node& node) {
  return node.type == "array" && node.list_type == "map" && !node.list_map_keys.empty() &&
         node.items != nullptr;
}

// Returns whether both have all keys with equal scalar values.
bool HaveSameKeys(const Node& node, const Value& a, const Value& b) {
  return absl::c_all_of(node.list_map_keys, [&](const std::string& name) {
    const Value* key_a = a.Find(name);
    const Value* key_b = b.Find(name);
    return key_a != nullptr && key_b != nullptr && !key_a->is_null() && !key_a->is_list() &&
           !key_a->is_object() && *key_a == *key_b;
  });
}

}  // namespace

const Node* MemberSchema(const Node& node, absl::string_view name) {
  const Node* property = node.FindProperty(name);
  return property != nullptr ? property : node.additional_schema.get();
}

const Value* OldElement(const Node& node, const Value& element, const Value& old_list) {
  if (!IsListMap(node) || !old_list.is_list() || !element.is_object()) return nullptr;
  for (const Value& old_element : *old_list.list()) {
    if (old_element.is_object() && HaveSameKeys(node, element, old_element)) return &old_element;
  }
  return nullptr;
}

bool IsUnchanged(const Node& node, const Value& value, const Value& old_value) {
  if (value.type() != old_value.type()) return false;
  if (value.is_object()) return IsUnchanged(node, *value.object(), *old_value.object());
  if (!value.is_list() || node.list_type != "map") return value == old_value;
  if (value.list()->size() != old_value.list()->size()) return false;
  return absl::c_all_of(*value.list(), [&](const Value& element) {
    const Value* old_element = OldElement(node, element, old_value);
    return old_element != nullptr && IsUnchanged(*node.items, element, *old_element);
  });
}

bool IsUnchanged(const Node& node, const Map<Value>& object, const Map<Value>& old_object) {
  if (object.size() != old_object.size()) return false;
  for (const auto& [name, member] : object) {
    const Node* schema = MemberSchema(node, name.view());
    const Value* old_member = old_object.find(name);
    if (schema == nullptr || old_member == nullptr || !IsUnchanged(*schema, member, *old_member)) {
      return false;
    }
  }
  return true;
}

}  // namespace kube::crd_schema::internal
