#ifndef ENVTEST_WORKLOADS_INTERNAL_DEPLOYMENT_H_
#define ENVTEST_WORKLOADS_INTERNAL_DEPLOYMENT_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {

// What is to be done about a deployment, in this order.
struct DeploymentPlan {
  // One at most.
  std::vector<api::apps::v1::ReplicaSet> create = {};
  // Other sizes, annotations, revisions.
  std::vector<api::apps::v1::ReplicaSet> update = {};
  // Beyond the history that is kept.
  Objects<api::apps::v1::ReplicaSet> remove = {};
  // With another status, or another revision in its annotations: both are written with the status.
  // Nothing: it is right as it is.
  std::optional<api::apps::v1::Deployment> status = {};
  // When to look again though nothing changes: the deadline for progress.
  absl::Time again = absl::InfiniteFuture();
};

// `sets` are all replica sets of its namespace, of which it looks at its own, and at one that has
// the name which it wants; `pods` those of its own replica sets. Pure. (syncDeployment, without
// adoption and the rollback by annotation)
DeploymentPlan PlanDeployment(const api::apps::v1::Deployment& deployment,
                              const Objects<api::apps::v1::ReplicaSet>& sets,
                              const Objects<api::core::v1::Pod>& pods, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_DEPLOYMENT_H_
