#include "examples/cron_job_operator/conversion.h"

#include <cstddef>
#include <iterator>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/string.h"

namespace tutorial {
namespace {

// Copies all but the schedule.
template <typename From, typename To>
void CopyRest(const From& from, To& to) {
  to.spec.starting_deadline_seconds = from.spec.starting_deadline_seconds;
  to.spec.concurrency_policy = from.spec.concurrency_policy;
  to.spec.suspend = from.spec.suspend;
  to.spec.job_template = from.spec.job_template;
  to.spec.successful_jobs_history_limit = from.spec.successful_jobs_history_limit;
  to.spec.failed_jobs_history_limit = from.spec.failed_jobs_history_limit;
  to.status = from.status;
}

absl::string_view TextOf(const kube::String& field) {
  return field.empty() ? absl::string_view("*") : field.view();
}

}  // namespace

absl::Status ToHub(const v2::CronJob& cron_job, v1::CronJob& hub) {
  const v2::CronSchedule& schedule = cron_job.spec.schedule;
  hub.spec.schedule = absl::StrCat(TextOf(schedule.minute), " ", TextOf(schedule.hour), " ",
                                   TextOf(schedule.day_of_month), " ", TextOf(schedule.month), " ",
                                   TextOf(schedule.day_of_week));
  CopyRest(cron_job, hub);
  return absl::OkStatus();
}

absl::Status FromHub(const v1::CronJob& hub, v2::CronJob& cron_job) {
  const std::vector<absl::string_view> texts =
      absl::StrSplit(hub.spec.schedule.view(), absl::ByAnyChar(" \t"), absl::SkipEmpty());
  v2::CronSchedule& schedule = cron_job.spec.schedule;
  kube::String* const fields[] = {&schedule.minute, &schedule.hour, &schedule.day_of_month,
                                  &schedule.month, &schedule.day_of_week};
  if (texts.size() != std::size(fields)) {
    return absl::InvalidArgumentError(
        absl::StrCat("schedule \"", hub.spec.schedule.view(), "\" has not 5 fields"));
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] != "*") *fields[i] = texts[i];
  }
  CopyRest(hub, cron_job);
  return absl::OkStatus();
}

}  // namespace tutorial
