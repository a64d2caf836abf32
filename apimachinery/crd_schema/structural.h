#ifndef APIMACHINERY_CRD_SCHEMA_STRUCTURAL_H_
#define APIMACHINERY_CRD_SCHEMA_STRUCTURAL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {

// The schema of one version of a CRD, compiled: patterns are regular expressions, defaults and
// enums are values. It is made once and applied to every object: by pruning.h, defaulting.h and
// value_validation.h, or by custom_resource.h, which does it all in the order of an API server
// (apiextensions-apiserver: `schema.Structural`).
//
//   const absl::StatusOr<std::shared_ptr<const Structural>> schema = Structural::Make(props);
//   ASSERT_THAT(schema, IsOk());
//   const field::ErrorList errors = ValidateStructural(**schema, field::Path("openAPIV3Schema"));
//
// A Structural is not necessarily a structural schema: ValidateStructural checks that. All
// functions also work with one that is not. Build, then immutable; thread-safe.
class Structural {
 private:
  // Restricts the constructor to Make.
  struct Key {
    explicit Key() = default;
  };

 public:
  Structural(Key key, std::unique_ptr<const crd_schema::internal::Node> root);

  // Compiles a schema. Returns INVALID_ARGUMENT with upstream's message if it has a part that no
  // structural schema has ("OpenAPIV3Schema '$ref' is not supported"), or if a default is not JSON.
  // Returns RESOURCE_EXHAUSTED if schemas are nested more than 200 deep, which upstream accepts
  // (apiextensions-apiserver: `NewStructural`).
  static absl::StatusOr<std::shared_ptr<const Structural>> Make(
      const api::apiextensions::v1::JSONSchemaProps& schema);

  // Returns whether there are x-kubernetes-validations. CustomResource evaluates them; the
  // functions of value_validation.h do not.
  bool has_rules() const { return has_rules_; }

  // Only for this package.
  const crd_schema::internal::Node& root() const { return *root_; }

 private:
  const std::unique_ptr<const crd_schema::internal::Node> root_;
  const bool has_rules_;
};

// Checks that the schema is structural: every part of a value is specified at one place, and allOf,
// anyOf, oneOf and not only restrict values further. As upstream, errors are sorted by their texts
// (apiextensions-apiserver: `ValidateStructural`).
[[nodiscard]] validation::field::ErrorList ValidateStructural(const Structural& schema,
                                                              const validation::field::Path& path);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_STRUCTURAL_H_
