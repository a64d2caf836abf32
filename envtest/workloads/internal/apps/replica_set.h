#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_REPLICA_SET_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_REPLICA_SET_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The changes for a replica set.
struct ReplicaSetPlan {
  std::vector<api::core::v1::Pod> create = {};
  Objects<api::core::v1::Pod> remove = {};
  // Empty if the status is up to date.
  std::optional<api::apps::v1::ReplicaSetStatus> status = {};
  // When to plan again without a change: when a pod becomes available.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the changes for a replica set. `pods` must contain the pods that it controls; `failure` is
// the result of its last creations and deletions. Pure. (Go: `syncReplicaSet`)
ReplicaSetPlan PlanReplicaSet(const api::apps::v1::ReplicaSet& set,
                              const Objects<api::core::v1::Pod>& pods, const absl::Status& failure,
                              absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_REPLICA_SET_H_
