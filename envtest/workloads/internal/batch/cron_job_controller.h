#ifndef ENVTEST_WORKLOADS_INTERNAL_BATCH_CRON_JOB_CONTROLLER_H_
#define ENVTEST_WORKLOADS_INTERNAL_BATCH_CRON_JOB_CONTROLLER_H_

#include <map>
#include <string>

#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "envtest/workloads/internal/batch/cron_job.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"

namespace kube::envtest::internal {

// Plans and writes the changes for all cron jobs, with their events.
//
// Thread-compatible. (Go: pkg/controller/cronjob)
class CronJobController {
 public:
  // Both must outlive this.
  CronJobController(Cluster& cluster, Events& events) : cluster_(cluster), events_(events) {}

  // Makes one pass over all cron jobs.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  // The last pass over a cron job: the resource versions it saw, and when it must be repeated. A
  // pass records events each time, so a cron job is skipped until a version changes or that time
  // comes.
  struct Look {
    std::string versions = {};
    absl::Time again = absl::InfiniteFuture();
  };

  bool SyncOne(const Context& ctx, const api::batch::v1::CronJob& cron_job, const CronJobPlan& plan,
               Outcome& outcome);
  bool DeleteJob(const Context& ctx, const api::batch::v1::Job& job,
                 const api::core::v1::ObjectReference& cron_job, Outcome& outcome);

  Cluster& cluster_;
  Events& events_;
  std::map<std::string, Look> looks_;  // by UID
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_BATCH_CRON_JOB_CONTROLLER_H_
