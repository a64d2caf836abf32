#ifndef APISERVER_CRD_SCHEMA_INTERNAL_VERSION_RULES_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_VERSION_RULES_H_

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/crd_schema/internal/schema_rules.h"

// What a version of a CRD may say: schema, subresources, columns, selectable fields, deprecation.
// Pure functions: thread-safe.
namespace kube::crd_schema::internal {

struct VersionRules {
  SchemaRules schema;
  // The schema has to be structural.
  bool structural = true;
  // Its defaults must not name what it does not.
  bool pruned_defaults = true;
};

// (validateCustomResourceDefinitionValidation)
validation::field::ErrorList CheckValidation(const api::apiextensions::v1::JSONSchemaProps& schema,
                                             bool has_status, const VersionRules& rules,
                                             const validation::field::Path& path);

// (ValidateCustomResourceDefinitionSubresources)
validation::field::ErrorList CheckSubresources(
    const api::apiextensions::v1::CustomResourceSubresources& subresources,
    const validation::field::Path& path);

// (ValidateCustomResourceColumnDefinition)
validation::field::ErrorList CheckColumns(
    const List<api::apiextensions::v1::CustomResourceColumnDefinition>& columns,
    const validation::field::Path& path);

// (ValidateCustomResourceSelectableFields)
validation::field::ErrorList CheckSelectableFields(
    const List<api::apiextensions::v1::SelectableField>& fields,
    const api::apiextensions::v1::JSONSchemaProps& schema, bool any_number,
    const validation::field::Path& path, const validation::field::Path& schema_path);

// (validateDeprecationWarning)
validation::field::ErrorList CheckDeprecation(bool deprecated, const Opt<String>& warning,
                                              const validation::field::Path& path);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_VERSION_RULES_H_
