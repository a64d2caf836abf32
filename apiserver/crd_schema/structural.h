#ifndef APISERVER_CRD_SCHEMA_STRUCTURAL_H_
#define APISERVER_CRD_SCHEMA_STRUCTURAL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/crd_schema/internal/node.h"

namespace kube::crd_schema {

// The schema of one version of a CRD, compiled: patterns are regular expressions, defaults and
// enums are values. Made once, then applied to every object: see pruning.h, defaulting.h,
// value_validation.h, or custom_resource.h, which has them all in the order of an API server.
// (apiextensions-apiserver's schema.Structural)
//
//   KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Structural> schema,
//                         Structural::Make(*version.schema->open_api_v3_schema));
//   const field::ErrorList errors = ValidateStructural(*schema, field::Path("openAPIV3Schema"));
//
// Having been made does not mean that it is structural: ValidateStructural tells. Nothing below
// crashes on one that is not. Build, then immutable: thread-safe.
class Structural {
 private:
  // Only Make has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  Structural(Key key, std::unique_ptr<const crd_schema::internal::Node> root);

  // INVALID_ARGUMENT where something is set that no structural schema has, in upstream's words
  // ("OpenAPIV3Schema '$ref' is not supported"), or where a default is no JSON. RESOURCE_EXHAUSTED
  // where schemas are nested more than 200 deep, which upstream takes. (NewStructural)
  static absl::StatusOr<std::shared_ptr<const Structural>> Make(
      const api::apiextensions::v1::JSONSchemaProps& schema);

  // Whether there are x-kubernetes-validations anywhere. Nothing here evaluates CEL: objects that
  // break a rule are valid, and a server that uses this library should say so.
  bool has_rules() const { return has_rules_; }

  // For this package.
  const crd_schema::internal::Node& root() const { return *root_; }

 private:
  const std::unique_ptr<const crd_schema::internal::Node> root_;
  const bool has_rules_;
};

// Whether every part of a value has one place in the schema that says what it is, and allOf, anyOf,
// oneOf and not only restrict it. Sorted by their texts, as upstream. (ValidateStructural)
[[nodiscard]] validation::field::ErrorList ValidateStructural(const Structural& schema,
                                                              const validation::field::Path& path);

}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_STRUCTURAL_H_
