#include "apimachinery/managedfields/schema.h"

#include <algorithm>

#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/path_element.h"

namespace kube::managedfields {
namespace {

// The schemas of values of which nothing is known. They refer to each other.
struct Untyped {
  Untyped() {
    atomic = {.scalar = ScalarType::kUntyped, .list = &atomic_list, .map = &atomic_map};
    atomic_list.element = &atomic;
    atomic_map.element = &atomic;
    atomic_map.atomic = true;
    deduced = {.scalar = ScalarType::kUntyped, .list = &atomic_list, .map = &deduced_map};
    deduced_map.element = &deduced;
  }

  Schema atomic;
  ListSchema atomic_list;
  MapSchema atomic_map;
  Schema deduced;
  MapSchema deduced_map;
};

const Untyped& GetUntyped() {
  static base::NoDestructor<Untyped> untyped;
  return *untyped;
}

// `schema` is null if nothing is known of the part. Then nothing below it is named. As upstream, a
// list is only followed through items with keys: what is below an index or the item of a set has no
// schema.
FieldSet EnsureNamed(const FieldSet& set, const Schema* schema) {
  if (schema == nullptr) return set;
  FieldSet result;
  for (const FieldSet::Node& node : set.nodes()) {
    const PathElement::Type type = node.element.type();
    const Schema* named = nullptr;
    const Schema* part = nullptr;
    if (type == PathElement::Type::kField && schema->map != nullptr) {
      named = schema->map->FindField(node.element.field_name());
      part = named != nullptr ? named : schema->map->element;
    } else if (type == PathElement::Type::kKey && schema->list != nullptr) {
      part = schema->list->element;
    }
    result.Append(node.element, node.is_member || named != nullptr,
                  EnsureNamed(node.children, part));
  }
  return result;
}

}  // namespace

const Schema* MapSchema::FindField(absl::string_view name) const {
  const auto found = std::lower_bound(fields.begin(), fields.end(), name,
                                      [](const FieldSchema& field, absl::string_view wanted) {
                                        return absl::string_view(field.name) < wanted;
                                      });
  if (found == fields.end() || absl::string_view(found->name) != name) return nullptr;
  return found->schema;
}

const Schema* MapSchema::Find(absl::string_view key) const {
  const Schema* field = FindField(key);
  return field != nullptr ? field : element;
}

const Schema& DeducedSchema() { return GetUntyped().deduced; }

const Schema& UntypedAtomicSchema() { return GetUntyped().atomic; }

FieldSet EnsureNamedFieldsAreMembers(const FieldSet& set, const Schema& schema) {
  return EnsureNamed(set, &schema);
}

}  // namespace kube::managedfields
