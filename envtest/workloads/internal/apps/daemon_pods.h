#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_DAEMON_PODS_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_DAEMON_PODS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"

// The pods of a daemon set and the nodes they are for. Pure functions. (Go: daemonset_util.go)
namespace kube::envtest::internal {

// Whether a node should have a pod of a daemon set.
struct DaemonFit {
  bool should_run = false;
  // Whether an existing pod may stay: a NoSchedule taint keeps off new pods only.
  bool should_stay = false;
};

// Evaluates spec.nodeName, spec.nodeSelector and the required node affinity of the template, and
// the taints of the node. (Go: `NodeShouldRunDaemonPod`)
DaemonFit FitOf(const api::core::v1::Node& node, const api::apps::v1::DaemonSet& set);

// Returns a new pod for a node: its affinity names the node, it has the tolerations of all daemons,
// and its labels contain the hash of the revision. (Go: `CreatePodTemplate`)
api::core::v1::Pod NewDaemonPod(const api::apps::v1::DaemonSet& set, absl::string_view node,
                                absl::string_view hash);

// Returns whether a pod belongs to the newest revision. (Go: `IsPodUpdated`)
bool IsUpdated(const api::core::v1::Pod& pod, const api::apps::v1::DaemonSet& set,
               absl::string_view hash);

// Returns the node of a pod, or the only node that its affinity allows, or "" if there is none, as
// for pods that do not belong to a daemon set. (Go: `GetTargetNodeName`)
std::string TargetNode(const api::core::v1::Pod& pod);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_DAEMON_PODS_H_
