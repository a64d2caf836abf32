#include "envtest/workloads/internal/batch/cron_job_controller.h"

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "envtest/workloads/internal/batch/cron_job.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/grouping.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/cluster/pod_control.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;

constexpr absl::string_view kComponent = "cronjob-controller";

}  // namespace

bool CronJobController::DeleteJob(const Context& ctx, const batchv1::Job& job,
                                  const corev1::ObjectReference& cron_job, Outcome& outcome) {
  const absl::Status deleted = cluster_.jobs.Delete(ctx, job, {.propagation_policy = "Background"});
  if (!outcome.Note(deleted, "the deletion of a job")) {
    events_.Write(ctx, kComponent, cron_job,
                  {.warning = true,
                   .reason = "FailedDelete",
                   .message = absl::StrCat("Deleted job: ", AsServerSays(deleted).message())});
    return false;
  }
  events_.Write(ctx, kComponent, cron_job,
                {.reason = "SuccessfulDelete",
                 .message = absl::StrCat("Deleted job ", job.metadata.name.view())});
  return true;
}

// Returns whether everything was done.
bool CronJobController::SyncOne(const Context& ctx, const batchv1::CronJob& cron_job,
                                const CronJobPlan& plan, Outcome& outcome) {
  const corev1::ObjectReference reference = ReferenceTo("batch/v1", "CronJob", cron_job.metadata);
  bool ok = true;
  for (const auto& job : plan.remove) ok = DeleteJob(ctx, *job, reference, outcome) && ok;
  for (const EventText& event : plan.events) events_.Write(ctx, kComponent, reference, event);
  for (const auto& job : plan.replace) {
    // It stays active, so the next pass deletes it.
    if (!DeleteJob(ctx, *job, reference, outcome)) return false;
  }
  batchv1::CronJob changed = cron_job;
  changed.status = plan.status;
  if (plan.create.has_value()) {
    const absl::Status created = cluster_.jobs.Create(ctx, *plan.create);
    if (created.ok()) {
      events_.Write(ctx, kComponent, reference,
                    {.reason = "SuccessfulCreate",
                     .message = absl::StrCat("Created job ", plan.create->metadata.name.view())});
    } else if (!errors::IsAlreadyExists(created)) {
      outcome.Note(created, "a job");
      events_.Write(
          ctx, kComponent, reference,
          {.warning = true,
           .reason = "FailedCreate",
           .message = absl::StrCat("Error creating job: ", AsServerSays(created).message())});
      return false;
    }
    // The job may exist from an earlier pass whose status could not be written.
    const auto job = cluster_.jobs.client()
                         .Namespace(cron_job.metadata.namespace_.view())
                         .Get(ctx, plan.create->metadata.name.view());
    if (!outcome.Note(job.status(), "a new job")) return false;
    if (meta::IsControlledBy(job->metadata, cron_job.metadata)) {
      AddActive(*job, plan.scheduled, changed.status);
    }
  }
  if (changed.status != cron_job.status) {
    ok = outcome.Note(cluster_.cron_jobs.UpdateStatus(ctx, changed), "the status of a cron job") &&
         ok;
  }
  return ok;
}

void CronJobController::Sync(const Context& ctx, Outcome& outcome) {
  const auto jobs = ByController(cluster_.jobs.All());
  std::map<std::string, Look> looks;
  for (const auto& cron_job : cluster_.cron_jobs.All()) {
    const std::string uid(cron_job->metadata.uid);
    const Objects<batchv1::Job> own = Of(jobs, cron_job->metadata.uid);
    Look look = {.versions = std::string(cron_job->metadata.resource_version)};
    for (const auto& job : own) {
      absl::StrAppend(&look.versions, " ", job->metadata.resource_version.view());
    }
    const absl::Time now = base::WallNow();
    const auto last = looks_.find(uid);
    if (last != looks_.end() && last->second.versions == look.versions &&
        now < last->second.again) {
      look.again = last->second.again;
    } else {
      const CronJobPlan plan = PlanCronJob(*cron_job, own, now);
      look.again = plan.again;
      if (!SyncOne(ctx, *cron_job, plan, outcome)) look.versions.clear();
    }
    outcome.LookAgainAfter(look.again - now);
    looks[uid] = std::move(look);
  }
  looks_ = std::move(looks);
}

}  // namespace kube::envtest::internal
