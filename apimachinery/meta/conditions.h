#ifndef APIMACHINERY_META_CONDITIONS_H_
#define APIMACHINERY_META_CONDITIONS_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"

// The conditions in the status of an object, a list with one condition per type. apimachinery:
// `api/meta/conditions.go`.
//
//   meta::SetStatusCondition(service.status.conditions,
//                            {.type = "Ready",
//                             .status = metav1::kConditionTrue,
//                             .observed_generation = service.metadata.generation,
//                             .reason = "AllReplicasReady"});
//
// Thread-safe as long as no other thread changes the list.
namespace kube::meta {

// Updates the condition of the type of `condition`, or appends it. Returns whether anything
// changed. last_transition_time changes only if the status changes or the condition is new: it
// becomes that of `condition`, or if that is not set, the current time of base::Runtime. Otherwise
// it stays as it is, whatever `condition` contains.
bool SetStatusCondition(List<api::meta::v1::Condition>& conditions,
                        const api::meta::v1::Condition& condition);

// Removes all conditions of this type. Returns whether there was one.
bool RemoveStatusCondition(List<api::meta::v1::Condition>& conditions, absl::string_view type);

// Return the first condition of this type, or null. Valid until the list changes.
const api::meta::v1::Condition* FindStatusCondition(
    const List<api::meta::v1::Condition>& conditions, absl::string_view type);
api::meta::v1::Condition* FindStatusCondition(List<api::meta::v1::Condition>& conditions,
                                              absl::string_view type);

// Return whether there is a condition of this type whose status is "True", "False" or `status`.
bool IsStatusConditionTrue(const List<api::meta::v1::Condition>& conditions,
                           absl::string_view type);
bool IsStatusConditionFalse(const List<api::meta::v1::Condition>& conditions,
                            absl::string_view type);
bool IsStatusConditionPresentAndEqual(const List<api::meta::v1::Condition>& conditions,
                                      absl::string_view type, absl::string_view status);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_CONDITIONS_H_
