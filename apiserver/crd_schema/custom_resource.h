#ifndef APISERVER_CRD_SCHEMA_CUSTOM_RESOURCE_H_
#define APISERVER_CRD_SCHEMA_CUSTOM_RESOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/crd_schema/structural.h"

namespace kube::crd_schema {

// The objects of one version of a CRD: what an API server does with them between the wire and its
// storage. Made once for each version of a definition that ValidateDefinition has nothing against.
// (apiextensions-apiserver: the schema coercing decoder, and customResourceStrategy)
//
//   KUBE_ASSIGN_OR_RETURN(auto rules, CustomResource::Make(definition, "v1"));
//   KUBE_ASSIGN_OR_RETURN(std::vector<std::string> unknown, rules->Decode(object));
//   ... `unknown field "spec.foo"`: an error, a warning or nothing, as fieldValidation says ...
//   rules->PrepareForCreate(object);
//   if (const field::ErrorList errors = rules->Validate(object); !errors.empty()) ...  // 422
//
// Build, then immutable: thread-safe, as far as the object is the caller's.
class CustomResource {
 private:
  // Only Make has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  explicit CustomResource(Key) {}

  // NOT_FOUND: there is no such version. Otherwise as Structural::Make.
  static absl::StatusOr<std::shared_ptr<const CustomResource>> Make(
      const api::apiextensions::v1::CustomResourceDefinition& definition,
      absl::string_view version);

  // An object from a request: prunes, removes nulls, checks metadata, sets defaults. Returns the
  // unknown fields as sentences. INVALID_ARGUMENT where apiVersion, kind or a metadata, of the
  // object or of an embedded one, is of another type: the request is a bad one (400).
  absl::StatusOr<std::vector<std::string>> Decode(unstructured::Unstructured& object) const;
  // An object from storage, perhaps of the days of an older schema: the same, but malformed
  // metadata is dropped, and there is a generation.
  absl::Status Read(unstructured::Unstructured& object) const;
  // An object of another version: makes it one of this, as the strategy None does, and prunes what
  // this does not have. Sets no defaults. (schemaCoercingConverter)
  absl::Status Convert(unstructured::Unstructured& object) const;

  // The generation, and the status where there is a subresource for it. (PrepareForCreate,
  // PrepareForUpdate)
  void PrepareForCreate(unstructured::Unstructured& object) const;
  void PrepareForUpdate(unstructured::Unstructured& object,
                        const unstructured::Unstructured& old_object) const;
  // Of an update of the status: everything else stays, also labels.
  void PrepareForStatusUpdate(unstructured::Unstructured& object,
                              const unstructured::Unstructured& old_object) const;

  [[nodiscard]] validation::field::ErrorList Validate(
      const unstructured::Unstructured& object) const;
  [[nodiscard]] validation::field::ErrorList ValidateUpdate(
      const unstructured::Unstructured& object, const unstructured::Unstructured& old_object) const;
  [[nodiscard]] validation::field::ErrorList ValidateStatusUpdate(
      const unstructured::Unstructured& object, const unstructured::Unstructured& old_object) const;

  // Whether there are x-kubernetes-validations, which nobody evaluates.
  bool has_rules() const { return schema_ != nullptr && schema_->has_rules(); }
  bool has_status() const { return has_status_; }
  const std::optional<api::apiextensions::v1::CustomResourceSubresourceScale>& scale() const {
    return scale_;
  }

 private:
  absl::StatusOr<std::vector<std::string>> Coerce(unstructured::Unstructured& object,
                                                  bool from_storage) const;
  bool CheckKind(const unstructured::Unstructured& object,
                 validation::field::ErrorList& errors) const;
  void CheckScale(const unstructured::Unstructured& object, bool with_spec,
                  validation::field::ErrorList& errors) const;
  void AddUncheckedRules(validation::field::ErrorList& errors) const;

  std::string api_version_;
  std::string kind_;
  bool namespaced_ = false;
  bool preserve_unknown_fields_ = false;
  bool has_status_ = false;
  std::optional<api::apiextensions::v1::CustomResourceSubresourceScale> scale_;
  // Null: the version has none, and all fields are pruned.
  std::shared_ptr<const Structural> schema_;
};

}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_CUSTOM_RESOURCE_H_
