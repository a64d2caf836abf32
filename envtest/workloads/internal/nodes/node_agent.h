#ifndef ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_AGENT_H_
#define ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_AGENT_H_

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads_options.h"

namespace kube::envtest::internal {

// Creates the nodes and does to pods what the scheduler and the nodes do. Remembers when each pod
// entered its state, since times in the API have whole seconds only.
//
// Thread-compatible.
class NodeAgent {
 public:
  // All three must outlive this.
  NodeAgent(Cluster& cluster, Events& events, const WorkloadsOptions& options)
      : cluster_(cluster), events_(events), options_(options) {}

  // Makes one pass over all nodes and pods.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  // What is remembered about a pod.
  struct Seen {
    int pass = 0;  // the last pass that saw it
    // Whether it was given a node, even if that is not visible yet.
    bool bound = false;
    // Why it was not given a node, as the last event says.
    std::string failure = {};
    std::optional<base::MonotonicTime> scheduled = {};
    std::optional<base::MonotonicTime> running = {};
    std::optional<base::MonotonicTime> deleted = {};
    std::string ip = {};
  };

  bool SyncNodes(const Context& ctx, Outcome& outcome);
  void Schedule(const Context& ctx, Outcome& outcome);
  void Bind(const Context& ctx, const api::core::v1::Pod& pod, absl::string_view node, Seen& seen,
            Outcome& outcome);
  void Refuse(const Context& ctx, const api::core::v1::Pod& pod, absl::string_view failure,
              Seen& seen, Outcome& outcome);
  void Run(const Context& ctx, const api::core::v1::Pod& pod, absl::string_view node_ip, Seen& seen,
           Outcome& outcome);
  PodRun RunOf(const api::core::v1::Pod& pod) const;

  Cluster& cluster_;
  Events& events_;
  const WorkloadsOptions& options_;
  int pass_ = 0;
  int addresses_ = 0;                 // number of pod addresses assigned
  std::map<std::string, Seen> seen_;  // by UID
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODES_NODE_AGENT_H_
