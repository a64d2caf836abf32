#ifndef ENVTEST_WORKLOADS_INTERNAL_NODE_AGENT_H_
#define ENVTEST_WORKLOADS_INTERNAL_NODE_AGENT_H_

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "envtest/workloads/internal/cluster.h"
#include "envtest/workloads/internal/outcome.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads_options.h"

namespace kube::envtest::internal {

// Creates the nodes and does to pods what the scheduler and the nodes do. Remembers when each pod
// entered its state, since times in the API have whole seconds only.
//
// Thread-compatible.
class NodeAgent {
 public:
  // Both must outlive this.
  NodeAgent(Cluster& cluster, const WorkloadsOptions& options)
      : cluster_(cluster), options_(options) {}

  // Makes one pass over all nodes and pods.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  // What is remembered about a pod.
  struct Seen {
    int pass = 0;  // the last pass that saw it
    // Whether it was given a node, even if that is not visible yet.
    bool bound = false;
    std::optional<base::MonotonicTime> scheduled = {};
    std::optional<base::MonotonicTime> running = {};
    std::optional<base::MonotonicTime> deleted = {};
    std::string ip = {};
  };

  void SyncNodes(const Context& ctx, Outcome& outcome);
  void Schedule(const Context& ctx, Outcome& outcome);
  void Run(const Context& ctx, const api::core::v1::Pod& pod, absl::string_view node_ip, Seen& seen,
           Outcome& outcome);
  PodRun RunOf(const api::core::v1::Pod& pod) const;

  Cluster& cluster_;
  const WorkloadsOptions& options_;
  int pass_ = 0;
  int addresses_ = 0;                 // number of pod addresses assigned
  std::map<std::string, Seen> seen_;  // by UID
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODE_AGENT_H_
