#ifndef ENVTEST_WORKLOADS_INTERNAL_NODES_SCHEDULER_H_
#define ENVTEST_WORKLOADS_INTERNAL_NODES_SCHEDULER_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// Where a pod goes, or why it goes nowhere.
struct Placement {
  // Empty if no node fits.
  std::string node = {};
  // Why no node fits, in the words of kube-scheduler; empty if a node fits.
  std::string failure = {};
};

// Chooses a node for a pod and counts the pod in `pods_by_node`, the number of pods by node name.
// Filters by spec.unschedulable, taints, spec.nodeSelector and the required node affinity. Among
// the nodes that fit, it prefers those with fewer untolerated PreferNoSchedule taints, then those
// with a greater weight of preferred node affinity, then those with fewer pods, then the first one.
// kube-scheduler adds such scores up.
//
// Ignores resources, host ports, volumes, topology spread, affinity to pods, and preemption. Taints
// that follow from conditions count as PlanNode will write them. A node on which no kubelet has
// reported the condition Ready has no room, except for pods that name their node by affinity, as
// those of daemon sets do.
//
// Pure. (Go: `schedulePod`, `FitError`)
Placement PlacePod(const api::core::v1::Pod& pod, const Objects<api::core::v1::Node>& nodes,
                   std::map<std::string, int>& pods_by_node, absl::Time now);

// Returns the status of a pod that fits no node: the condition PodScheduled says `failure`.
api::core::v1::PodStatus UnschedulableStatus(const api::core::v1::Pod& pod,
                                             absl::string_view failure, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODES_SCHEDULER_H_
