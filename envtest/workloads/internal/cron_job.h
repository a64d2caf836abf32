#ifndef ENVTEST_WORKLOADS_INTERNAL_CRON_JOB_H_
#define ENVTEST_WORKLOADS_INTERNAL_CRON_JOB_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "envtest/workloads/internal/events.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {

// What is to be done about a cron job, in this order.
struct CronJobPlan {
  // Jobs that have ended, beyond the limits of the history.
  Objects<api::batch::v1::Job> remove = {};
  std::vector<EventText> events = {};
  // Jobs that give way to the next one. (concurrencyPolicy Replace)
  Objects<api::batch::v1::Job> replace = {};
  std::optional<api::batch::v1::Job> create = {};
  // The time of the schedule that `create` is for.
  absl::Time scheduled = absl::InfinitePast();
  // The status, without the job that is to be created; AddActive adds it. It may be as it is.
  api::batch::v1::CronJobStatus status = {};
  // When to look again though nothing changes: when the next job is due.
  absl::Time again = absl::InfiniteFuture();
};

// `jobs` are those that it controls. Each call has events to tell, so call it when the cron job or
// a job of it has changed, and at the time that the last plan named, not more often.
//
// Pure, but for the zones of the machine. (syncCronJob and cleanupFinishedJobs of
// cronjob_controllerv2.go)
CronJobPlan PlanCronJob(const api::batch::v1::CronJob& cron_job,
                        const Objects<api::batch::v1::Job>& jobs, absl::Time now);

// Adds a job that was created, or was there already, to the active ones. `scheduled` is the time
// that it is for. False: it is there, and the status stays.
bool AddActive(const api::batch::v1::Job& job, absl::Time scheduled,
               api::batch::v1::CronJobStatus& status);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CRON_JOB_H_
