#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_ROLLOUT_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_ROLLOUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/opt.h"

// The arithmetic of rollouts: sizes and revisions of a deployment's replica sets. Pure functions.
// (Go: pkg/controller/deployment/util)
//
// spec.replicas of deployments and replica sets must be set, as a server does it.
namespace kube::envtest::internal {

inline constexpr absl::string_view kTemplateHashLabel = "pod-template-hash";
inline constexpr absl::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr absl::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr absl::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr absl::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";

// Null pointers, which stand for a new replica set that does not exist yet, are ignored.
using ReplicaSetRefs = std::vector<const api::apps::v1::ReplicaSet*>;

// How many pods may exist beyond the wanted number, and how many may be unavailable.
struct Fenceposts {
  int32_t surge = 0;
  int32_t unavailable = 0;
};
// Resolves percentages of `desired`: surge is rounded up, unavailable down; if both are zero,
// unavailable becomes one. Returns INVALID_ARGUMENT if a value is neither a number nor a
// percentage.
absl::StatusOr<Fenceposts> ResolveFenceposts(const Opt<IntOrString>& max_surge,
                                             const Opt<IntOrString>& max_unavailable,
                                             int32_t desired);

bool IsRollingUpdate(const api::apps::v1::Deployment& deployment);
int32_t MaxSurge(const api::apps::v1::Deployment& deployment);
int32_t MaxUnavailable(const api::apps::v1::Deployment& deployment);

// Returns the sum of spec.replicas.
int32_t WantedReplicas(const ReplicaSetRefs& sets);

// Returns the size that the new replica set should have now. (Go: `NewRSNewReplicas`)
int32_t NewReplicas(const api::apps::v1::Deployment& deployment, const ReplicaSetRefs& all,
                    const api::apps::v1::ReplicaSet& newest);

// Returns by how much a replica set grows if the deployment is scaled during a rollout: its share
// of `to_add`, of which other replica sets have got `added`. Both may be negative.
// (Go: `GetReplicaSetProportion`)
int32_t Proportion(const api::apps::v1::ReplicaSet& set,
                   const api::apps::v1::Deployment& deployment, int32_t to_add, int32_t added);

// Returns whether the new replica set has all pods of the deployment and they are available.
// (Go: `IsSaturated`)
bool IsSaturated(const api::apps::v1::Deployment& deployment,
                 const api::apps::v1::ReplicaSet* newest);

// Returns the annotated size of the deployment, or -1 if there is none.
int32_t DesiredReplicas(const api::apps::v1::ReplicaSet& set);
// Returns whether anything changed. (Go: `SetReplicasAnnotations`)
bool SetReplicasAnnotations(const api::apps::v1::Deployment& deployment,
                            api::apps::v1::ReplicaSet& set);

// Returns zero if there is no revision or it is not a number.
int64_t RevisionOf(const api::apps::v1::ReplicaSet& set);
int64_t MaxRevision(const ReplicaSetRefs& sets);
// Copies the deployment's annotations, and sets the revision unless the replica set has a later
// one; former revisions are added to its history. Returns whether anything changed.
// (Go: `SetNewReplicaSetAnnotations`)
bool SetRevision(const api::apps::v1::Deployment& deployment, int64_t revision,
                 api::apps::v1::ReplicaSet& set);

// Compares templates without the label pod-template-hash. (Go: `EqualIgnoreHash`)
bool IsSameTemplate(const api::core::v1::PodTemplateSpec& a,
                    const api::core::v1::PodTemplateSpec& b);

// Returns the name of a new replica set. (Go: `generateReplicaSetName`)
std::string ReplicaSetName(absl::string_view deployment, absl::string_view hash);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_ROLLOUT_H_
