#ifndef APIMACHINERY_UNSTRUCTURED_NESTED_H_
#define APIMACHINERY_UNSTRUCTURED_NESTED_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"

// Reads and writes nested members of an object, with the functions of the same names in
// apimachinery's pkg/apis/meta/v1/unstructured, and with their errors.
//
//   KUBE_ASSIGN_OR_RETURN(std::optional<int64_t> count, NestedInt64(object, {"spec", "replicas"}));
//   return SetNestedField(object, count.value_or(1) + 1, {"spec", "replicas"});
//
// A path consists of member names; there are no indexes and no wildcards. Reading returns nullopt
// or null if the path does not exist; a null on the way counts as absent. Returns INVALID_ARGUMENT
// if a value on the way is not an object, if the value at the path is of another type, or if the
// path is empty. Unlike upstream's, the message does not contain the value, which may be a secret:
//
//   .spec.replicas accessor error: the value is of the type float64, expected int64
//
// Pointers and views that are returned refer to the object. Thread-safe as long as no other thread
// changes it.
namespace kube::unstructured {

// The names of members, outermost first. It refers to the names, so use it for arguments only.
using FieldPath = absl::Span<const absl::string_view>;

// ---- reading

// Returns null if the path does not exist, and a pointer to a null Value if the value is null
// (client-go: `NestedFieldNoCopy`).
absl::StatusOr<const Value*> NestedField(const Map<Value>& object, FieldPath path);

absl::StatusOr<std::optional<absl::string_view>> NestedString(const Map<Value>& object,
                                                              FieldPath path);
absl::StatusOr<std::optional<bool>> NestedBool(const Map<Value>& object, FieldPath path);
absl::StatusOr<std::optional<int64_t>> NestedInt64(const Map<Value>& object, FieldPath path);
absl::StatusOr<std::optional<double>> NestedFloat64(const Map<Value>& object, FieldPath path);
// Also accepts an int that a double can represent exactly.
absl::StatusOr<std::optional<double>> NestedNumberAsFloat64(const Map<Value>& object,
                                                            FieldPath path);

// Return null if the path does not exist (client-go: `NestedSlice` and `NestedMap`, which copy).
absl::StatusOr<const List<Value>*> NestedSlice(const Map<Value>& object, FieldPath path);
absl::StatusOr<const Map<Value>*> NestedMap(const Map<Value>& object, FieldPath path);

// Return copies. All elements must be strings.
absl::StatusOr<std::optional<List<String>>> NestedStringSlice(const Map<Value>& object,
                                                              FieldPath path);
absl::StatusOr<std::optional<Map<String>>> NestedStringMap(const Map<Value>& object,
                                                           FieldPath path);
// Does the same, but reads null as a null map, and null elements as empty strings.
absl::StatusOr<std::optional<Map<String>>> NestedNullCoercingStringMap(const Map<Value>& object,
                                                                       FieldPath path);

// ---- writing; the path must not be empty

// Set the value at the path, and create the objects on the way. Return INVALID_ARGUMENT if a value
// on the way exists and is not an object; null is not an object here. (client-go: `SetNestedField`,
// `SetNestedSlice`, `SetNestedMap`)
absl::Status SetNestedField(Map<Value>& object, Value value, FieldPath path);
absl::Status SetNestedStringSlice(Map<Value>& object, const List<String>& value, FieldPath path);
absl::Status SetNestedStringMap(Map<Value>& object, const Map<String>& value, FieldPath path);

// Removes the member at the path; does nothing if the path does not exist.
void RemoveNestedField(Map<Value>& object, FieldPath path);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_NESTED_H_
