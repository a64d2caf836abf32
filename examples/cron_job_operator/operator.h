#ifndef EXAMPLES_CRON_JOB_OPERATOR_OPERATOR_H_
#define EXAMPLES_CRON_JOB_OPERATOR_OPERATOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "apimachinery/types/opt.h"
// The headers of clients have what the templates below need to know of a kind.
#include "clientset/kubernetes/batch/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "examples/cron_job_operator/v1.client.kube.h"
#include "examples/cron_job_operator/v1.kube.h"

namespace tutorial {

// Has the scheduled time of a Job, as in "2026-01-01T00:00:00Z".
inline constexpr char kScheduledAt[] = "batch.tutorial.example.com/scheduled-at";

// Starts the Jobs of each CronJob at the times of its schedule, deletes old ones, and keeps the
// CronJob's status. Its webhooks set defaults, refuse wrong CronJobs and convert them.
class CronJobOperator {
 public:
  using Request = kube::controller::Request<v1::CronJob>;

  // Make it before Manager::Run, and destroy it after that has returned, before the manager.
  explicit CronJobOperator(kube::controller::Manager& manager);

 private:
  // Jobs in the order of their times.
  using Jobs = std::vector<std::shared_ptr<const kube::api::batch::v1::Job>>;

  absl::StatusOr<kube::controller::Result> Reconcile(Request& request);
  // Starts a Job unless the concurrency policy forbids it.
  absl::Status Start(Request& request, const Jobs& active, absl::Time time);
  absl::Status DeleteOld(Request& request, const Jobs& finished, kube::Opt<int32_t> limit) const;

  // The controller comes first: all else is a part of it.
  kube::controller::Controller<v1::CronJob> cron_jobs_;
  const kube::controller::Owned<kube::api::batch::v1::Job> jobs_;
};

}  // namespace tutorial

#endif  // EXAMPLES_CRON_JOB_OPERATOR_OPERATOR_H_
