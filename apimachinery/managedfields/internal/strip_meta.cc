#include "apimachinery/managedfields/internal/strip_meta.h"

#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"

namespace kube::managedfields::internal {
namespace {

// In the order of the set.
constexpr absl::string_view kNamesInMetadata[] = {
    "clusterName", "creationTimestamp", "generation", "managedFields", "name",
    "namespace",   "resourceVersion",   "selfLink",   "uid",
};

FieldSet MakeMetaFields() {
  FieldSet fields;
  for (const absl::string_view name : {"apiVersion", "kind", "metadata"}) {
    fields.Insert({PathElement::Field(name)});
  }
  for (const absl::string_view name : kNamesInMetadata) {
    fields.Insert({PathElement::Field("metadata"), PathElement::Field(name)});
  }
  return fields;
}

const FieldSet& MetaFields() {
  static base::NoDestructor<FieldSet> fields(MakeMetaFields());
  return *fields;
}

}  // namespace

Managers StripMeta(Managers managers, const ManagerId& manager) {
  const auto entry = managers.find(manager);
  if (entry == managers.end()) return managers;
  entry->second.fields = entry->second.fields.Difference(MetaFields());
  if (entry->second.fields.empty()) managers.erase(entry);
  return managers;
}

}  // namespace kube::managedfields::internal
