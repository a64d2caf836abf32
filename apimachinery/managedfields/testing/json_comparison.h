#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_JSON_COMPARISON_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_JSON_COMPARISON_H_

#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/unstructured/value.h"

// What comparisons of structs are measured by in tests: the comparison of their JSON.
namespace kube::managedfields {

// Returns the part of an object that is compared, as a Value: without kind, apiVersion and managed
// fields.
absl::StatusOr<unstructured::Value> PlainValue(const codec::internal::SampleObject& object);

// Returns the comparison of the JSON of two objects of one type, and the errors of Validate, which
// allows duplicates.
absl::StatusOr<Comparison> CompareAsJson(const codec::internal::SampleObject& before,
                                         const codec::internal::SampleObject& after);

// Returns a line for each path: what was removed (-), modified (~) and added (+).
std::string ComparisonText(const Comparison& comparison);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_JSON_COMPARISON_H_
