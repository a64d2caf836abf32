#ifndef ENVTEST_WORKLOADS_INTERNAL_DAEMON_SET_H_
#define ENVTEST_WORKLOADS_INTERNAL_DAEMON_SET_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/controller_revisions.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {

// What is to be done about a daemon set, in this order.
struct DaemonSetPlan {
  RevisionPlan revision = {};
  std::vector<api::core::v1::Pod> create = {};
  Objects<api::core::v1::Pod> remove = {};
  // Revisions beyond the limit of the history.
  Revisions remove_revisions = {};
  // Nothing: it is right as it is.
  std::optional<api::apps::v1::DaemonSetStatus> status = {};
  // When to look again though nothing changes: some pod becomes available, or is to be replaced.
  absl::Time again = absl::InfiniteFuture();
};

// `pods` are those that it controls, `revisions` those of its namespace. None of its pods may have
// been deleted without `pods` showing it. First each node gets its pod, or loses it; when there is
// nothing of that to do, a rolling update takes its next step.
//
// Pure. (syncDaemonSet, without adoption)
DaemonSetPlan PlanDaemonSet(const api::apps::v1::DaemonSet& set,
                            const Objects<api::core::v1::Pod>& pods,
                            const Objects<api::core::v1::Node>& nodes, const Revisions& revisions,
                            absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_DAEMON_SET_H_
