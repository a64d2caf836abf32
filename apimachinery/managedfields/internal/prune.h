#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_PRUNE_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_PRUNE_H_

#include "absl/status/statusor.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

// Returns `merged` without what `applier` applied before (`last`), does not apply any more, and
// nobody else owns. `managers` has the new fields of the applier; `merged` is in the version of
// these. All versions of `managers` have schemas. Returns the errors of the converter, and
// INVALID_ARGUMENT if the intermediate objects do not fit their schemas
// (structured-merge-diff: `Updater.prune`).
absl::StatusOr<unstructured::Value> Prune(const VersionConverter& converter,
                                          unstructured::Value merged, const Managers& managers,
                                          const ManagerId& applier, const OwnedFields& last);

// Does the same without the test whether anything has to be removed, for tests of that.
absl::StatusOr<unstructured::Value> PruneFully(const VersionConverter& converter,
                                               unstructured::Value merged, const Managers& managers,
                                               const ManagerId& applier, const OwnedFields& last);

// Returns true only if PruneFully certainly returns its object unchanged. `present` is the field
// set of that object, `last` what its applier owned before, and `now` what it owns now; all
// managers use the version of `schema`.
bool KeepsEverything(const FieldSet& last, const FieldSet& now, const FieldSet& present,
                     const Schema& schema);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_PRUNE_H_
