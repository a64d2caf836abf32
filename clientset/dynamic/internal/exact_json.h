#ifndef CLIENTSET_DYNAMIC_INTERNAL_EXACT_JSON_H_
#define CLIENTSET_DYNAMIC_INTERNAL_EXACT_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/unstructured/value.h"

namespace kube::dynamic::internal {

// Returns JSON that unstructured::ParseJson reads as the same value: unlike EncodeJson it writes
// doubles without a fraction as 1.0. Returns the errors of EncodeJson. Uses no stack for nesting.
// Thread-safe.
absl::StatusOr<std::string> EncodeExactJson(const unstructured::Value& value);

}  // namespace kube::dynamic::internal

#endif  // CLIENTSET_DYNAMIC_INTERNAL_EXACT_JSON_H_
