#ifndef ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_H_
#define ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "envtest/workloads/pod_run.h"

// What the nodes and the node controller do: pods run, end, and disappear after their deletion.
// Pure functions.
namespace kube::envtest::internal {

// Return a new node, and the status of a ready node with room for 110 pods.
api::core::v1::Node NewNode(absl::string_view name);
api::core::v1::NodeStatus ReadyNodeStatus(absl::string_view name, absl::string_view ip,
                                          absl::Time now);

// The changes of the node controller for a node.
struct NodePlan {
  // Set if the node has no condition Ready a minute after its creation, as no kubelet reports it.
  std::optional<api::core::v1::NodeStatus> status = {};
  // Set if the taints that follow from conditions and spec.unschedulable have changed.
  std::optional<List<api::core::v1::Taint>> taints = {};
  // When to plan again without a change.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the changes for a node. A node that was ready once counts as ready forever, without
// heartbeats. NoExecute taints are not used. (Go: `tryUpdateNodeHealth`,
// `doNoScheduleTaintingPass`)
NodePlan PlanNode(const api::core::v1::Node& node, absl::Time now);

// Returns the taints of a node as PlanNode will write them: those that follow from its conditions
// and spec.unschedulable, and all others of its spec.
List<api::core::v1::Taint> TaintsFor(const api::core::v1::Node& node, absl::Time now);

// The changes for a pod that has a node.
struct PodPlan {
  std::optional<api::core::v1::PodStatus> status = {};
  // Whether the pod has stopped and must be deleted without grace.
  bool remove = false;
  // Time after which to plan again.
  absl::Duration again = absl::InfiniteDuration();
};

// Time since the pod got its node, started to run and was deleted, as observed by the caller.
struct PodAge {
  absl::Duration scheduled = absl::ZeroDuration();
  absl::Duration running = absl::ZeroDuration();
  absl::Duration deleted = absl::ZeroDuration();
};

// Plans the changes for a pod that has a node.
PodPlan PlanPod(const api::core::v1::Pod& pod, const PodRun& run, const PodAge& age,
                absl::string_view pod_ip, absl::string_view node_ip, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_H_
