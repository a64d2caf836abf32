#ifndef APIMACHINERY_CRD_SCHEMA_DEFAULTING_H_
#define APIMACHINERY_CRD_SCHEMA_DEFAULTING_H_

#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema {

// Removes the members of an object that are null, not nullable and have no default; those with a
// default get it from Default. Elements of lists are kept (apiextensions-apiserver:
// `PruneNonNullableNullsWithoutDefaults`).
void PruneNulls(const Structural& schema, Map<unstructured::Value>& object);

// Sets the members with a default that are missing, or null and not nullable. Applies to objects
// from requests and from storage (apiextensions-apiserver: `defaulting.Default`).
void Default(const Structural& schema, Map<unstructured::Value>& object);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_DEFAULTING_H_
