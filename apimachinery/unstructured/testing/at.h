#ifndef APIMACHINERY_UNSTRUCTURED_TESTING_AT_H_
#define APIMACHINERY_UNSTRUCTURED_TESTING_AT_H_

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"

// Documents of tests, written member by member:
//
//   At(object, {"spec", "replicas"}) = 3;
//
// For documents that the test itself has made: what is not of that shape ends the program. Products
// use SetNestedField, which returns an error.
namespace kube::unstructured {

// The member at the path, null if it is new; makes the objects on the way, also of nulls. The path
// is not empty.
Value& At(Map<Value>& object, FieldPath path);
Value& At(Value& object, FieldPath path);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_TESTING_AT_H_
