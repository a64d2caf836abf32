#ifndef APIMACHINERY_PATCH_INTERNAL_GO_VALUE_H_
#define APIMACHINERY_PATCH_INTERNAL_GO_VALUE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

// The behaviour of Go values in an interface{}, as far as patches depend on it. Pure functions:
// thread-safe.
namespace kube::patch::internal {

// Compares as Go's == does. Returns INVALID_ARGUMENT if Go panics: both are lists, or both are
// objects.
absl::StatusOr<bool> SameScalar(const unstructured::Value& a, const unstructured::Value& b);

// Returns whether the value cannot be the key of a Go map.
inline bool IsUnhashable(const unstructured::Value& value) {
  return value.is_list() || value.is_object();
}
absl::Status UnhashableError();

// Drops duplicates as upstream does it: each time, the last element of the list takes the place of
// the duplicate (client-go: `deduplicateScalars`).
void DropDuplicates(List<unstructured::Value>& scalars);

// Drops the null members of objects, including objects in lists. The null elements of lists stay.
// (client-go: `discardNullValuesFromPatch`; jsonpatch's `pruneNulls`)
void DropNulls(unstructured::Value& value);

// Compares numbers by value and not by type: 1 equals 1.0. Two integers are compared as integers.
// So the result is that of comparing encoding/json's float64 values, without their rounding.
bool SameJson(const unstructured::Value& a, const unstructured::Value& b);

// Returns "expected an object, but received a list" (client-go: `mergepatch.ErrBadArgType`).
absl::Status TypeError(unstructured::ValueType expected, const unstructured::Value& actual);

// Returns the type that all elements of both lists have; a list may be null. Returns
// INVALID_ARGUMENT if there are no elements, their types differ, or the type is list or null.
// (client-go: `sliceElementType`, which panics for null)
absl::StatusOr<unstructured::ValueType> ElementType(const List<unstructured::Value>* a,
                                                    const List<unstructured::Value>* b = nullptr);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_GO_VALUE_H_
