#ifndef ENVTEST_WORKLOADS_INTERNAL_ROLLOUT_H_
#define ENVTEST_WORKLOADS_INTERNAL_ROLLOUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/opt.h"

// The arithmetic of rollouts: how large the replica sets of a deployment are to be, and which
// revision each of them is. Pure functions. (pkg/controller/deployment/util)
//
// spec.replicas of deployments and replica sets is set: a server does it.
namespace kube::envtest::internal {

inline constexpr absl::string_view kTemplateHashLabel = "pod-template-hash";
inline constexpr absl::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr absl::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr absl::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr absl::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";

// Null pointers, for a new replica set that there is not yet, count as nothing.
using ReplicaSetRefs = std::vector<const api::apps::v1::ReplicaSet*>;

// How many pods may be there beyond the wanted ones, and how many of these may be missing.
struct Fenceposts {
  int32_t surge = 0;
  int32_t unavailable = 0;
};
// Percentages of `desired`: of the surge rounded up, of the missing ones down; if both become 0,
// one may be missing. INVALID_ARGUMENT: neither a number nor a percentage.
absl::StatusOr<Fenceposts> ResolveFenceposts(const Opt<IntOrString>& max_surge,
                                             const Opt<IntOrString>& max_unavailable,
                                             int32_t desired);

bool IsRollingUpdate(const api::apps::v1::Deployment& deployment);
int32_t MaxSurge(const api::apps::v1::Deployment& deployment);
int32_t MaxUnavailable(const api::apps::v1::Deployment& deployment);

// Of spec.replicas.
int32_t WantedReplicas(const ReplicaSetRefs& sets);

// How large the new replica set is to be now. (NewRSNewReplicas)
int32_t NewReplicas(const api::apps::v1::Deployment& deployment, const ReplicaSetRefs& all,
                    const api::apps::v1::ReplicaSet& newest);

// By how much a replica set grows when a deployment is scaled in the middle of a rollout: by its
// share of `to_add`, of which `added` have been given to others; both may be negative.
// (GetReplicaSetProportion)
int32_t Proportion(const api::apps::v1::ReplicaSet& set,
                   const api::apps::v1::Deployment& deployment, int32_t to_add, int32_t added);

// Whether the new replica set has all pods of the deployment, and they are available.
// (IsSaturated)
bool IsSaturated(const api::apps::v1::Deployment& deployment,
                 const api::apps::v1::ReplicaSet* newest);

// Of replica sets that a scaling passed by; -1: they do not say.
int32_t DesiredReplicas(const api::apps::v1::ReplicaSet& set);
// Whether anything changed. (SetReplicasAnnotations)
bool SetReplicasAnnotations(const api::apps::v1::Deployment& deployment,
                            api::apps::v1::ReplicaSet& set);

// Zero: none is said, or no number.
int64_t RevisionOf(const api::apps::v1::ReplicaSet& set);
int64_t MaxRevision(const ReplicaSetRefs& sets);
// Copies the deployment's annotations, and makes it this revision unless it is a later one; those
// that it was before become its history. Whether anything changed. (SetNewReplicaSetAnnotations)
bool SetRevision(const api::apps::v1::Deployment& deployment, int64_t revision,
                 api::apps::v1::ReplicaSet& set);

// But for the label pod-template-hash. (EqualIgnoreHash)
bool IsSameTemplate(const api::core::v1::PodTemplateSpec& a,
                    const api::core::v1::PodTemplateSpec& b);

// Of a new replica set. (generateReplicaSetName)
std::string ReplicaSetName(absl::string_view deployment, absl::string_view hash);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_ROLLOUT_H_
