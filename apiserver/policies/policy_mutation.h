#ifndef APISERVER_POLICIES_POLICY_MUTATION_H_
#define APISERVER_POLICIES_POLICY_MUTATION_H_

#include "absl/status/statusor.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

// What the values of a mutating policy's expressions do to an object. Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns the object with the value of an ApplyConfiguration merged into it, as server-side apply
// merges, but without owners: nothing is removed. `value` is an object of the type Object, and
// `schema` that of the object, in its version. Returns INVALID_ARGUMENT with upstream's text if
// names of types do not fit the fields, if the value does not fit the schema, if it has a list or
// map that is owned as a whole, or if it is greater than 3 MiB or nested more than 1,000 levels
// deep (kube-apiserver: `patch.applyConfigPatcher`).
absl::StatusOr<unstructured::Value> MergeConfiguration(const unstructured::Value& object,
                                                       const managedfields::Schema& schema,
                                                       const cel::Value& value);

// Returns the object with a list of JSONPatch objects applied to it; unchanged if a test among them
// fails. Returns INVALID_ARGUMENT if an operation is malformed or not possible, or if all together
// are greater than 3 MiB or nested more than 1,000 levels deep (kube-apiserver:
// `patch.jsonPatcher`).
absl::StatusOr<unstructured::Value> ApplyPatches(const unstructured::Value& object,
                                                 const cel::Value& value);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_POLICY_MUTATION_H_
