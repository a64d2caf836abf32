#ifndef APISERVER_CRD_SCHEMA_CRD_VALIDATION_H_
#define APISERVER_CRD_SCHEMA_CRD_VALIDATION_H_

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

// What an API server does with a CustomResourceDefinition before it keeps it. Pure functions:
// thread-safe as far as the object is the caller's.
//
//   SetDefaults(crd);
//   if (const field::ErrorList errors = ValidateDefinition(crd); !errors.empty()) ...  // 422
//
// Paths are upstream's: what all versions say in the same words is at "spec.validation", not at
// "spec.versions[0].schema". Not looked at are x-kubernetes-validations beyond their form, and of a
// conversion webhook its URL, service and certificates. Where upstream shows a struct of its
// internal version, JSON with Go's names, ours shows that of v1.
namespace kube::crd_schema {

// Names, the conversion strategy, and the stored versions. (SetDefaults_CustomResourceDefinition)
void SetDefaults(api::apiextensions::v1::CustomResourceDefinition& definition);

// (ValidateCustomResourceDefinition)
[[nodiscard]] validation::field::ErrorList ValidateDefinition(
    const api::apiextensions::v1::CustomResourceDefinition& definition);

// What is wrong with the old one already may stay. Group and plural name never change, scope and
// kind not once the definition is established. (ValidateCustomResourceDefinitionUpdate)
[[nodiscard]] validation::field::ErrorList ValidateDefinitionUpdate(
    const api::apiextensions::v1::CustomResourceDefinition& definition,
    const api::apiextensions::v1::CustomResourceDefinition& old_definition);

}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_CRD_VALIDATION_H_
