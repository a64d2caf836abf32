#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_SCHEMA_RULES_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_SCHEMA_RULES_H_

#include "absl/functional/function_ref.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/crd_schema/internal/rule_check.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Rules for the schema of a CRD, besides being structural. Pure and thread-safe.
namespace kube::crd_schema::internal {

// Rules that an update must not tighten. False if the old definition breaks the rule.
struct SchemaRules {
  bool valid_types = true;
  bool atomic_sets = true;
  bool list_map_keys = true;
};

// Compiles x-kubernetes-validations.
struct RuleCompilation {
  // The root of the schema.
  const RulePlace& root;
  // Gets the errors.
  RuleChecker& checker;
};

// Checks a schema. x-kubernetes-validations are compiled unless `compilation` is null, and only
// where the schema is right in and below the place of the rules (apiextensions-apiserver:
// `ValidateCustomResourceDefinitionOpenAPISchema`).
validation::field::ErrorList CheckSchema(const api::apiextensions::v1::JSONSchemaProps& schema,
                                         const SchemaRules& rules,
                                         const validation::field::Path& path,
                                         const RuleCompilation* compilation = nullptr);

// Returns which of the rules a schema follows.
SchemaRules RulesOf(const api::apiextensions::v1::JSONSchemaProps& schema);

// Returns whether `matches` is true for the schema or a schema in it (apiextensions-apiserver:
// `SchemaHas`).
bool AnySchema(const api::apiextensions::v1::JSONSchemaProps& schema,
               absl::FunctionRef<bool(const api::apiextensions::v1::JSONSchemaProps&)> matches);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_SCHEMA_RULES_H_
