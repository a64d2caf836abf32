#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_DEPLOYMENT_STATUS_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_DEPLOYMENT_STATUS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "envtest/workloads/internal/apps/rollout.h"

// The status of a deployment: counts and conditions, with the reasons and messages of Kubernetes.
// Pure functions. (Go: progress.go, sync.go and util in pkg/controller/deployment)
namespace kube::envtest::internal {

// Returns the condition of this type, or null.
const api::apps::v1::DeploymentCondition* FindCondition(
    const api::apps::v1::DeploymentStatus& status, absl::string_view type);

// Adds or replaces the condition; does nothing if the present one has the same status and reason.
// (Go: `SetDeploymentCondition`)
void SetCondition(api::apps::v1::DeploymentStatus& status,
                  api::apps::v1::DeploymentCondition condition);
void RemoveCondition(api::apps::v1::DeploymentStatus& status, absl::string_view type);
// (Go: `NewDeploymentCondition`)
api::apps::v1::DeploymentCondition NewCondition(absl::string_view type, absl::string_view status,
                                                absl::string_view reason, std::string message,
                                                absl::Time now);

// Returns the counts and the condition Available. `newest` is one of `all`, or null.
// (Go: `calculateStatus`)
api::apps::v1::DeploymentStatus CountStatus(const api::apps::v1::Deployment& deployment,
                                            const ReplicaSetRefs& all,
                                            const api::apps::v1::ReplicaSet* newest,
                                            absl::Time now);
// Does the same and adds the conditions Progressing and ReplicaFailure. (Go: `syncRolloutStatus`)
api::apps::v1::DeploymentStatus RolloutStatus(const api::apps::v1::Deployment& deployment,
                                              const ReplicaSetRefs& all,
                                              const api::apps::v1::ReplicaSet* newest,
                                              absl::Time now);

// Returns whether spec.progressDeadlineSeconds is set and not infinite.
bool HasProgressDeadline(const api::apps::v1::Deployment& deployment);
// Returns whether all pods are new and available and no others exist. (Go: `DeploymentComplete`)
bool IsComplete(const api::apps::v1::Deployment& deployment,
                const api::apps::v1::DeploymentStatus& status);
// Returns when to check whether the deadline has passed. (Go: `requeueStuckDeployment`)
absl::Time NextProgressCheck(const api::apps::v1::Deployment& deployment,
                             const api::apps::v1::DeploymentStatus& status);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_DEPLOYMENT_STATUS_H_
