#include "apimachinery/crd_schema/check_object.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using unstructured::Unstructured;

// Returns the rules for objects of the version that the object has.
absl::StatusOr<std::shared_ptr<const CustomResource>> RulesFor(
    const CustomResourceDefinition& definition, const Unstructured& object) {
  CustomResourceDefinition complete = definition;
  SetDefaults(complete);
  KUBE_RETURN_IF_ERROR(validation::field::ToAggregate(ValidateDefinition(complete)),
                       "definition \"", definition.metadata.name.view(), "\"");
  absl::string_view version = object.api_version();
  if (!absl::ConsumePrefix(&version, absl::StrCat(definition.spec.group.view(), "/"))) {
    return absl::InvalidArgumentError(
        absl::StrCat("check object: apiVersion \"", object.api_version(),
                     "\" is not of the group \"", definition.spec.group.view(), "\""));
  }
  return CustomResource::Make(complete, version);
}

// Sets what a server sets in the metadata of the objects that it stores.
void SetSystemFields(Unstructured& object) {
  if (object.resource_version().empty()) object.set_resource_version("1");
}

// Sets what a client may leave out in an update.
void KeepSystemFields(const Unstructured& old_object, Unstructured& object) {
  if (object.resource_version().empty()) {
    object.set_resource_version(old_object.resource_version());
  }
  if (object.uid().empty() && !old_object.uid().empty()) object.set_uid(old_object.uid());
  object.set_creation_timestamp(old_object.creation_timestamp());
  object.set_generation(old_object.generation());
}

}  // namespace

absl::StatusOr<CheckedObject> CheckObject(const CustomResourceDefinition& definition,
                                          const Unstructured& object) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const CustomResource> rules,
                        RulesFor(definition, object));
  CheckedObject checked;
  checked.object = object;
  KUBE_ASSIGN_OR_RETURN(checked.unknown_fields, rules->Decode(checked.object), "check object");
  rules->PrepareForCreate(checked.object);
  checked.errors = rules->Validate(checked.object);
  return checked;
}

absl::StatusOr<CheckedObject> CheckUpdate(const CustomResourceDefinition& definition,
                                          const Unstructured& object,
                                          const Unstructured& old_object) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const CustomResource> rules,
                        RulesFor(definition, object));
  if (old_object.api_version() != object.api_version()) {
    return absl::InvalidArgumentError(
        absl::StrCat("check update: apiVersion \"", old_object.api_version(),
                     "\" of the old object is not \"", object.api_version(), "\""));
  }
  Unstructured stored = old_object;
  KUBE_RETURN_IF_ERROR(rules->Read(stored), "check update: read old object");
  SetSystemFields(stored);
  CheckedObject checked;
  checked.object = object;
  KUBE_ASSIGN_OR_RETURN(checked.unknown_fields, rules->Decode(checked.object), "check update");
  KeepSystemFields(stored, checked.object);
  rules->PrepareForUpdate(checked.object, stored);
  UpdateFindings findings = rules->ValidateUpdate(checked.object, stored);
  checked.errors = std::move(findings.errors);
  checked.warnings = std::move(findings.warnings);
  return checked;
}

}  // namespace kube::crd_schema
