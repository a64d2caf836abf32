#include "apimachinery/managedfields/extract.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/remove_items.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Value;

const metav1::ManagedFieldsEntry* FindEntry(const List<metav1::ManagedFieldsEntry>& entries,
                                            absl::string_view manager,
                                            absl::string_view subresource) {
  for (const metav1::ManagedFieldsEntry& entry : entries) {
    if (entry.manager == manager && entry.operation == metav1::kManagedFieldsOperationApply &&
        entry.subresource == subresource) {
      return &entry;
    }
  }
  return nullptr;
}

absl::StatusOr<Value> ExtractEntry(const Value& object, const metav1::ManagedFieldsEntry& entry,
                                   const Schema& schema) {
  const std::optional<absl::string_view> version = object["apiVersion"].text();
  if (version.has_value() && entry.api_version != *version) {
    return absl::InvalidArgumentError(
        absl::StrCat("extract fields of \"", entry.manager.view(), "\": they are in terms of \"",
                     entry.api_version.view(), "\", but the object is of \"", *version, "\""));
  }
  KUBE_ASSIGN_OR_RETURN(const FieldSet fields, DecodeFieldsV1(entry.fields_v1->view()),
                        "error marshalling FieldsV1 to JSON");
  Value owned = ExtractItems(object, fields.Leaves(), schema);
  if (!owned.is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unable to convert managed fields for ", entry.manager.view(),
                     " to unstructured, expected map, got ", unstructured::GoType(owned)));
  }
  return owned;
}

// Copies a member if the object has it.
void CopyText(const Value& from, Map<Value>& to, absl::string_view name) {
  const std::optional<absl::string_view> text = from[name].text();
  if (text.has_value() && !text->empty()) to[name] = *text;
}

// Copies what identifies the object, which no manager owns.
void CopyIdentity(const Value& object, Map<Value>& owned) {
  CopyText(object, owned, "apiVersion");
  CopyText(object, owned, "kind");
  Map<Value> identity;
  CopyText(object["metadata"], identity, "name");
  CopyText(object["metadata"], identity, "namespace");
  if (identity.empty()) return;
  Value& metadata = owned["metadata"];
  if (!metadata.is_object()) {
    metadata = std::move(identity);
    return;
  }
  for (auto& [name, text] : identity) (*metadata.object())[name] = std::move(text);
}

}  // namespace

absl::StatusOr<Value> ExtractOwned(const TrackedObject& object, const Schema& schema,
                                   absl::string_view manager, absl::string_view subresource) {
  KUBE_RETURN_IF_ERROR(Validate(object.object, schema), "error converting obj to typed");
  Value owned = Map<Value>();
  const metav1::ManagedFieldsEntry* entry = FindEntry(object.managed_fields, manager, subresource);
  if (entry != nullptr) {
    KUBE_ASSIGN_OR_RETURN(owned, ExtractEntry(object.object, *entry, schema));
  }
  CopyIdentity(object.object, *owned.object());
  return owned;
}

}  // namespace kube::managedfields
