#ifndef ENVTEST_SERVER_SCHEMA_INTERNAL_BAD_VALUE_H_
#define ENVTEST_SERVER_SCHEMA_INTERNAL_BAD_VALUE_H_

#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"

namespace kube::envtest::crd_schema::internal {

// How an error shows a value.
validation::field::BadValue BadValueOf(const unstructured::Value& value);

}  // namespace kube::envtest::crd_schema::internal

#endif  // ENVTEST_SERVER_SCHEMA_INTERNAL_BAD_VALUE_H_
