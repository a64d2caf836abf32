#ifndef ENVTEST_WORKLOADS_INTERNAL_STATEFUL_PODS_H_
#define ENVTEST_WORKLOADS_INTERNAL_STATEFUL_PODS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"

// The pods of a stateful set and their claims: names, labels, owners. Pure functions.
// (stateful_set_utils.go)
namespace kube::envtest::internal {

// The number at the end of its name; -1 if the name is not "<set>-<number>".
int OrdinalOf(const api::apps::v1::StatefulSet& set, const api::core::v1::Pod& pod);

// The pod of an ordinal as it is to be created, of the revision that has this template.
// (newStatefulSetPod)
api::core::v1::Pod NewStatefulPod(const api::apps::v1::StatefulSet& set,
                                  const api::core::v1::PodTemplateSpec& pod_template,
                                  absl::string_view revision, int ordinal);

// The claims of the pod of an ordinal, one for each of spec.volumeClaimTemplates, in their order.
// (getPersistentVolumeClaims)
std::vector<api::core::v1::PersistentVolumeClaim> ClaimsOf(const api::apps::v1::StatefulSet& set,
                                                           int ordinal);

// Returns the owners that a claim of `pod` is to have by spec.persistentVolumeClaimRetentionPolicy;
// the garbage collector deletes the claim together with its owners. `condemned` says that the set
// has been scaled down below this pod. (updateClaimOwnerRefForSetAndPod)
List<api::meta::v1::OwnerReference> ClaimOwners(const api::core::v1::PersistentVolumeClaim& claim,
                                                const api::apps::v1::StatefulSet& set,
                                                const api::meta::v1::ObjectMeta& pod,
                                                bool condemned);

// Whether a claim goes away with an earlier pod of this name, so that the next one has to wait.
// (PodClaimIsStale)
bool IsStale(const api::core::v1::PersistentVolumeClaim& claim,
             const api::apps::v1::StatefulSet& set, absl::string_view pod_name);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_STATEFUL_PODS_H_
