#ifndef APIMACHINERY_CRD_SCHEMA_CRD_VALIDATION_H_
#define APIMACHINERY_CRD_SCHEMA_CRD_VALIDATION_H_

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

// What an API server does with a CustomResourceDefinition before it stores it. Pure; thread-safe
// for different objects.
//
//   SetDefaults(definition);
//   const validation::field::ErrorList errors = ValidateDefinition(definition);
//   const int code = errors.empty() ? 201 : 422;
//
// Paths are upstream's: errors that all versions have in common are at "spec.validation" instead of
// "spec.versions[0].schema". x-kubernetes-validations are compiled, and refused if they could be
// too expensive; an update that leaves the schema as it is may keep those. The certificates of a
// conversion webhook are not checked. Where upstream shows a struct of its
// internal version, as JSON with Go's names, these errors show that of v1.
namespace kube::crd_schema {

// Sets the defaults of the names, the conversion strategy and the stored versions
// (apiextensions-apiserver: `SetDefaults_CustomResourceDefinition`).
void SetDefaults(api::apiextensions::v1::CustomResourceDefinition& definition);

// Validates a new definition (apiextensions-apiserver: `ValidateCustomResourceDefinition`).
[[nodiscard]] validation::field::ErrorList ValidateDefinition(
    const api::apiextensions::v1::CustomResourceDefinition& definition);

// Validates an update. It may keep errors that the old definition already has. The group and the
// plural name are immutable, and the scope and the kind once the definition is established
// (apiextensions-apiserver: `ValidateCustomResourceDefinitionUpdate`).
[[nodiscard]] validation::field::ErrorList ValidateDefinitionUpdate(
    const api::apiextensions::v1::CustomResourceDefinition& definition,
    const api::apiextensions::v1::CustomResourceDefinition& old_definition);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_CRD_VALIDATION_H_
