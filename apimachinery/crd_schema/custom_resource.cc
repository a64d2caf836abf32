#include "apimachinery/crd_schema/custom_resource.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/crd_schema/defaulting.h"
#include "apimachinery/crd_schema/embedded_metadata.h"
#include "apimachinery/crd_schema/internal/rule_tree.h"
#include "apimachinery/crd_schema/list_types.h"
#include "apimachinery/crd_schema/pruning.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/value_validation.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/object_meta.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::CustomResourceDefinitionVersion;
using field::Path;
using unstructured::Unstructured;
using unstructured::Value;

// Splits ".spec.replicas" into {"spec", "replicas"}.
std::vector<absl::string_view> Members(absl::string_view path) {
  return absl::StrSplit(absl::StripPrefix(path, "."), '.');
}

void CheckReplicas(const Unstructured& object, absl::string_view path, field::ErrorList& errors) {
  const absl::StatusOr<std::optional<int64_t>> found =
      unstructured::NestedInt64(object.object, Members(path));
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  const int64_t replicas = found.ok() ? found->value_or(0) : 0;
  const auto invalid = [&](absl::string_view detail) {
    errors.push_back(field::Invalid(Path(path), replicas, detail));
  };
  if (!found.ok()) {
    invalid(found.status().message());
  } else if (replicas < 0) {
    invalid("should be a non-negative integer");
  } else if (replicas > kMax) {
    invalid(absl::StrCat("should be less than or equal to ", kMax));
  }
}

// Returns whether everything except the metadata is equal.
bool IsSameContent(const Unstructured& a, const Unstructured& b) {
  Map<Value> content_a = a.object;
  Map<Value> content_b = b.object;
  content_a.erase("metadata");
  content_b.erase("metadata");
  return content_a == content_b;
}

absl::Status SetMetadata(const Metadata& metadata, Map<Value>& object) {
  KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ToValue(metadata.value));
  object.insert_or_assign("metadata", std::move(value));
  return absl::OkStatus();
}

// Returns whether rules are not evaluated because of the error: they could meet values of other
// types and sizes than they expect (apiextensions-apiserver: `hasBlockingErr`).
bool IsBlocking(const field::Error& error) {
  return error.type == field::ErrorType::kNotSupported ||
         error.type == field::ErrorType::kRequired || error.type == field::ErrorType::kTooLong ||
         error.type == field::ErrorType::kTooMany || error.type == field::ErrorType::kTypeInvalid;
}

api::meta::v1::ObjectMeta MetadataOf(const Unstructured& object) {
  absl::StatusOr<std::optional<Metadata>> found = GetObjectMeta(object.object, Path());
  return found.ok() && found->has_value() ? std::move((*found)->value)
                                          : api::meta::v1::ObjectMeta();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const CustomResource>> CustomResource::Make(
    const CustomResourceDefinition& definition, absl::string_view version) {
  const auto& spec = definition.spec;
  const CustomResourceDefinitionVersion* found = absl::c_find_if(
      spec.versions, [&](const auto& candidate) { return candidate.name == version; });
  if (found == spec.versions.end()) {
    return absl::NotFoundError(absl::StrCat("find version \"", version, "\" of \"",
                                            definition.metadata.name.view(), "\": not found"));
  }
  auto made = std::make_shared<CustomResource>(Key());
  made->api_version_ = absl::StrCat(spec.group.view(), "/", version);
  made->kind_ = std::string(spec.names.kind);
  made->namespaced_ = spec.scope == "Namespaced";
  made->preserve_unknown_fields_ = spec.preserve_unknown_fields;
  if (found->subresources) {
    made->has_status_ = found->subresources->status.has_value();
    if (found->subresources->scale) made->scale_ = *found->subresources->scale;
  }
  if (found->schema && found->schema->open_api_v3_schema) {
    KUBE_ASSIGN_OR_RETURN(made->schema_, Structural::Make(*found->schema->open_api_v3_schema));
    made->rules_ = crd_schema::internal::RuleTree::Make(made->schema_->root(),
                                                        /*is_resource=*/true);
  }
  made->merge_schema_ = MergeSchema::Make(made->schema_.get());
  return made;
}

absl::StatusOr<std::vector<std::string>> CustomResource::Coerce(Unstructured& object,
                                                                bool from_storage) const {
  KUBE_RETURN_IF_ERROR(unstructured::NestedString(object.object, {"kind"}));
  KUBE_RETURN_IF_ERROR(unstructured::NestedString(object.object, {"apiVersion"}));
  const CoerceOptions options = {.drop_invalid = from_storage, .report_unknown = !from_storage};
  KUBE_ASSIGN_OR_RETURN(std::optional<Metadata> metadata,
                        GetObjectMeta(object.object, Path(), options));
  std::vector<std::string> unknown;
  if (metadata.has_value()) unknown = metadata->unknown;
  if (!preserve_unknown_fields_) {
    for (std::string& path : Prune(schema_.get(), object.object)) {
      unknown.push_back(std::move(path));
    }
    if (schema_ != nullptr) PruneNulls(*schema_, object.object);
  }
  if (schema_ != nullptr) {
    Coerced coerced = CoerceEmbedded(*schema_, object.object, options);
    if (coerced.error.has_value()) return absl::InvalidArgumentError(coerced.error->ToString());
    for (std::string& path : coerced.unknown) unknown.push_back(std::move(path));
  }
  if (metadata.has_value()) {
    // The first servers with CRDs stored objects without a generation.
    if (from_storage && metadata->value.generation == 0) metadata->value.generation = 1;
    KUBE_RETURN_IF_ERROR(SetMetadata(*metadata, object.object));
  }
  return unknown;
}

absl::StatusOr<std::vector<std::string>> CustomResource::Decode(Unstructured& object) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<std::string> unknown, Coerce(object, /*from_storage=*/false));
  if (schema_ != nullptr) Default(*schema_, object.object);
  for (std::string& path : unknown) path = absl::StrCat("unknown field \"", path, "\"");
  return unknown;
}

absl::Status CustomResource::Read(Unstructured& object) const {
  KUBE_RETURN_IF_ERROR(Coerce(object, /*from_storage=*/true).status());
  if (schema_ != nullptr) Default(*schema_, object.object);
  return absl::OkStatus();
}

absl::Status CustomResource::Convert(Unstructured& object) const {
  object.set_api_version(api_version_);
  return Coerce(object, /*from_storage=*/false).status();
}

void CustomResource::PrepareForCreate(Unstructured& object) const {
  if (has_status_) object.object.erase("status");
  object.set_generation(1);
}

void CustomResource::PrepareForUpdate(Unstructured& object, const Unstructured& old_object) const {
  if (has_status_) {
    if (const Value* status = old_object.object.find("status"); status != nullptr) {
      object.object.insert_or_assign("status", *status);
    } else {
      object.object.erase("status");
    }
  }
  if (!IsSameContent(object, old_object)) object.set_generation(old_object.generation() + 1);
}

void CustomResource::PrepareForStatusUpdate(Unstructured& object,
                                            const Unstructured& old_object) const {
  const Value* sent = object.object.find("status");
  const std::optional<Value> status = sent == nullptr ? std::nullopt : std::optional<Value>(*sent);
  const List<api::meta::v1::ManagedFieldsEntry> managed = object.managed_fields();
  object = old_object;
  object.set_managed_fields(managed);
  if (status.has_value()) {
    object.object.insert_or_assign("status", *status);
  } else {
    object.object.erase("status");
  }
}

// apiextensions-apiserver: `ValidateTypeMeta`.
bool CustomResource::CheckKind(const Unstructured& object, field::ErrorList& errors) const {
  if (object.kind() != kind_) {
    errors.push_back(
        field::Invalid(Path("kind"), std::string(object.kind()), absl::StrCat("must be ", kind_)));
  }
  if (object.api_version() != api_version_) {
    errors.push_back(field::Invalid(Path("apiVersion"), std::string(object.api_version()),
                                    absl::StrCat("must be ", api_version_)));
  }
  return errors.empty();
}

// apiextensions-apiserver: `ValidateScaleSpec`, `ValidateScaleStatus`.
void CustomResource::CheckScale(const Unstructured& object, bool with_spec,
                                field::ErrorList& errors) const {
  if (!scale_.has_value()) return;
  if (with_spec) CheckReplicas(object, scale_->spec_replicas_path.view(), errors);
  CheckReplicas(object, scale_->status_replicas_path.view(), errors);
  if (!scale_->label_selector_path.has_value()) return;
  const absl::string_view path = scale_->label_selector_path->view();
  const auto selector = unstructured::NestedString(object.object, Members(path));
  if (selector.ok()) return;
  errors.push_back(field::Invalid(Path(path), std::string(), selector.status().message()));
}

void CustomResource::CheckRules(const Unstructured& object, const Unstructured* old_object,
                                UpdateFindings& findings) const {
  if (rules_ == nullptr) return;
  if (absl::c_any_of(findings.errors, IsBlocking)) {
    findings.errors.push_back(
        field::Invalid(Path(), field::JsonValue{"null"},
                       "some validation rules were not checked because the object was invalid; "
                       "correct the existing errors to complete validation"));
    return;
  }
  const Value value(object.object);
  const Value old_value = old_object == nullptr ? Value() : Value(old_object->object);
  crd_schema::internal::RuleFindings found = rules_->Check(
      Path(), value, {.old_value = old_object == nullptr ? nullptr : &old_value, .ratchets = true});
  field::Append(findings.errors, std::move(found.errors));
  findings.warnings = std::move(found.warnings);
}

field::ErrorList CustomResource::Validate(const Unstructured& object) const {
  UpdateFindings findings;
  field::ErrorList& errors = findings.errors;
  if (!CheckKind(object, errors)) return std::move(findings.errors);
  errors = validation::ValidateObjectMeta(MetadataOf(object), namespaced_,
                                          validation::NameIsDnsSubdomain, Path("metadata"));
  if (schema_ != nullptr) field::Append(errors, ValidateObject(*schema_, object.object));
  CheckScale(object, /*with_spec=*/true, errors);
  if (schema_ != nullptr) {
    field::Append(errors, ValidateEmbedded(*schema_, object.object));
    field::Append(errors, ValidateListTypes(*schema_, object.object));
  }
  CheckRules(object, nullptr, findings);
  return std::move(findings.errors);
}

UpdateFindings CustomResource::ValidateUpdate(const Unstructured& object,
                                              const Unstructured& old_object) const {
  UpdateFindings findings;
  field::ErrorList& errors = findings.errors;
  if (!CheckKind(object, errors)) return findings;
  errors = validation::ValidateObjectMetaUpdate(MetadataOf(object), MetadataOf(old_object),
                                                Path("metadata"));
  if (schema_ != nullptr) {
    field::Append(errors, ValidateObjectUpdate(*schema_, object.object, old_object.object));
  }
  CheckScale(object, /*with_spec=*/true, errors);
  if (schema_ != nullptr) {
    field::Append(errors, ValidateEmbedded(*schema_, object.object));
    if (ValidateListTypes(*schema_, old_object.object).empty()) {
      field::Append(errors, ValidateListTypes(*schema_, object.object));
    }
  }
  CheckRules(object, &old_object, findings);
  return findings;
}

UpdateFindings CustomResource::ValidateStatusUpdate(const Unstructured& object,
                                                    const Unstructured& old_object) const {
  UpdateFindings findings;
  field::ErrorList& errors = findings.errors;
  if (!CheckKind(object, errors)) return findings;
  errors = validation::ValidateObjectMetaUpdate(MetadataOf(object), MetadataOf(old_object),
                                                Path("metadata"));
  if (schema_ != nullptr) {
    field::Append(errors, ValidateMember(*schema_, "status", object.object, old_object.object));
  }
  CheckScale(object, /*with_spec=*/false, errors);
  if (schema_ != nullptr && ValidateListTypes(*schema_, old_object.object).empty()) {
    field::Append(errors, ValidateListTypes(*schema_, object.object));
  }
  // All rules: those of the root see the status, too.
  CheckRules(object, &old_object, findings);
  return findings;
}

}  // namespace kube::crd_schema
