#include "examples/cron_job_operator/webhooks.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "api/batch/v1/types.kube.h"
#include "apimachinery/cron/cron_schedule.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "examples/cron_job_operator/conversion.h"
#include "examples/cron_job_operator/v1.client.kube.h"
#include "examples/cron_job_operator/v1.kube.h"
#include "examples/cron_job_operator/v2.client.kube.h"
#include "examples/cron_job_operator/v2.kube.h"
#include "webhook/admission.h"

namespace tutorial {
namespace {

namespace field = kube::validation::field;
using kube::cron::CronSchedule;
using kube::webhook::AdmissionRequest;
using v1::CronJob;

// A name has at most 63 bytes, of which "-" and the time of a run take 11.
constexpr size_t kMaxNameBytes = 52;

absl::Status SetDefaults(const AdmissionRequest<CronJob>& /*request*/, CronJob& cron_job) {
  v1::CronJobSpec& spec = cron_job.spec;
  if (spec.concurrency_policy.empty()) {
    spec.concurrency_policy = kube::api::batch::v1::kAllowConcurrent;
  }
  if (!spec.suspend.has_value()) spec.suspend = false;
  if (!spec.successful_jobs_history_limit.has_value()) spec.successful_jobs_history_limit = 3;
  if (!spec.failed_jobs_history_limit.has_value()) spec.failed_jobs_history_limit = 1;
  return absl::OkStatus();
}

field::ErrorList Check(const AdmissionRequest<CronJob>& request) {
  const CronJob& cron_job = *request.object;
  // Finalizers must go, also from an object that was stored before there was this webhook.
  if (kube::meta::IsBeingDeleted(cron_job)) return {};
  field::ErrorList wrong;
  if (cron_job.metadata.name.size() > kMaxNameBytes) {
    wrong.push_back(field::Invalid(field::Path("metadata").Child("name"),
                                   std::string(cron_job.metadata.name.view()),
                                   "must be no more than 52 characters"));
  }
  absl::Status is_right = CronSchedule::Parse(cron_job.spec.schedule.view()).status();
  // v2 has no field for "@daily", nor for the time zone of "TZ=Europe/Paris 0 3 * * *".
  v2::CronJob as_v2;
  is_right.Update(FromHub(cron_job, as_v2));
  if (!is_right.ok()) {
    wrong.push_back(field::Invalid(field::Path("spec").Child("schedule"),
                                   std::string(cron_job.spec.schedule.view()), is_right.message()));
  }
  return wrong;
}

}  // namespace

void RegisterWebhooks(kube::webhook::Server& server) {
  server.Defaults<CronJob>(SetDefaults);
  server.Validates<CronJob>(Check);
  server.Converts<CronJob, v2::CronJob>(ToHub, FromHub);
}

}  // namespace tutorial
