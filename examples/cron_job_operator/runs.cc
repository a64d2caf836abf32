#include "examples/cron_job_operator/runs.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/cron/cron_schedule.h"

namespace tutorial {
namespace {

constexpr int kMaxMissed = 100;

}  // namespace

absl::StatusOr<Runs> RunsSince(const kube::cron::CronSchedule& schedule, absl::Time since,
                               absl::Time now) {
  Runs runs = {.next = schedule.Next(since)};
  for (int missed = 0; runs.next.has_value() && *runs.next <= now; ++missed) {
    if (missed == kMaxMissed) {
      return absl::FailedPreconditionError(
          "too many missed start times (> 100): set or decrease .spec.startingDeadlineSeconds or "
          "check clock skew");
    }
    runs.missed = runs.next;
    runs.next = schedule.Next(*runs.next);
  }
  return runs;
}

}  // namespace tutorial
