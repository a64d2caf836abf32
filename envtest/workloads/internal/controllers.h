#ifndef ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_
#define ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "envtest/workloads/internal/cluster.h"
#include "envtest/workloads/internal/outcome.h"

namespace kube::envtest::internal {

// What kube-controller-manager does: looks at all objects of the kinds that it controls, and writes
// what their plans say. Level-triggered: what an earlier pass has done can be seen in the cluster,
// but for what pods could not be created.
//
// Thread-compatible.
class Controllers {
 public:
  // `cluster` outlives this.
  explicit Controllers(Cluster& cluster) : cluster_(cluster) {}

  // Does what can be done now.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  void SyncDeployments(const Context& ctx, Outcome& outcome);
  void SyncReplicaSets(const Context& ctx, Outcome& outcome);
  void SyncJobs(const Context& ctx, Outcome& outcome);
  void ReleaseOrphans(const Context& ctx, Outcome& outcome);
  void SyncServices(const Context& ctx, Outcome& outcome);

  Cluster& cluster_;
  // What became of the last creations and deletions, by the UID of a replica set; only errors.
  std::map<std::string, absl::Status> failures_;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_
