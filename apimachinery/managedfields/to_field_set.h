#ifndef APIMACHINERY_MANAGEDFIELDS_TO_FIELD_SET_H_
#define APIMACHINERY_MANAGEDFIELDS_TO_FIELD_SET_H_

#include "absl/status/statusor.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// Returns what an apply of `value` owns: every leaf, every list item, every key of a map that is
// not a declared field, every empty map. Several list items of one key are owned as one, without
// their fields. `value` must have passed Validate, with duplicates or without. Returns
// INVALID_ARGUMENT with upstream's text if a list item has no key (structured-merge-diff:
// `TypedValue.ToFieldSet`).
absl::StatusOr<FieldSet> ToFieldSet(const unstructured::Value& value, const Schema& schema);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TO_FIELD_SET_H_
