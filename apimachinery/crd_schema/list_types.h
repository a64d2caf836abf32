#ifndef APIMACHINERY_CRD_SCHEMA_LIST_TYPES_H_
#define APIMACHINERY_CRD_SCHEMA_LIST_TYPES_H_

#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"

namespace kube::crd_schema {

// Checks that the elements of lists with x-kubernetes-list-type "set", and the keys in those with
// "map", are unique. Of several duplicates of an element, only the second occurrence is reported
// (apiextensions-apiserver: `listtype.ValidateListSetsAndMaps`).
[[nodiscard]] validation::field::ErrorList ValidateListTypes(
    const Structural& schema, const Map<unstructured::Value>& object);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_LIST_TYPES_H_
