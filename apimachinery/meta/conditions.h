#ifndef APIMACHINERY_META_CONDITIONS_H_
#define APIMACHINERY_META_CONDITIONS_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"

// The list of conditions in a status: of each type there is one. (pkg/api/meta's conditions.go)
//
//   meta::SetStatusCondition(web.status.conditions,
//                            {.type = "Ready",
//                             .status = metav1::kConditionTrue,
//                             .observed_generation = web.metadata.generation,
//                             .reason = "AllReplicasReady"});
//
// Thread-safe where nobody changes the list meanwhile.
namespace kube::meta {

// Makes the condition of this type what `condition` says, or appends it; whether that changed
// something. last_transition_time moves only where the status changes: to that of `condition`, or
// to now, by base::Runtime's clock, where it has none. Otherwise the old one stays, whatever
// `condition` has.
bool SetStatusCondition(List<api::meta::v1::Condition>& conditions,
                        const api::meta::v1::Condition& condition);

// Removes all of this type; whether there was one.
bool RemoveStatusCondition(List<api::meta::v1::Condition>& conditions, absl::string_view type);

// The first of this type, good until the list changes; null: there is none.
const api::meta::v1::Condition* FindStatusCondition(
    const List<api::meta::v1::Condition>& conditions, absl::string_view type);
api::meta::v1::Condition* FindStatusCondition(List<api::meta::v1::Condition>& conditions,
                                              absl::string_view type);

// Whether there is one of this type, and its status is "True", "False", or `status`.
bool IsStatusConditionTrue(const List<api::meta::v1::Condition>& conditions,
                           absl::string_view type);
bool IsStatusConditionFalse(const List<api::meta::v1::Condition>& conditions,
                            absl::string_view type);
bool IsStatusConditionPresentAndEqual(const List<api::meta::v1::Condition>& conditions,
                                      absl::string_view type, absl::string_view status);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_CONDITIONS_H_
