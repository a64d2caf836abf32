#ifndef APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_EXACT_JSON_H_
#define APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_EXACT_JSON_H_

#include <string>

#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema {

// Returns the JSON with a fraction in each double, so that it stays a double.
std::string ExactJson(const unstructured::Value& value);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_EXACT_JSON_H_
