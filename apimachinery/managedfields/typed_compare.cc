#include "apimachinery/managedfields/typed_compare.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/typed_comparer.h"
#include "apimachinery/managedfields/internal/typed_plan.h"
#include "apimachinery/managedfields/internal/value_comparer.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ObjectMeta;
using internal::TypedComparer;
using internal::TypedPlan;
using unstructured::Value;

// What stored objects, which may be older than a rule of their schema, are checked by.
constexpr ValidateOptions kStored = {.allow_duplicates = true};

absl::StatusOr<Comparison> CompareAt(TypedComparer::Place place, const void* before,
                                     const void* after, const kube::table::Message& message) {
  const TypedPlan& plan = internal::TypedPlanOf(message);
  // Nobody owns the object as a whole.
  if (!plan.is_object() || plan.schema->map->atomic) return Comparison();
  const auto* old_object = static_cast<const char*>(before);
  const auto* new_object = static_cast<const char*>(after);
  TypedComparer comparer;
  comparer.Check(old_object, plan);
  comparer.Check(new_object, plan);
  Comparison comparison = comparer.CompareStructs(old_object, new_object, plan, place);
  KUBE_RETURN_IF_ERROR(comparer.ToStatus());
  return comparison;
}

absl::Status CheckMembers(const Map<Value>& members, const MapSchema& schema) {
  for (const auto& [name, value] : members) {
    const Schema* member = schema.Find(name.view());
    if (member == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(".", name.view(), ": field not declared in schema"));
    }
    KUBE_RETURN_IF_ERROR(Validate(value, *member, kStored), ".", name.view());
  }
  return absl::OkStatus();
}

absl::StatusOr<Value> MetadataValue(const ObjectMeta& metadata) {
  KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ToValue(metadata));
  value.object()->erase("managedFields");
  return value;
}

// Compares the metadata. The schema of a definition without a structural schema knows nothing of
// it.
absl::StatusOr<Comparison> CompareMetadata(const ObjectMeta& before, const ObjectMeta& after,
                                           const Schema& schema) {
  if (&schema == &SchemaOf(ObjectMeta::kMessage)) {
    return CompareAt(TypedComparer::Place::kMetadata, &before, &after, ObjectMeta::kMessage);
  }
  KUBE_ASSIGN_OR_RETURN(const Value old_value, MetadataValue(before));
  KUBE_ASSIGN_OR_RETURN(const Value new_value, MetadataValue(after));
  KUBE_RETURN_IF_ERROR(Validate(old_value, schema, kStored), ".metadata");
  KUBE_RETURN_IF_ERROR(Validate(new_value, schema, kStored), ".metadata");
  return Compare(old_value, new_value, schema);
}

void AddMetadata(FieldSet metadata, FieldSet& to) {
  if (metadata.empty()) return;
  to.Add(PathElement::Field("metadata")).children = std::move(metadata);
}

}  // namespace

absl::StatusOr<Comparison> CompareTyped(const void* before, const void* after,
                                        const kube::table::Message& message) {
  return CompareAt(TypedComparer::Place::kRoot, before, after, message);
}

absl::StatusOr<Comparison> CompareCustom(const CustomObject& before, const CustomObject& after,
                                         const Schema& schema) {
  const Schema* metadata_schema = schema.map == nullptr ? nullptr : schema.map->Find("metadata");
  if (metadata_schema == nullptr) {
    return absl::InvalidArgumentError("the schema is not one of objects with metadata");
  }
  KUBE_RETURN_IF_ERROR(CheckMembers(*after.members, *schema.map));
  KUBE_RETURN_IF_ERROR(CheckMembers(*before.members, *schema.map));
  // Nobody owns the object as a whole.
  if (schema.map->atomic) return Comparison();
  KUBE_ASSIGN_OR_RETURN(Comparison metadata,
                        CompareMetadata(*before.metadata, *after.metadata, *metadata_schema));
  internal::ValueComparer comparer;
  Comparison comparison;
  comparer.CompareMaps(absl::MakeConstSpan(before.members->begin(), before.members->size()),
                       absl::MakeConstSpan(after.members->begin(), after.members->size()),
                       *schema.map, comparison);
  KUBE_RETURN_IF_ERROR(comparer.ToStatus());
  AddMetadata(std::move(metadata.removed), comparison.removed);
  AddMetadata(std::move(metadata.modified), comparison.modified);
  AddMetadata(std::move(metadata.added), comparison.added);
  return comparison;
}

}  // namespace kube::managedfields
