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

// Makes the nodes, and does with pods what the scheduler and the nodes do. Remembers since when
// pods are in their state, for the API's times have whole seconds only.
//
// Thread-compatible.
class NodeAgent {
 public:
  // Both outlive this.
  NodeAgent(Cluster& cluster, const WorkloadsOptions& options)
      : cluster_(cluster), options_(options) {}

  // Does what can be done now.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  // Of a pod.
  struct Seen {
    int pass = 0;  // when it was seen last
    // It was given a node, whether that can be seen yet or not.
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
  int addresses_ = 0;                 // given to pods
  std::map<std::string, Seen> seen_;  // by UID
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODE_AGENT_H_
