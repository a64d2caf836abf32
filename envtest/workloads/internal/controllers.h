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

// What kube-controller-manager does: looks at all objects of the kinds that it controls, and writes
// what their plans say. Level-triggered: what an earlier pass has done can be seen in the cluster,
// but for what pods could not be created, and which events were told.
//
// Thread-compatible.
class Controllers {
 public:
  // `cluster` outlives this.
  Controllers(Cluster& cluster, const rest::Client& client)
      : cluster_(cluster), cron_job_events_(client, "cronjob-controller") {}

  // Does what can be done now.
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
  // What became of the last creations and deletions, by the UID of a replica set; only errors.
  std::map<std::string, absl::Status> failures_;
  // The last look at each cron job, by its UID: the versions that it saw, and when it wants to look
  // again. Every look tells its events, so a cron job is passed over until its versions change or
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
