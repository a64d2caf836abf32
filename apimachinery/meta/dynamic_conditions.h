#ifndef APIMACHINERY_META_DYNAMIC_CONDITIONS_H_
#define APIMACHINERY_META_DYNAMIC_CONDITIONS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"

// The conditions in the status of an Unstructured, at status.conditions: conditions.h without the
// type of the object.
//
//   KUBE_ASSIGN_OR_RETURN(const bool changed,
//                         meta::SetStatusCondition(widget, {.type = "Ready", .status = "True"}));
//   if (changed) KUBE_RETURN_IF_ERROR(widgets.UpdateStatus(ctx, widget).status());
//
// INVALID_ARGUMENT where `status` is not an object, `status.conditions` not a list, or the
// condition in question has fields of other types; nothing has changed then. Members of a condition
// that metav1::Condition does not have stay. Thread-safe where nobody changes the object meanwhile.
namespace kube::meta {

// Makes the condition of this type what `condition` says, or appends it; returns whether that
// changed something. See SetStatusCondition in conditions.h for last_transition_time.
absl::StatusOr<bool> SetStatusCondition(unstructured::Unstructured& object,
                                        const api::meta::v1::Condition& condition);

// Removes all of this type; returns whether there was one.
absl::StatusOr<bool> RemoveStatusCondition(unstructured::Unstructured& object,
                                           absl::string_view type);

// A copy of the first of this type; nullopt where there is none, or it cannot be read.
std::optional<api::meta::v1::Condition> FindStatusCondition(
    const unstructured::Unstructured& object, absl::string_view type);

// Whether there is a condition of this type, and its status is "True", "False", or `status`.
bool IsStatusConditionTrue(const unstructured::Unstructured& object, absl::string_view type);
bool IsStatusConditionFalse(const unstructured::Unstructured& object, absl::string_view type);
bool IsStatusConditionPresentAndEqual(const unstructured::Unstructured& object,
                                      absl::string_view type, absl::string_view status);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_DYNAMIC_CONDITIONS_H_
