#ifndef ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_
#define ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"
#include "envtest/workloads/internal/cluster.h"
#include "envtest/workloads/internal/controller_revisions.h"
#include "envtest/workloads/internal/cron_job.h"
#include "envtest/workloads/internal/events.h"
#include "envtest/workloads/internal/outcome.h"

namespace kube::envtest::internal {

// Does what kube-controller-manager does: plans the changes for all objects that it controls, and
// writes them. It is level-triggered: each pass derives everything from the cluster, except for
// failed creations of pods and for events, which are remembered here.
//
// Thread-compatible.
class Controllers {
 public:
  // `cluster` must outlive this.
  Controllers(Cluster& cluster, const rest::Client& client)
      : cluster_(cluster), cron_job_events_(client, "cronjob-controller") {}

  // Makes one pass over all controllers.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  void SyncDeployments(const Context& ctx, Outcome& outcome);
  void SyncReplicaSets(const Context& ctx, Outcome& outcome);
  void SyncStatefulSets(const Context& ctx, Outcome& outcome);
  void SyncDaemonSets(const Context& ctx, Outcome& outcome);
  bool WriteRevision(const Context& ctx, const RevisionPlan& plan, Outcome& outcome);
  void SyncCronJobs(const Context& ctx, Outcome& outcome);
  bool SyncCronJob(const Context& ctx, const api::batch::v1::CronJob& cron_job,
                   const CronJobPlan& plan, Outcome& outcome);
  bool DeleteJob(const Context& ctx, const api::batch::v1::Job& job,
                 const api::core::v1::ObjectReference& cron_job, Outcome& outcome);
  void SyncNodes(const Context& ctx, Outcome& outcome);
  void SyncJobs(const Context& ctx, Outcome& outcome);
  void ReleaseOrphans(const Context& ctx, Outcome& outcome);
  void SyncServices(const Context& ctx, Outcome& outcome);

  Cluster& cluster_;
  // The last error when pods of a replica set were created or deleted, by the UID of the set.
  std::map<std::string, absl::Status> failures_;
  // The last pass over each cron job, by UID: the resource versions it saw, and when it must be
  // repeated. A pass records events each time, so a cron job is skipped until a version changes or
  // that time comes.
  struct Look {
    std::string versions = {};
    absl::Time again = absl::InfiniteFuture();
  };
  std::map<std::string, Look> looks_;
  Events cron_job_events_;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CONTROLLERS_H_
