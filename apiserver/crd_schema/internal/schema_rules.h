#ifndef APISERVER_CRD_SCHEMA_INTERNAL_SCHEMA_RULES_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_SCHEMA_RULES_H_

#include "absl/functional/function_ref.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// What a CRD's schema may say, beside being structural. Pure functions: thread-safe.
namespace kube::crd_schema::internal {

// What an update must not tighten: true where nothing older breaks the rule.
struct SchemaRules {
  bool valid_types = true;
  bool atomic_sets = true;
  bool list_map_keys = true;
};

// (ValidateCustomResourceDefinitionOpenAPISchema, without the compilation of rules)
validation::field::ErrorList CheckSchema(const api::apiextensions::v1::JSONSchemaProps& schema,
                                         const SchemaRules& rules,
                                         const validation::field::Path& path);

// Which of the rules a schema keeps.
SchemaRules RulesOf(const api::apiextensions::v1::JSONSchemaProps& schema);

// Whether `matches` is true of the schema or of one in it. (SchemaHas)
bool AnySchema(const api::apiextensions::v1::JSONSchemaProps& schema,
               absl::FunctionRef<bool(const api::apiextensions::v1::JSONSchemaProps&)> matches);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_SCHEMA_RULES_H_
