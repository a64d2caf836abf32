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

// Members of members of an object: the functions of the same names in apimachinery's
// pkg/apis/meta/v1/unstructured, with their errors, but for the values.
//
//   KUBE_ASSIGN_OR_RETURN(std::optional<int64_t> replicas,
//                         NestedInt64(object, {"spec", "replicas"}));
//   KUBE_RETURN_IF_ERROR(SetNestedField(object, 3, {"spec", "replicas"}));
//
// A path is names of members, nothing else: no index, no wildcard. Absent, nullopt or null, is what
// has no such path; a null on the way counts as absent. INVALID_ARGUMENT where something on the way
// is no object, the value is of another type, or the path has no names; unlike upstream's, the
// message does not have the value, which may be a secret:
//   .spec.replicas accessor error: the value is of the type float64, expected int64
// What is returned by pointer or view is part of the object. Thread-safe where nobody changes it
// meanwhile.
namespace kube::unstructured {

// The names of members, from the outside in. It refers to them: for arguments.
using FieldPath = absl::Span<const absl::string_view>;

// ---- reading

// Null: absent. (NestedFieldNoCopy; a null that is there is a pointer to a null Value)
absl::StatusOr<const Value*> NestedField(const Map<Value>& object, FieldPath path);

absl::StatusOr<std::optional<absl::string_view>> NestedString(const Map<Value>& object,
                                                              FieldPath path);
absl::StatusOr<std::optional<bool>> NestedBool(const Map<Value>& object, FieldPath path);
absl::StatusOr<std::optional<int64_t>> NestedInt64(const Map<Value>& object, FieldPath path);
absl::StatusOr<std::optional<double>> NestedFloat64(const Map<Value>& object, FieldPath path);
// Of an int too, if a double can be exactly that.
absl::StatusOr<std::optional<double>> NestedNumberAsFloat64(const Map<Value>& object,
                                                            FieldPath path);

// Null: absent. (NestedSlice and NestedMap, which copy)
absl::StatusOr<const List<Value>*> NestedSlice(const Map<Value>& object, FieldPath path);
absl::StatusOr<const Map<Value>*> NestedMap(const Map<Value>& object, FieldPath path);

// Copies, of which all elements are to be strings.
absl::StatusOr<std::optional<List<String>>> NestedStringSlice(const Map<Value>& object,
                                                              FieldPath path);
absl::StatusOr<std::optional<Map<String>>> NestedStringMap(const Map<Value>& object,
                                                           FieldPath path);
// The same, but a null is a null map, and null elements are empty strings.
absl::StatusOr<std::optional<Map<String>>> NestedNullCoercingStringMap(const Map<Value>& object,
                                                                       FieldPath path);

// ---- writing: the path is not empty

// Makes the objects on the way. INVALID_ARGUMENT where one of them is something else already, also
// null. (SetNestedField, SetNestedSlice, SetNestedMap)
absl::Status SetNestedField(Map<Value>& object, Value value, FieldPath path);
absl::Status SetNestedStringSlice(Map<Value>& object, const List<String>& value, FieldPath path);
absl::Status SetNestedStringMap(Map<Value>& object, const Map<String>& value, FieldPath path);

// Does nothing where there is none.
void RemoveNestedField(Map<Value>& object, FieldPath path);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_NESTED_H_
