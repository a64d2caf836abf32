#ifndef APIMACHINERY_MANAGEDFIELDS_FIELDS_V1_H_
#define APIMACHINERY_MANAGEDFIELDS_FIELDS_V1_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/field_set.h"

// Field sets as metadata.managedFields has them: {"f:spec":{"f:replicas":{}}}.
namespace kube::managedfields {

// Returns the JSON of a set, byte for byte as an API server writes it
// (structured-merge-diff: `Set.ToJSON`).
std::string EncodeFieldsV1(const FieldSet& set);

// Reads a set, whose elements may be in any order. Elements with an unknown prefix are skipped with
// what is below them, and whatever follows the set is ignored. If an element occurs twice, it is a
// member if one of the two is, and has the children of the later one that has any. Returns
// INVALID_ARGUMENT with the position, and the element if that is what is wrong, if `json` is not a
// set, or nested more than 1,000 deep; upstream's limit is 10,000
// (structured-merge-diff: `Set.FromJSON`).
absl::StatusOr<FieldSet> DecodeFieldsV1(absl::string_view json);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_FIELDS_V1_H_
