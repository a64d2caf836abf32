#include "apimachinery/crd_schema/defaulting.h"

#include <memory>
#include <string>
#include <vector>

#include "apimachinery/crd_schema/internal/erase_members.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema {
namespace {

using crd_schema::internal::Node;
using unstructured::Value;

// Returns null if the member has no schema.
const Node* SchemaOf(const Node& node, const String& name) {
  const Node* property = node.FindProperty(name.view());
  return property != nullptr ? property : node.additional_schema.get();
}

bool IsWrongNull(const Value& value, const Node& node) { return value.is_null() && !node.nullable; }

void PruneNullsOf(const Node& node, Map<Value>& object);

void PruneNullsOf(const Node& node, Value& value) {
  if (Map<Value>* object = value.object(); object != nullptr) {
    PruneNullsOf(node, *object);
  } else if (List<Value>* list = value.list(); list != nullptr && node.items != nullptr) {
    for (Value& element : *list) PruneNullsOf(*node.items, element);
  }
}

void PruneNullsOf(const Node& node, Map<Value>& object) {
  std::vector<std::string> nulls;
  for (auto& [name, member] : object) {
    const Node* schema = SchemaOf(node, name);
    if (schema == nullptr) continue;
    if (IsWrongNull(member, *schema) && schema->default_value.is_null()) {
      nulls.emplace_back(name);
    } else {
      PruneNullsOf(*schema, member);
    }
  }
  crd_schema::internal::EraseMembers(object, nulls);
}

void DefaultObject(const Node& node, Map<Value>& object);

void DefaultValue(const Node& node, Value& value) {
  if (Map<Value>* object = value.object(); object != nullptr) {
    DefaultObject(node, *object);
  } else if (List<Value>* list = value.list(); list != nullptr && node.items != nullptr) {
    for (Value& element : *list) {
      // Without a default, the null stays.
      if (IsWrongNull(element, *node.items)) element = node.items->default_value;
      DefaultValue(*node.items, element);
    }
  }
}

void DefaultObject(const Node& node, Map<Value>& object) {
  for (const auto& [name, property] : node.properties) {
    if (property->default_value.is_null()) continue;
    const Value* member = object.find(name);
    if (member == nullptr || IsWrongNull(*member, *property)) {
      object.insert_or_assign(name, property->default_value);
    }
  }
  for (auto& [name, member] : object) {
    const Node* schema = SchemaOf(node, name);
    if (schema == nullptr) continue;
    if (schema == node.additional_schema.get() && IsWrongNull(member, *schema)) {
      member = schema->default_value;
    }
    DefaultValue(*schema, member);
  }
}

}  // namespace

void PruneNulls(const Structural& schema, Map<Value>& object) {
  PruneNullsOf(schema.root(), object);
}

void Default(const Structural& schema, Map<Value>& object) { DefaultObject(schema.root(), object); }

}  // namespace kube::crd_schema
