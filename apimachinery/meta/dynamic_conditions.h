#ifndef APIMACHINERY_META_DYNAMIC_CONDITIONS_H_
#define APIMACHINERY_META_DYNAMIC_CONDITIONS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"

// The conditions of an Unstructured, at status.conditions. The functions correspond to those of
// conditions.h.
//
//   const absl::StatusOr<bool> changed =
//       meta::SetStatusCondition(widget, {.type = "Ready", .status = metav1::kConditionTrue});
//   const bool is_ready = meta::IsStatusConditionTrue(widget, "Ready");
//
// The functions that change conditions return INVALID_ARGUMENT, and change nothing, if `status` is
// not an object, if `status.conditions` is not a list, or if a field of the condition has a wrong
// type. Members of a condition that metav1::Condition does not have are kept. Thread-safe as long
// as no other thread changes the object.
namespace kube::meta {

// Updates the condition of the type of `condition`, or appends it. Returns whether anything
// changed. For last_transition_time see SetStatusCondition in conditions.h.
absl::StatusOr<bool> SetStatusCondition(unstructured::Unstructured& object,
                                        const api::meta::v1::Condition& condition);

// Removes all conditions of this type. Returns whether there was one.
absl::StatusOr<bool> RemoveStatusCondition(unstructured::Unstructured& object,
                                           absl::string_view type);

// Returns a copy of the first condition of this type, or nullopt if it is missing or cannot be
// decoded.
std::optional<api::meta::v1::Condition> FindStatusCondition(
    const unstructured::Unstructured& object, absl::string_view type);

// Return whether there is a condition of this type whose status is "True", "False" or `status`.
bool IsStatusConditionTrue(const unstructured::Unstructured& object, absl::string_view type);
bool IsStatusConditionFalse(const unstructured::Unstructured& object, absl::string_view type);
bool IsStatusConditionPresentAndEqual(const unstructured::Unstructured& object,
                                      absl::string_view type, absl::string_view status);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_DYNAMIC_CONDITIONS_H_
