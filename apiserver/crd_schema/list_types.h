#ifndef APISERVER_CRD_SCHEMA_LIST_TYPES_H_
#define APISERVER_CRD_SCHEMA_LIST_TYPES_H_

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/crd_schema/structural.h"

namespace kube::crd_schema {

// That no element comes twice in a list of x-kubernetes-list-type "set", and no keys in one of
// "map". The second occurrence is reported, once. (listtype.ValidateListSetsAndMaps)
[[nodiscard]] validation::field::ErrorList ValidateListTypes(
    const Structural& schema, const Map<unstructured::Value>& object);

}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_LIST_TYPES_H_
