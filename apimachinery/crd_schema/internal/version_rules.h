#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_VERSION_RULES_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_VERSION_RULES_H_

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/crd_schema/internal/schema_rules.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Validates the parts of a CRD's version: schema, subresources, columns, selectable fields and
// deprecation. Pure and thread-safe.
namespace kube::crd_schema::internal {

struct VersionRules {
  SchemaRules schema;
  // The schema must be structural.
  bool structural = true;
  // Defaults must not contain unknown fields.
  bool pruned_defaults = true;
  // Each of the x-kubernetes-validations must be cheap enough. Not if an update leaves the schema
  // as it is.
  bool cheap_rules = true;
};

// apiextensions-apiserver: `validateCustomResourceDefinitionValidation`.
validation::field::ErrorList CheckValidation(const api::apiextensions::v1::JSONSchemaProps& schema,
                                             bool has_status, const VersionRules& rules,
                                             const validation::field::Path& path);

// apiextensions-apiserver: `ValidateCustomResourceDefinitionSubresources`.
validation::field::ErrorList CheckSubresources(
    const api::apiextensions::v1::CustomResourceSubresources& subresources,
    const validation::field::Path& path);

// apiextensions-apiserver: `ValidateCustomResourceColumnDefinition`.
validation::field::ErrorList CheckColumns(
    const List<api::apiextensions::v1::CustomResourceColumnDefinition>& columns,
    const validation::field::Path& path);

// apiextensions-apiserver: `ValidateCustomResourceSelectableFields`.
validation::field::ErrorList CheckSelectableFields(
    const List<api::apiextensions::v1::SelectableField>& fields,
    const api::apiextensions::v1::JSONSchemaProps& schema, bool any_number,
    const validation::field::Path& path, const validation::field::Path& schema_path);

// apiextensions-apiserver: `validateDeprecationWarning`.
validation::field::ErrorList CheckDeprecation(bool deprecated, const Opt<String>& warning,
                                              const validation::field::Path& path);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_VERSION_RULES_H_
