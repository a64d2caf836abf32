#include "examples/cron_job_operator/operator.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cron/cron_schedule.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "controller/events/event_types.h"
#include "controller/workqueue/verdict.h"
#include "examples/cron_job_operator/runs.h"
#include "examples/cron_job_operator/webhooks.h"

namespace tutorial {
namespace {

namespace batchv1 = kube::api::batch::v1;
namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;
using kube::controller::Result;
using kube::cron::CronSchedule;
using v1::CronJob;

// Returns the condition with which a Job has finished, or "" if it is active.
absl::string_view FinishedAs(const batchv1::Job& job) {
  for (const batchv1::JobCondition& condition : job.status.conditions) {
    if (condition.status != corev1::kConditionTrue) continue;
    if (condition.type == batchv1::kJobComplete) return batchv1::kJobComplete;
    if (condition.type == batchv1::kJobFailed) return batchv1::kJobFailed;
  }
  return "";
}

// Returns the infinite past if the annotation is missing or malformed.
absl::Time ScheduledTimeOf(const batchv1::Job& job) {
  absl::Time time = absl::InfinitePast();
  std::string error;
  const std::string text(job.metadata.annotations.value_or(kScheduledAt, ""));
  return absl::ParseTime(absl::RFC3339_full, text, &time, &error) ? time : absl::InfinitePast();
}

corev1::ObjectReference ReferenceTo(const batchv1::Job& job) {
  return {.kind = "Job",
          .namespace_ = job.metadata.namespace_,
          .name = job.metadata.name,
          .uid = job.metadata.uid,
          .api_version = "batch/v1"};
}

// Two Jobs for one time have one name, so that the server refuses the second.
batchv1::Job JobOf(const CronJob& cron_job, absl::Time time) {
  batchv1::Job job;
  job.metadata.name = absl::StrCat(cron_job.metadata.name.view(), "-", absl::ToUnixSeconds(time));
  job.metadata.labels = cron_job.spec.job_template.metadata.labels;
  job.metadata.annotations = cron_job.spec.job_template.metadata.annotations;
  job.metadata.annotations[kScheduledAt] = kube::Time(time).ToString();
  job.spec = cron_job.spec.job_template.spec;
  return job;
}

}  // namespace

CronJobOperator::CronJobOperator(kube::controller::Manager& manager)
    : cron_jobs_(manager),
      jobs_(cron_jobs_.Owns<batchv1::Job>(
          {.writes = {.propagation_policy = std::string(metav1::kDeletePropagationBackground),
                      .access = {.verbs = {"create", "delete"}}}})) {
  cron_jobs_.Reconciles([this](Request& request) { return Reconcile(request); });
  RegisterWebhooks(manager.webhooks());
}

absl::StatusOr<Result> CronJobOperator::Reconcile(Request& request) {
  const v1::CronJobSpec& spec = request.object()->spec;
  Jobs active, successful, failed;
  kube::List<corev1::ObjectReference> references;
  absl::Time last = absl::InfinitePast();
  // Sorted by name, and so by time.
  for (const std::shared_ptr<const batchv1::Job>& job : jobs_.Children(request)) {
    const absl::string_view finished = FinishedAs(*job);
    if (finished.empty()) {
      active.push_back(job);
      references.push_back(ReferenceTo(*job));
    } else {
      (finished == batchv1::kJobComplete ? successful : failed).push_back(job);
    }
    last = std::max(last, ScheduledTimeOf(*job));
  }
  // Before old Jobs are deleted, since the last run must not be forgotten with its Job.
  if (const auto& known = request.object()->status.last_schedule_time; known.has_value()) {
    last = std::max(last, known->ToAbslTime());
  }
  const auto observe = [&](v1::CronJobStatus& status) {
    status.active = references;
    if (last != absl::InfinitePast()) status.last_schedule_time = kube::Time(last);
  };
  KUBE_RETURN_IF_ERROR(cron_jobs_.EditStatus(request, observe));
  KUBE_RETURN_IF_ERROR(DeleteOld(request, successful, spec.successful_jobs_history_limit));
  KUBE_RETURN_IF_ERROR(DeleteOld(request, failed, spec.failed_jobs_history_limit));
  if (spec.suspend.value_or(false)) return Result();

  // The webhook lets no wrong schedule pass, but it may not have been there.
  const absl::StatusOr<CronSchedule> schedule = CronSchedule::Parse(spec.schedule.view());
  if (!schedule.ok()) return kube::workqueue::TerminalError(schedule.status());
  const absl::Time now = kube::base::WallNow();
  absl::Time since = std::max(last, request.object()->metadata.creation_timestamp.ToAbslTime());
  if (spec.starting_deadline_seconds.has_value()) {
    since = std::max(since, now - absl::Seconds(*spec.starting_deadline_seconds));
  }
  const absl::StatusOr<Runs> runs = RunsSince(*schedule, since, now);
  if (!runs.ok()) {
    request.Event(kube::events::kEventTypeWarning, "TooManyMissedTimes", runs.status().message());
    return kube::workqueue::TerminalError(runs.status());
  }
  if (runs->missed.has_value()) KUBE_RETURN_IF_ERROR(Start(request, active, *runs->missed));
  if (!runs->next.has_value()) return Result();
  return Result{.requeue_after = *runs->next - now};
}

absl::Status CronJobOperator::Start(Request& request, const Jobs& active, absl::Time time) {
  const CronJob& cron_job = *request.object();
  const kube::String& policy = cron_job.spec.concurrency_policy;
  // The end of the Job calls Reconcile again.
  if (policy == batchv1::kForbidConcurrent && !active.empty()) return absl::OkStatus();
  if (policy == batchv1::kReplaceConcurrent) {
    for (const auto& job : active) KUBE_RETURN_IF_ERROR(jobs_.Delete(request, *job));
  }
  KUBE_ASSIGN_OR_RETURN(const batchv1::Job job, jobs_.Create(request, JobOf(cron_job, time)));
  // Others may delete the Job before it is seen.
  const auto note = [&](v1::CronJobStatus& status) {
    status.active.push_back(ReferenceTo(job));
    status.last_schedule_time = kube::Time(time);
  };
  return cron_jobs_.EditStatus(request, note).status();
}

absl::Status CronJobOperator::DeleteOld(Request& request, const Jobs& finished,
                                        kube::Opt<int32_t> limit) const {
  const int64_t kept = limit.value_or(std::numeric_limits<int32_t>::max());
  for (int64_t i = 0; i < static_cast<int64_t>(finished.size()) - kept; ++i) {
    KUBE_RETURN_IF_ERROR(jobs_.Delete(request, *finished[i]));
  }
  return absl::OkStatus();
}

}  // namespace tutorial
