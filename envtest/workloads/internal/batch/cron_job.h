#ifndef ENVTEST_WORKLOADS_INTERNAL_BATCH_CRON_JOB_H_
#define ENVTEST_WORKLOADS_INTERNAL_BATCH_CRON_JOB_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The changes for a cron job, in this order.
struct CronJobPlan {
  // Finished jobs beyond the limits of the history.
  Objects<api::batch::v1::Job> remove = {};
  std::vector<EventText> events = {};
  // Jobs that are replaced by the next one (concurrencyPolicy Replace).
  Objects<api::batch::v1::Job> replace = {};
  std::optional<api::batch::v1::Job> create = {};
  // The scheduled time of `create`.
  absl::Time scheduled = absl::InfinitePast();
  // The status without the job to be created, which AddActive adds. May equal the present status.
  api::batch::v1::CronJobStatus status = {};
  // When to plan again without a change: when the next job is due.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the changes for a cron job. `jobs` must contain the jobs that it controls. Each call
// returns events to record, so call it only when the cron job or one of its jobs has changed, or at
// the time that the last plan has set.
//
// Pure, except for reading the machine's time zones. (Go: `syncCronJob` and `cleanupFinishedJobs`
// in cronjob_controllerv2.go)
CronJobPlan PlanCronJob(const api::batch::v1::CronJob& cron_job,
                        const Objects<api::batch::v1::Job>& jobs, absl::Time now);

// Adds a job, which was created or existed already, to the active jobs. `scheduled` is its
// scheduled time. Returns false, without a change, if it is active already.
bool AddActive(const api::batch::v1::Job& job, absl::Time scheduled,
               api::batch::v1::CronJobStatus& status);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_BATCH_CRON_JOB_H_
