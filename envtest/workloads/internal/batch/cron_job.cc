#include "envtest/workloads/internal/batch/cron_job.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/http_date.h"
#include "apimachinery/cron/cron_schedule.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
using cron::CronSchedule;

constexpr absl::string_view kScheduled = "batch.kubernetes.io/cronjob-scheduled-timestamp";
// Added to scheduled times, so that a slightly slow clock does not miss them.
// (Go: `nextScheduleDelta`)
constexpr absl::Duration kPadding = absl::Milliseconds(100);
constexpr int64_t kManyMissed = 100;

// Returns "Complete" or "Failed", or "" for an unfinished job. (Go: `FinishedCondition`)
absl::string_view EndedAs(const batchv1::Job& job) {
  for (const batchv1::JobCondition& each : job.status.conditions) {
    if ((each.type == "Complete" || each.type == "Failed") && each.status == "True") {
      return each.type.view();
    }
  }
  return "";
}

// Formats a time as "Mon, 02 Jan 2006 15:04:05 +0000". (Go: `time.RFC1123Z`)
std::string Rfc1123(absl::Time time) {
  return absl::StrReplaceAll(text::FormatHttpDate(time), {{"GMT", "+0000"}});
}

// The result of looking up a time in a schedule.
struct Due {
  // The last scheduled time without a job; empty if the next one is in the future.
  std::optional<absl::Time> time = {};
  bool many_missed = false;
  // The schedule has no two different times, for example for February 31.
  bool invalid = false;
  // When to look again.
  absl::Time again = absl::InfiniteFuture();
};

absl::Time After(const CronSchedule& schedule, absl::Time time) {
  return schedule.Next(time).value_or(absl::InfiniteFuture());
}

// Finds the last scheduled time between `earliest` and `now`. The number of missed times is
// estimated, as in Kubernetes, since counting those of years would take too long.
// (Go: `mostRecentScheduleTime`)
Due FindDue(const CronSchedule& schedule, absl::Time earliest, absl::Time now) {
  Due due;
  const std::optional<absl::Time> first = schedule.Next(earliest);
  const std::optional<absl::Time> second = first.has_value() ? schedule.Next(*first) : first;
  if (!second.has_value()) {
    due.invalid = true;
    return due;
  }
  if (now < *first) {
    due.again = *first;
    return due;
  }
  if (now < *second) {
    due.time = first;
    due.again = *second;
    return due;
  }
  const absl::Duration between = *second - *first;
  const int64_t missed = (now - *first) / between + 1;
  due.many_missed = missed > kManyMissed;
  absl::Time time = After(schedule, *first + (missed - 2) * between);
  for (; time <= now; time = After(schedule, time)) due.time = time;
  due.again = time;
  return due;
}

// One sync of a cron job, as in kube-controller-manager, which plans writes instead of making them:
// limits the history, updates the list of active jobs, then finds the scheduled time that is due
// and starts a job for it.
class Sync {
 public:
  Sync(const batchv1::CronJob& cron_job, const Objects<batchv1::Job>& jobs, absl::Time now)
      : cron_job_(cron_job), jobs_(jobs), now_(now) {
    plan_.status = cron_job.status;
  }

  CronJobPlan Run();

 private:
  using JobPtr = std::shared_ptr<const batchv1::Job>;

  const batchv1::CronJobSpec& spec() const { return cron_job_.spec; }
  void Tell(bool warning, absl::string_view reason, absl::string_view message);
  bool Deactivate(const String& uid);

  void LimitHistory(absl::string_view end, int32_t limit);
  void SeeJobs();
  void MissJobs();
  std::optional<CronSchedule> Schedule();
  void Start(absl::Time scheduled);
  void StartDue(const CronSchedule& schedule);
  bool IsActive(absl::string_view job) const;
  batchv1::Job NewJob(absl::Time scheduled) const;

  const batchv1::CronJob& cron_job_;
  const Objects<batchv1::Job>& jobs_;
  const absl::Time now_;
  absl::TimeZone zone_ = absl::UTCTimeZone();
  CronJobPlan plan_;
};

void Sync::Tell(bool warning, absl::string_view reason, absl::string_view message) {
  plan_.events.push_back(
      {.warning = warning, .reason = std::string(reason), .message = std::string(message)});
}

bool Sync::Deactivate(const String& uid) {
  return erase_if(plan_.status.active, [&](const auto& each) { return each.uid == uid; }) > 0;
}

// (Go: `removeOldestJobs`)
void Sync::LimitHistory(absl::string_view end, int32_t limit) {
  Objects<batchv1::Job> ended;
  for (const JobPtr& job : jobs_) {
    if (EndedAs(*job) == end) ended.push_back(job);
  }
  if (ended.size() <= static_cast<size_t>(limit)) return;
  const auto key = [](const batchv1::Job& job) {
    const auto& start = job.status.start_time;
    return std::make_tuple(!start.has_value(), start.has_value() ? *start : Time(),
                           job.metadata.name.view());
  };
  std::sort(ended.begin(), ended.end(),
            [&](const JobPtr& a, const JobPtr& b) { return key(*a) < key(*b); });
  ended.resize(ended.size() - static_cast<size_t>(limit));
  for (const JobPtr& job : ended) {
    Deactivate(job->metadata.uid);
    plan_.remove.push_back(job);
  }
}

void Sync::SeeJobs() {
  for (const JobPtr& job : jobs_) {
    const absl::string_view end = EndedAs(*job);
    const absl::string_view name = job->metadata.name.view();
    if (end.empty()) {
      const auto& active = plan_.status.active;
      const bool known = std::any_of(active.begin(), active.end(), [&](const auto& each) {
        return each.uid == job->metadata.uid;
      });
      if (!known) {
        Tell(true, "UnexpectedJob",
             absl::StrCat("Saw a job that the controller did not create or forgot: ", name));
      }
      continue;
    }
    if (Deactivate(job->metadata.uid)) {
      Tell(false, "SawCompletedJob",
           absl::StrCat("Saw completed job: ", name, ", condition: ", end));
    }
    const auto& completed = job->status.completion_time;
    auto& last = plan_.status.last_successful_time;
    if (end == "Complete" && completed.has_value() && (!last.has_value() || *last < *completed)) {
      last = *completed;
    }
  }
}

void Sync::MissJobs() {
  std::set<std::string> there;
  for (const JobPtr& job : jobs_) there.insert(std::string(job->metadata.uid));
  const List<corev1::ObjectReference> active = plan_.status.active;
  for (const corev1::ObjectReference& each : active) {
    if (there.count(std::string(each.uid)) != 0) continue;
    Tell(false, "MissingJob", absl::StrCat("Active job went missing: ", each.name.view()));
    Deactivate(each.uid);
  }
}

// Returns the schedule, or nothing if no jobs must be started.
std::optional<CronSchedule> Sync::Schedule() {
  if (spec().time_zone.has_value()) {
    const std::string name(*spec().time_zone);
    if (!absl::LoadTimeZone(name.empty() ? "UTC" : name, &zone_)) {
      Tell(true, "UnknownTimeZone",
           absl::StrCat("invalid timeZone: \"", name, "\": unknown time zone ", name));
      return std::nullopt;
    }
  }
  if (spec().suspend.value_or(false)) return std::nullopt;
  const absl::string_view text = spec().schedule.view();
  if (absl::StrContains(text, "TZ")) {
    Tell(true, "UnsupportedSchedule",
         absl::StrCat("CRON_TZ or TZ used in schedule \"", text,
                      "\" is not officially supported, see "
                      "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for "
                      "more details"));
  }
  absl::StatusOr<CronSchedule> schedule = CronSchedule::Parse(text, zone_);
  if (schedule.ok()) return *std::move(schedule);
  std::string problem = "unparseable schedule: ";
  text::AppendQuoted(problem, text);
  absl::StrAppend(&problem, " : ", schedule.status().message());
  Tell(true, "UnparseableSchedule", problem);
  return std::nullopt;
}

bool Sync::IsActive(absl::string_view job) const {
  const auto& active = plan_.status.active;
  return std::any_of(active.begin(), active.end(),
                     [&](const auto& each) { return each.name == job; });
}

// (Go: `getJobFromTemplate2`)
batchv1::Job Sync::NewJob(absl::Time scheduled) const {
  batchv1::Job job;
  job.metadata.name =
      absl::StrCat(cron_job_.metadata.name.view(), "-", absl::ToUnixSeconds(scheduled) / 60);
  job.metadata.namespace_ = cron_job_.metadata.namespace_;
  job.metadata.labels = spec().job_template.metadata.labels;
  job.metadata.annotations = spec().job_template.metadata.annotations;
  const bool utc = zone_.At(scheduled).offset == 0;
  job.metadata.annotations[kScheduled] =
      absl::FormatTime(utc ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%dT%H:%M:%S%Ez", scheduled, zone_);
  job.metadata.owner_references.push_back(meta::NewControllerRef(
      cron_job_.metadata, {.group = "batch", .version = "v1", .kind = "CronJob"}));
  job.spec = spec().job_template.spec;
  return job;
}

void Sync::Start(absl::Time scheduled) {
  batchv1::Job job = NewJob(scheduled);
  const auto& last = cron_job_.status.last_schedule_time;
  if (IsActive(job.metadata.name.view()) || (last.has_value() && last->ToAbslTime() == scheduled)) {
    return;
  }
  if (spec().concurrency_policy == "Forbid" && !plan_.status.active.empty()) {
    Tell(false, "JobAlreadyActive",
         "Not starting job because prior execution is running and concurrency policy is Forbid");
    return;
  }
  if (spec().concurrency_policy == "Replace") {
    for (const JobPtr& old : jobs_) {
      if (Deactivate(old->metadata.uid)) plan_.replace.push_back(old);
    }
  }
  plan_.create = std::move(job);
  plan_.scheduled = scheduled;
}

void Sync::StartDue(const CronSchedule& schedule) {
  const absl::Time earliest = cron_job_.status.last_schedule_time.has_value()
                                  ? cron_job_.status.last_schedule_time->ToAbslTime()
                                  : cron_job_.metadata.creation_timestamp.ToAbslTime();
  const auto& deadline = spec().starting_deadline_seconds;
  // Jobs scheduled before this time would start too late.
  const absl::Time from = deadline.has_value() ? now_ - absl::Seconds(*deadline) : earliest;
  const Due due = FindDue(schedule, std::max(earliest, from), now_);
  if (due.invalid) {
    Tell(true, "InvalidSchedule",
         absl::StrCat("invalid schedule: ", spec().schedule.view(),
                      " : time difference between two schedules is less than 1 second"));
    return;
  }
  // Computed without the deadline, as in Kubernetes: the times of "@every" depend on the start of
  // counting.
  plan_.again = FindDue(schedule, earliest, now_).again + kPadding;
  if (!due.time.has_value()) return;
  if (due.many_missed) {
    Tell(true, "TooManyMissedTimes",
         "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check "
         "clock skew");
  }
  if (deadline.has_value() && *due.time + absl::Seconds(*deadline) < now_) {
    Tell(true, "MissSchedule",
         absl::StrCat("Missed scheduled time to start a job: ", Rfc1123(*due.time)));
    return;
  }
  Start(*due.time);
}

CronJobPlan Sync::Run() {
  if (spec().successful_jobs_history_limit.has_value()) {
    LimitHistory("Complete", *spec().successful_jobs_history_limit);
  }
  if (spec().failed_jobs_history_limit.has_value()) {
    LimitHistory("Failed", *spec().failed_jobs_history_limit);
  }
  SeeJobs();
  MissJobs();
  if (cron_job_.metadata.deletion_timestamp.has_value()) return std::move(plan_);
  const std::optional<CronSchedule> schedule = Schedule();
  if (schedule.has_value()) StartDue(*schedule);
  return std::move(plan_);
}

}  // namespace

CronJobPlan PlanCronJob(const batchv1::CronJob& cron_job, const Objects<batchv1::Job>& jobs,
                        absl::Time now) {
  return Sync(cron_job, jobs, now).Run();
}

bool AddActive(const batchv1::Job& job, absl::Time scheduled, batchv1::CronJobStatus& status) {
  for (const corev1::ObjectReference& each : status.active) {
    if (each.uid == job.metadata.uid) return false;
  }
  corev1::ObjectReference& reference = status.active.emplace_back();
  reference.api_version = "batch/v1";
  reference.kind = "Job";
  reference.name = job.metadata.name;
  reference.namespace_ = job.metadata.namespace_;
  reference.uid = job.metadata.uid;
  reference.resource_version = job.metadata.resource_version;
  status.last_schedule_time = Time(scheduled);
  return true;
}

}  // namespace kube::envtest::internal
