#ifndef APIMACHINERY_CRD_SCHEMA_CUSTOM_RESOURCE_H_
#define APIMACHINERY_CRD_SCHEMA_CUSTOM_RESOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/crd_schema/internal/rule_tree.h"
#include "apimachinery/crd_schema/merge_schema.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"

namespace kube::crd_schema {

// What is wrong with an update.
struct UpdateFindings {
  // Why the update is refused with 422; empty if it is valid.
  validation::field::ErrorList errors = {};
  // The errors of x-kubernetes-validations in parts that the update leaves as they are. A server
  // accepts such an update, and sends the texts in Warning headers.
  std::vector<std::string> warnings = {};
};

// The rules for objects of one version of a CRD: what an API server does with them between the wire
// and its storage. Made once for each version of a definition that ValidateDefinition accepts
// (apiextensions-apiserver: the schema coercing decoder, and `customResourceStrategy`).
//
//   KUBE_ASSIGN_OR_RETURN(const auto rules, CustomResource::Make(definition, "v1"));
//   KUBE_ASSIGN_OR_RETURN(const std::vector<std::string> unknown, rules->Decode(object));
//   if (!unknown.empty()) return absl::InvalidArgumentError(unknown[0]);  // `unknown field "foo"`
//   rules->PrepareForCreate(object);
//   return rules->Validate(object);  // a 422 if it is not empty
//
// Build, then immutable. Thread-safe for different objects.
class CustomResource {
 private:
  // Restricts the constructor to Make.
  struct Key {
    explicit Key() = default;
  };

 public:
  explicit CustomResource(Key) {}

  // Returns NOT_FOUND if the definition has no such version, and the errors of Structural::Make.
  static absl::StatusOr<std::shared_ptr<const CustomResource>> Make(
      const api::apiextensions::v1::CustomResourceDefinition& definition,
      absl::string_view version);

  // Processes an object from a request: prunes it, removes nulls, checks metadata, and sets
  // defaults. Returns a text such as `unknown field "spec.foo"` for each unknown field. Returns
  // INVALID_ARGUMENT, for a 400, if apiVersion, kind or metadata, of the object or of an embedded
  // resource, have a wrong type.
  absl::StatusOr<std::vector<std::string>> Decode(unstructured::Unstructured& object) const;
  // Processes an object from storage, which may have been written with an older schema. Like
  // Decode, but drops malformed metadata, and sets the generation if it is zero.
  absl::Status Read(unstructured::Unstructured& object) const;
  // Converts an object of another version to this one, as the conversion strategy None does, and
  // prunes fields that this version does not have. Does not set defaults (apiextensions-apiserver:
  // `schemaCoercingConverter`).
  absl::Status Convert(unstructured::Unstructured& object) const;

  // Set the generation, and drop or keep the status if it is a subresource
  // (apiextensions-apiserver: `PrepareForCreate`, `PrepareForUpdate`).
  void PrepareForCreate(unstructured::Unstructured& object) const;
  void PrepareForUpdate(unstructured::Unstructured& object,
                        const unstructured::Unstructured& old_object) const;
  // Prepares an update of the status: everything else stays unchanged, including labels.
  void PrepareForStatusUpdate(unstructured::Unstructured& object,
                              const unstructured::Unstructured& old_object) const;

  // Validate an object: its metadata, its values by the schema, and, unless a value has a wrong
  // type or size, by the x-kubernetes-validations. The costs of these
  // are limited as upstream's.
  [[nodiscard]] validation::field::ErrorList Validate(
      const unstructured::Unstructured& object) const;
  [[nodiscard]] UpdateFindings ValidateUpdate(const unstructured::Unstructured& object,
                                              const unstructured::Unstructured& old_object) const;
  [[nodiscard]] UpdateFindings ValidateStatusUpdate(
      const unstructured::Unstructured& object, const unstructured::Unstructured& old_object) const;

  // Returns whether there are x-kubernetes-validations.
  bool has_rules() const { return rules_ != nullptr; }
  bool has_status() const { return has_status_; }
  // Returns null if the version has no schema.
  const Structural* schema() const { return schema_.get(); }
  // Returns how server-side apply merges the objects.
  const MergeSchema& merge_schema() const { return *merge_schema_; }
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
  // Evaluates the rules. `old_object` is null for a new object.
  void CheckRules(const unstructured::Unstructured& object,
                  const unstructured::Unstructured* old_object, UpdateFindings& findings) const;

  std::string api_version_;
  std::string kind_;
  bool namespaced_ = false;
  bool preserve_unknown_fields_ = false;
  bool has_status_ = false;
  std::optional<api::apiextensions::v1::CustomResourceSubresourceScale> scale_;
  // Null if the version has no schema. Then all fields are pruned.
  std::shared_ptr<const Structural> schema_;
  // Refers to the schema. Null if there are no rules.
  std::unique_ptr<const crd_schema::internal::RuleTree> rules_;
  std::shared_ptr<const MergeSchema> merge_schema_;
};

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_CUSTOM_RESOURCE_H_
