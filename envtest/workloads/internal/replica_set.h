#ifndef ENVTEST_WORKLOADS_INTERNAL_REPLICA_SET_H_
#define ENVTEST_WORKLOADS_INTERNAL_REPLICA_SET_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {

// What is to be done about a replica set.
struct ReplicaSetPlan {
  std::vector<api::core::v1::Pod> create = {};
  Objects<api::core::v1::Pod> remove = {};
  // Nothing: it is right as it is.
  std::optional<api::apps::v1::ReplicaSetStatus> status = {};
  // When to look again though nothing changes: some pod becomes available.
  absl::Time again = absl::InfiniteFuture();
};

// `pods` are those that it controls; `failure` is what became of its last creations and deletions.
// Pure. (syncReplicaSet, without adoption)
ReplicaSetPlan PlanReplicaSet(const api::apps::v1::ReplicaSet& set,
                              const Objects<api::core::v1::Pod>& pods, const absl::Status& failure,
                              absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_REPLICA_SET_H_
