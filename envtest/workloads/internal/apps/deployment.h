#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_DEPLOYMENT_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_DEPLOYMENT_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The changes for a deployment, in this order.
struct DeploymentPlan {
  // At most one replica set.
  std::vector<api::apps::v1::ReplicaSet> create = {};
  // Replica sets with other sizes, annotations or revisions.
  std::vector<api::apps::v1::ReplicaSet> update = {};
  // Replica sets beyond the limit of the history.
  Objects<api::apps::v1::ReplicaSet> remove = {};
  // The deployment with a new status or a new revision annotation; both are written with the
  // status. Empty if it is up to date.
  std::optional<api::apps::v1::Deployment> status = {};
  // When to plan again without a change: at the progress deadline.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the changes for a deployment. `sets` must contain all replica sets of its namespace: its
// own, and one that may have taken the name of a new one. `pods` must contain the pods of its
// replica sets. Pure. (Go: `syncDeployment`, without rollback by annotation)
DeploymentPlan PlanDeployment(const api::apps::v1::Deployment& deployment,
                              const Objects<api::apps::v1::ReplicaSet>& sets,
                              const Objects<api::core::v1::Pod>& pods, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_DEPLOYMENT_H_
