#ifndef ENVTEST_WORKLOADS_INTERNAL_NODE_H_
#define ENVTEST_WORKLOADS_INTERNAL_NODE_H_

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "envtest/workloads/internal/pods.h"
#include "envtest/workloads/pod_run.h"

// What schedulers and nodes do: pods get a node, run, end, and go when they are deleted. And what
// the node controller does. Pure functions.
namespace kube::envtest::internal {

// A node as it is to be created, and its status: ready, with room for 110 pods.
api::core::v1::Node NewNode(absl::string_view name);
api::core::v1::NodeStatus ReadyNodeStatus(absl::string_view name, absl::string_view ip,
                                          absl::Time now);
bool IsReady(const api::core::v1::Node& node);

// What the node controller does about a node.
struct NodePlan {
  // It has no condition Ready, a minute after it was made: nobody speaks for it.
  std::optional<api::core::v1::NodeStatus> status = {};
  // The taints that follow from its conditions and spec.unschedulable have changed.
  std::optional<List<api::core::v1::Taint>> taints = {};
  // When to look again though nothing changes.
  absl::Time again = absl::InfiniteFuture();
};

// Nodes that were ready once count as ready for ever, without heartbeats. There are no taints with
// the effect NoExecute. (tryUpdateNodeHealth, doNoScheduleTaintingPass)
NodePlan PlanNode(const api::core::v1::Node& node, absl::Time now);

// Where a pod goes: the node with the fewest pods, which it counts; the first of several. Neither
// taints nor resources, selectors or affinity count; cordoned nodes and those that are not ready
// get none. "": there is none.
std::string PickNode(const Objects<api::core::v1::Node>& nodes,
                     std::map<std::string, int>& pods_by_node);

// What is to be done about a pod that has a node.
struct PodPlan {
  std::optional<api::core::v1::PodStatus> status = {};
  // It has stopped: delete it, without grace.
  bool remove = false;
  // After which time to look again.
  absl::Duration again = absl::InfiniteDuration();
};

// How long ago its last step was, as far as whoever asks has seen it: that it got its node, that it
// began to run, that it was deleted.
struct PodAge {
  absl::Duration scheduled = absl::ZeroDuration();
  absl::Duration running = absl::ZeroDuration();
  absl::Duration deleted = absl::ZeroDuration();
};

PodPlan PlanPod(const api::core::v1::Pod& pod, const PodRun& run, const PodAge& age,
                absl::string_view pod_ip, absl::string_view node_ip, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODE_H_
