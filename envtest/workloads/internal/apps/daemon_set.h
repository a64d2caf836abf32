#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_DAEMON_SET_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_DAEMON_SET_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The changes for a daemon set, in this order.
struct DaemonSetPlan {
  RevisionPlan revision = {};
  std::vector<api::core::v1::Pod> create = {};
  Objects<api::core::v1::Pod> remove = {};
  // Revisions beyond the limit of the history.
  Revisions remove_revisions = {};
  // Empty if the status is up to date.
  std::optional<api::apps::v1::DaemonSetStatus> status = {};
  // When to plan again without a change: when a pod becomes available or must be replaced.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the changes for a daemon set. `pods` must contain the pods that it controls, `revisions`
// the revisions of its namespace. Every deletion of a pod must be visible in `pods`. Pods are first
// created and deleted so that each node has what it should; if there is nothing to do, a rolling
// update takes its next step.
//
// Pure. (Go: `syncDaemonSet`)
DaemonSetPlan PlanDaemonSet(const api::apps::v1::DaemonSet& set,
                            const Objects<api::core::v1::Pod>& pods,
                            const Objects<api::core::v1::Node>& nodes, const Revisions& revisions,
                            absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_DAEMON_SET_H_
