#ifndef APIMACHINERY_UNSTRUCTURED_TESTING_AT_H_
#define APIMACHINERY_UNSTRUCTURED_TESTING_AT_H_

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"

// Builds documents for tests member by member:
//
//   At(object, {"spec", "replicas"}) = 3;
//
// Use it for documents that the test itself has made: the program ends if the document has another
// shape. Product code uses SetNestedField, which returns an error.
namespace kube::unstructured {

// Returns the member at the path, which must not be empty. A new member is null. Creates the
// objects on the way, also in place of nulls.
Value& At(Map<Value>& object, FieldPath path);
Value& At(Value& object, FieldPath path);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_TESTING_AT_H_
