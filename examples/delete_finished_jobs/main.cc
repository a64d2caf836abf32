// delete_finished_jobs [--namespace NS] [--older_than 24h]: deletes the jobs of a namespace that
// have succeeded or failed some time ago, and their pods. A job that somebody has changed or
// replaced since it was read is left alone.
//
//   deleted job backup-1: Complete for 3d2h
//   deleted job backup-2: Failed for 2d1h
#include <iostream>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/duration/human_duration.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/batch/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/pager/pager.h"

namespace batchv1 = kube::api::batch::v1;
namespace metav1 = kube::api::meta::v1;

ABSL_FLAG(absl::Duration, older_than, absl::Hours(24),
          "how long ago a job must have finished to be deleted");

namespace {

// Returns the condition that says that the job has finished, or null.
const batchv1::JobCondition* FindFinished(const batchv1::Job& job) {
  for (const batchv1::JobCondition& condition : job.status.conditions) {
    const bool ends =
        condition.type == batchv1::kJobComplete || condition.type == batchv1::kJobFailed;
    if (ends && condition.status == metav1::kConditionTrue) return &condition;
  }
  return nullptr;
}

absl::Status DeleteFinishedJobs(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto jobs = client.BatchV1().Jobs(loaded.chosen_namespace.name);

  const absl::Time limit = kube::base::WallNow() - absl::GetFlag(FLAGS_older_than);
  const auto delete_if_old = [&](const batchv1::Job& job) -> absl::Status {
    const batchv1::JobCondition* const finished = FindFinished(job);
    if (finished == nullptr || finished->last_transition_time.ToAbslTime() > limit) {
      return absl::OkStatus();
    }
    const absl::Status status = jobs.Delete(
        ctx, job.metadata.name,
        {.preconditions = metav1::Preconditions{.uid = job.metadata.uid,
                                                .resource_version = job.metadata.resource_version},
         .propagation_policy = metav1::kDeletePropagationBackground});
    if (kube::errors::IsNotFound(status) || kube::errors::IsConflict(status)) {
      return absl::OkStatus();
    }
    KUBE_RETURN_IF_ERROR(status);
    std::cout << "deleted job " << job.metadata.name << ": " << finished->type << " for "
              << kube::duration::Age(finished->last_transition_time) << "\n";
    return absl::OkStatus();
  };
  return kube::pager::PagerOf(jobs.typed_client()).EachItem(ctx, {}, delete_if_old);
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Minutes(5));
  const absl::Status status = DeleteFinishedJobs(ctx);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
