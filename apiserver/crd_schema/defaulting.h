#ifndef APISERVER_CRD_SCHEMA_DEFAULTING_H_
#define APISERVER_CRD_SCHEMA_DEFAULTING_H_

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/crd_schema/structural.h"

namespace kube::crd_schema {

// Removes the members of an object that are null, may not be, and have no default; what has one
// gets it from Default. Elements of lists stay. (PruneNonNullableNullsWithoutDefaults)
void PruneNulls(const Structural& schema, Map<unstructured::Value>& object);

// Adds the members that are absent, or null and may not be, and have a default. Requests and
// objects from storage go through it alike. (defaulting.Default)
void Default(const Structural& schema, Map<unstructured::Value>& object);

}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_DEFAULTING_H_
