#ifndef ENVTEST_WORKLOADS_INTERNAL_DEPLOYMENT_STATUS_H_
#define ENVTEST_WORKLOADS_INTERNAL_DEPLOYMENT_STATUS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "envtest/workloads/internal/rollout.h"

// What a deployment says of itself: counts and conditions. Pure functions, with upstream's reasons
// and messages. (pkg/controller/deployment/progress.go, sync.go, util)
namespace kube::envtest::internal {

// Null: there is none of this type.
const api::apps::v1::DeploymentCondition* FindCondition(
    const api::apps::v1::DeploymentStatus& status, absl::string_view type);

// A condition that is there with this status and reason stays as it is, message and all.
// (SetDeploymentCondition)
void SetCondition(api::apps::v1::DeploymentStatus& status,
                  api::apps::v1::DeploymentCondition condition);
void RemoveCondition(api::apps::v1::DeploymentStatus& status, absl::string_view type);
// (NewDeploymentCondition)
api::apps::v1::DeploymentCondition NewCondition(absl::string_view type, absl::string_view status,
                                                absl::string_view reason, std::string message,
                                                absl::Time now);

// The counts, and the condition Available. `newest` is one of `all`, or null. (calculateStatus)
api::apps::v1::DeploymentStatus CountStatus(const api::apps::v1::Deployment& deployment,
                                            const ReplicaSetRefs& all,
                                            const api::apps::v1::ReplicaSet* newest,
                                            absl::Time now);
// That, and the conditions Progressing and ReplicaFailure. (syncRolloutStatus)
api::apps::v1::DeploymentStatus RolloutStatus(const api::apps::v1::Deployment& deployment,
                                              const ReplicaSetRefs& all,
                                              const api::apps::v1::ReplicaSet* newest,
                                              absl::Time now);

// spec.progressDeadlineSeconds is set, and not to infinite.
bool HasProgressDeadline(const api::apps::v1::Deployment& deployment);
// All pods are new and available, and there are no others. (DeploymentComplete)
bool IsComplete(const api::apps::v1::Deployment& deployment,
                const api::apps::v1::DeploymentStatus& status);
// When to look whether the deadline has passed. (requeueStuckDeployment)
absl::Time NextProgressCheck(const api::apps::v1::Deployment& deployment,
                             const api::apps::v1::DeploymentStatus& status);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_DEPLOYMENT_STATUS_H_
