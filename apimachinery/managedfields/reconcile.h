#ifndef APIMACHINERY_MANAGEDFIELDS_RECONCILE_H_
#define APIMACHINERY_MANAGEDFIELDS_RECONCILE_H_

#include <optional>

#include "absl/status/statusor.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/schema.h"

namespace kube::managedfields {

// Adapts a set that was made with an earlier schema: the fields below what is atomic now become the
// atomic field itself. A field that was atomic and is granular now stays as it is, because upstream
// treats it as if it had always been granular; so the object does not matter. Returns nullopt if
// nothing had to change, which is the usual case and is cheap. Returns INVALID_ARGUMENT if a schema
// on the way allows nothing (structured-merge-diff: `typed.ReconcileFieldSetWithSchema`).
absl::StatusOr<std::optional<FieldSet>> ReconcileWithSchema(const FieldSet& set,
                                                            const Schema& schema);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_RECONCILE_H_
