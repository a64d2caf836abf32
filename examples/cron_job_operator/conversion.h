#ifndef EXAMPLES_CRON_JOB_OPERATOR_CONVERSION_H_
#define EXAMPLES_CRON_JOB_OPERATOR_CONVERSION_H_

#include "absl/status/status.h"
#include "examples/cron_job_operator/v1.kube.h"
#include "examples/cron_job_operator/v2.kube.h"

namespace tutorial {

// Convert CronJobs between v2 and the hub, v1. FromHub returns INVALID_ARGUMENT if the schedule has
// not five fields. Thread-safe.
absl::Status ToHub(const v2::CronJob& cron_job, v1::CronJob& hub);
absl::Status FromHub(const v1::CronJob& hub, v2::CronJob& cron_job);

}  // namespace tutorial

#endif  // EXAMPLES_CRON_JOB_OPERATOR_CONVERSION_H_
