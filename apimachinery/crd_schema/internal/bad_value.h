#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_BAD_VALUE_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_BAD_VALUE_H_

#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"

namespace kube::crd_schema::internal {

// Returns how errors show a value.
validation::field::BadValue BadValueOf(const unstructured::Value& value);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_BAD_VALUE_H_
