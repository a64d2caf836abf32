#ifndef ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_
#define ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/apps/deployment.h"
#include "envtest/workloads/internal/apps/stateful_set.h"
#include "envtest/workloads/internal/batch/cron_job_controller.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/disruption/disruption_controller.h"

namespace kube::envtest::internal {

// Does what kube-controller-manager does: plans the changes for all objects that it controls, and
// writes them. It is level-triggered: each pass derives everything from the cluster, except for
// failed creations of pods and for events, which are remembered here.
//
// Thread-compatible.
class Controllers {
 public:
  // Both must outlive this.
  Controllers(Cluster& cluster, Events& events)
      : cluster_(cluster),
        events_(events),
        cron_jobs_(cluster, events),
        disruption_(cluster, events) {}

  // Makes one pass over all controllers.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  // Returns whether the controller took part in the adoption of this pass. One that appeared later
  // waits for the next pass.
  bool HasAdopted(const api::meta::v1::ObjectMeta& controller) const;
  bool WriteReplicaSets(const Context& ctx, const api::apps::v1::Deployment& deployment,
                        const Objects<api::apps::v1::ReplicaSet>& before,
                        const DeploymentPlan& plan, Outcome& outcome);
  void SyncDeployments(const Context& ctx, Outcome& outcome);
  void SyncReplicaSets(const Context& ctx, Outcome& outcome);
  void WriteStatefulPods(const Context& ctx, const api::apps::v1::StatefulSet& set,
                         const StatefulSetPlan& plan, Outcome& outcome);
  void SyncStatefulSets(const Context& ctx, Outcome& outcome);
  void SyncDaemonSets(const Context& ctx, Outcome& outcome);
  bool WriteRevision(const Context& ctx, const RevisionPlan& plan, Outcome& outcome);
  void SyncNodes(const Context& ctx, Outcome& outcome);
  void SyncJobs(const Context& ctx, Outcome& outcome);
  void ReleaseOrphans(const Context& ctx, Outcome& outcome);

  Cluster& cluster_;
  Events& events_;
  // UIDs of the controllers that have adopted in this pass.
  std::set<std::string> adopters_;
  // The last error when pods of a replica set were created or deleted, by the UID of the set.
  std::map<std::string, absl::Status> failures_;
  CronJobController cron_jobs_;
  DisruptionController disruption_;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_
