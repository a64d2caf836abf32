#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_LAST_APPLIED_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_LAST_APPLIED_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

// The annotation in which kubectl's client-side apply keeps what it applied. Only applies of the
// manager "kubectl" read and write it: other managers opt out by their names.
namespace kube::managedfields::internal {

// The manager that has these rules.
inline constexpr absl::string_view kKubectl = "kubectl";

// (apimachinery: `LastAppliedConfigAnnotation`)
inline constexpr absl::string_view kLastAppliedAnnotation =
    "kubectl.kubernetes.io/last-applied-configuration";

// Returns the fields of the annotation's configuration that nobody has changed since in `live`: a
// server-side apply of kubectl may take them from their owners. Returns no fields if the annotation
// is absent, cannot be read, is of another version or kind than `live`, or does not fit `schema`
// (apimachinery: `allowedConflictsFromLastApplied`).
FieldSet FieldsOfLastApplied(const unstructured::Value& live, const Schema& schema);

// Returns `object` with the annotation renewed from `configuration`, if it has one. The annotation
// disappears if the annotations of the object would be larger than the limit for them
// (apimachinery: `lastAppliedUpdater`).
absl::StatusOr<unstructured::Value> WithLastApplied(unstructured::Value object,
                                                    const unstructured::Value& configuration);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_LAST_APPLIED_H_
