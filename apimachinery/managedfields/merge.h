#ifndef APIMACHINERY_MANAGEDFIELDS_MERGE_H_
#define APIMACHINERY_MANAGEDFIELDS_MERGE_H_

#include "absl/status/statusor.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// Returns `live` with the fields of `configuration` written over it; nothing is removed. Structs,
// maps and associative lists are merged, everything else is replaced. A null or empty map or list
// in `configuration` therefore changes nothing if the live one is merged and not empty. Items of
// associative lists that only `live` has keep their place relative to the shared ones, which follow
// the order of `configuration`. If `live` has several items of one key, they all stay, or one of
// `configuration` replaces them all.
//
// Both values must have passed Validate, `live` with duplicates allowed; then there are no errors.
// Returns INVALID_ARGUMENT with upstream's text if items of a list that both have lack their keys,
// or if `configuration` has two of one key in it; unlike upstream also if the list is part of an
// item of another one, which upstream then drops silently (structured-merge-diff:
// `TypedValue.Merge`).
absl::StatusOr<unstructured::Value> Merge(const unstructured::Value& live,
                                          const unstructured::Value& configuration,
                                          const Schema& schema);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_MERGE_H_
