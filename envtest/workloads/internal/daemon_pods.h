#ifndef ENVTEST_WORKLOADS_INTERNAL_DAEMON_PODS_H_
#define ENVTEST_WORKLOADS_INTERNAL_DAEMON_PODS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"

// The pods of a daemon set, and the nodes that they are for. Pure functions. (daemonset_util.go)
namespace kube::envtest::internal {

// Whether a node is to have a pod of a daemon set.
struct DaemonFit {
  bool should_run = false;
  // A pod that is there stays: taints keep new ones off, but do not evict.
  bool should_stay = false;
};

// By spec.nodeName, spec.nodeSelector and the required node affinity of the template, and by the
// taints of the node. (NodeShouldRunDaemonPod)
DaemonFit FitOf(const api::core::v1::Node& node, const api::apps::v1::DaemonSet& set);

// The pod of a node as it is to be created: its affinity names the node, its tolerations are those
// of all daemons, its labels say the hash of the revision. (CreatePodTemplate)
api::core::v1::Pod NewDaemonPod(const api::apps::v1::DaemonSet& set, absl::string_view node,
                                absl::string_view hash);

// Whether a pod is of the newest revision. (IsPodUpdated)
bool IsUpdated(const api::core::v1::Pod& pod, const api::apps::v1::DaemonSet& set,
               absl::string_view hash);

// The node of a pod, or the only one that its affinity lets it go to; "": there is no such node, as
// of pods that are not a daemon set's. (GetTargetNodeName)
std::string TargetNode(const api::core::v1::Pod& pod);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_DAEMON_PODS_H_
