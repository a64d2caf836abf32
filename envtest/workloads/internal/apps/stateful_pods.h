#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_STATEFUL_PODS_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_STATEFUL_PODS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"

// The pods of a stateful set and their claims: names, labels, owners. Pure functions.
// (Go: stateful_set_utils.go)
namespace kube::envtest::internal {

// Returns the number at the end of the pod's name, or -1 if the name is not "<set>-<number>".
int OrdinalOf(const api::apps::v1::StatefulSet& set, const api::core::v1::Pod& pod);

// Returns a new pod for an ordinal, with the template of a revision. (Go: `newStatefulSetPod`)
api::core::v1::Pod NewStatefulPod(const api::apps::v1::StatefulSet& set,
                                  const api::core::v1::PodTemplateSpec& pod_template,
                                  absl::string_view revision, int ordinal);

// Returns whether the pod has the label with its name, and sets the labels with its name and
// ordinal. (Go: `identityMatches`, `updateIdentity`)
bool HasIdentity(const api::core::v1::Pod& pod);
void SetIdentity(int ordinal, api::core::v1::Pod& pod);

// Returns the claims for the pod of an ordinal, one per entry of spec.volumeClaimTemplates, in
// order. (Go: `getPersistentVolumeClaims`)
std::vector<api::core::v1::PersistentVolumeClaim> ClaimsOf(const api::apps::v1::StatefulSet& set,
                                                           int ordinal);

// Returns the name of the pod that a claim of ClaimsOf is for.
std::string PodOfClaim(const api::apps::v1::StatefulSet& set,
                       const api::core::v1::PersistentVolumeClaim& claim);

// Returns the owners that a claim of `pod` must have according to
// spec.persistentVolumeClaimRetentionPolicy; the garbage collector deletes the claim together with
// its owners. `condemned` means that the set was scaled down below this pod.
// (Go: `updateClaimOwnerRefForSetAndPod`)
List<api::meta::v1::OwnerReference> ClaimOwners(const api::core::v1::PersistentVolumeClaim& claim,
                                                const api::apps::v1::StatefulSet& set,
                                                const api::meta::v1::ObjectMeta& pod,
                                                bool condemned);

// Returns whether the claim will be deleted with an earlier pod of this name, so that the next pod
// must wait. (Go: `PodClaimIsStale`)
bool IsStale(const api::core::v1::PersistentVolumeClaim& claim,
             const api::apps::v1::StatefulSet& set, absl::string_view pod_name);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_STATEFUL_PODS_H_
