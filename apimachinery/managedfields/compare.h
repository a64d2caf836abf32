#ifndef APIMACHINERY_MANAGEDFIELDS_COMPARE_H_
#define APIMACHINERY_MANAGEDFIELDS_COMPARE_H_

#include "absl/status/statusor.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// Compares two values of one schema, both of which must have passed Validate (duplicates allowed).
// What is below an added or removed field is added or removed too, field by field. The order of
// items of associative lists does not count, except among items of one key; null is not the same as
// absent; 1 equals 1.0. Returns INVALID_ARGUMENT with upstream's text if two lists differ and an
// item has no key, which Validate would have refused (structured-merge-diff: `TypedValue.Compare`).
absl::StatusOr<Comparison> Compare(const unstructured::Value& old_value,
                                   const unstructured::Value& new_value, const Schema& schema);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_COMPARE_H_
