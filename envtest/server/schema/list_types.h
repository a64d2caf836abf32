#ifndef ENVTEST_SERVER_SCHEMA_LIST_TYPES_H_
#define ENVTEST_SERVER_SCHEMA_LIST_TYPES_H_

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "envtest/server/schema/structural.h"

namespace kube::envtest::crd_schema {

// That no element comes twice in a list of x-kubernetes-list-type "set", and no keys in one of
// "map". The second occurrence is reported, once. (listtype.ValidateListSetsAndMaps)
[[nodiscard]] validation::field::ErrorList ValidateListTypes(
    const Structural& schema, const Map<unstructured::Value>& object);

}  // namespace kube::envtest::crd_schema

#endif  // ENVTEST_SERVER_SCHEMA_LIST_TYPES_H_
