#ifndef EXAMPLES_CRON_JOB_OPERATOR_RUNS_H_
#define EXAMPLES_CRON_JOB_OPERATOR_RUNS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/cron/cron_schedule.h"

namespace tutorial {

// The runs of a schedule, as seen at some moment.
struct Runs {
  // The latest run until now.
  std::optional<absl::Time> missed = {};
  // The first run after now.
  std::optional<absl::Time> next = {};
};

// Returns the runs after `since`, as seen at `now`. Returns FAILED_PRECONDITION if more than a
// hundred were missed, because then a clock or the schedule is probably wrong.
absl::StatusOr<Runs> RunsSince(const kube::cron::CronSchedule& schedule, absl::Time since,
                               absl::Time now);

}  // namespace tutorial

#endif  // EXAMPLES_CRON_JOB_OPERATOR_RUNS_H_
