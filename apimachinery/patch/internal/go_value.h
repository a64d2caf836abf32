#ifndef APIMACHINERY_PATCH_INTERNAL_GO_VALUE_H_
#define APIMACHINERY_PATCH_INTERNAL_GO_VALUE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

// What Go does with values in an interface{}, where patches depend on it.
namespace kube::patch::internal {

// Go's ==. INVALID_ARGUMENT where it panics: both are lists, or both are objects.
absl::StatusOr<bool> SameScalar(const unstructured::Value& a, const unstructured::Value& b);

// Whether it cannot be the key of a Go map.
inline bool IsUnhashable(const unstructured::Value& value) {
  return value.is_list() || value.is_object();
}
absl::Status UnhashableError();

// Drops those that come again, the way upstream does it: the last one takes the place of each.
// (deduplicateScalars)
void DropDuplicates(List<unstructured::Value>& scalars);

// Drops the nulls of objects, also of those in lists, whose own nulls stay.
// (discardNullValuesFromPatch, pruneNulls)
void DropNulls(unstructured::Value& value);

// Equal, but that numbers count, not their types: 1 is 1.0. Two ints are compared as ints. What
// encoding/json's float64 makes of it, without its rounding.
bool SameJson(const unstructured::Value& a, const unstructured::Value& b);

// "expected an object, but received a list" (mergepatch.ErrBadArgType)
absl::Status TypeError(unstructured::ValueType expected, const unstructured::Value& actual);

// The type of all elements of both lists, neither of which needs be there. INVALID_ARGUMENT where
// there are none, they differ, or it is a list or null. (sliceElementType, which panics for null)
absl::StatusOr<unstructured::ValueType> ElementType(const List<unstructured::Value>* a,
                                                    const List<unstructured::Value>* b = nullptr);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_GO_VALUE_H_
