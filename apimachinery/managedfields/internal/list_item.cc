#include "apimachinery/managedfields/internal/list_item.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

absl::Status NoKeyError(const ListSchema& list) {
  std::string names;
  for (const ListKey& key : list.keys) {
    if (!names.empty()) names += ' ';
    text::AppendQuoted(names, key.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("associative list with keys has an element that omits all key fields [", names,
                   "] (and doesn't have default values for any key fields)"));
}

absl::StatusOr<ItemKey> MapItemKey(const Value& item, const ListSchema& list) {
  if (item.is_null()) {
    return absl::InvalidArgumentError("associative list with keys may not have a null element");
  }
  const Map<Value>* fields = item.object();
  if (fields == nullptr) {
    return absl::InvalidArgumentError("associative list with keys may not have non-map elements");
  }
  ItemKey key;
  bool has_key = false;
  for (const ListKey& field : list.keys) {
    const Value* value = fields->find(field.name);
    if (value == nullptr) {
      if (OrNothing(list.element).map == nullptr) {
        return absl::InvalidArgumentError(
            absl::StrCat("couldn't find default value for ", field.name,
                         ": associative list may not have non-map types"));
      }
      if (field.default_value.has_value()) value = &*field.default_value;
    }
    has_key = has_key || value != nullptr;
    key.push_back(value);
  }
  if (!has_key) return NoKeyError(list);
  return key;
}

absl::StatusOr<ItemKey> SetItemKey(const Value& item) {
  switch (item.type()) {
    case ValueType::kObject:
      return absl::InvalidArgumentError(
          "associative list without keys has an element that's a map type");
    case ValueType::kList:
      return absl::InvalidArgumentError("not supported: associative list with lists as elements");
    case ValueType::kNull:
      return absl::InvalidArgumentError(
          "associative list without keys has an element that's an explicit null");
    default:
      return ItemKey{&item};
  }
}

}  // namespace

absl::StatusOr<ItemKey> ItemKeyOf(const Value& item, const ListSchema& list) {
  if (!list.associative) {
    return absl::InvalidArgumentError("invalid indexing of non-associative list");
  }
  return list.keys.empty() ? SetItemKey(item) : MapItemKey(item, list);
}

PathElement ElementOf(const ItemKey& key, const ListSchema& list) {
  if (list.keys.empty()) return PathElement::Item(*key.front());
  Map<Value> fields;
  for (size_t i = 0; i < key.size(); ++i) {
    if (key[i] != nullptr) fields.insert_or_assign(list.keys[i].name, *key[i]);
  }
  return PathElement::Key(std::move(fields));
}

absl::StatusOr<PathElement> ListItemElement(const Value& item, const ListSchema& list) {
  KUBE_ASSIGN_OR_RETURN(const ItemKey key, ItemKeyOf(item, list));
  return ElementOf(key, list);
}

Form FormOf(const Value& value, const Schema& schema) {
  if (value.is_object() && schema.map != nullptr && !schema.map->atomic) return Form::kMap;
  if (value.is_list() && schema.list != nullptr && schema.list->associative) return Form::kList;
  return Form::kLeaf;
}

Atom AtomOf(const Value& value, const Schema& schema) {
  if (value.is_object()) {
    if (schema.map != nullptr) return Atom::kMap;
  } else if (value.is_list()) {
    if (schema.list != nullptr) return Atom::kList;
  } else if (!value.is_null()) {
    if (schema.scalar != ScalarType::kNone) return Atom::kScalar;
  }
  if (schema.map != nullptr) return Atom::kMap;
  if (schema.scalar != ScalarType::kNone) return Atom::kScalar;
  return schema.list != nullptr ? Atom::kList : Atom::kNone;
}

const Schema& OrNothing(const Schema* schema) {
  static constexpr Schema kNothing = {};
  return schema != nullptr ? *schema : kNothing;
}

}  // namespace kube::managedfields::internal
