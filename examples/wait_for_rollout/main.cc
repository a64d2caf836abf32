// wait_for_rollout DEPLOYMENT [--namespace NS] [--timeout 5m]: waits until a deployment has rolled
// out, as `kubectl rollout status` does, and says on the way what it waits for.
//
//   Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...
//   Waiting for deployment "web" rollout to finish: 2 old replicas are pending termination...
//   Waiting for deployment "web" rollout to finish: 1 of 3 updated replicas are available...
//   deployment "web" successfully rolled out
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"

namespace appsv1 = kube::api::apps::v1;
namespace watch = kube::watch;

ABSL_FLAG(absl::Duration, timeout, absl::Minutes(5), "how long to wait");

namespace {

// Returns what the rollout waits for, or "" if it is complete. Returns FAILED_PRECONDITION if it
// has made no progress in spec.progressDeadlineSeconds.
absl::StatusOr<std::string> WaitsFor(const appsv1::Deployment& deployment) {
  const appsv1::DeploymentStatus& status = deployment.status;
  if (status.observed_generation < deployment.metadata.generation) {
    return "deployment spec update to be observed...";
  }
  for (const appsv1::DeploymentCondition& condition : status.conditions) {
    if (condition.type == appsv1::kDeploymentProgressing &&
        condition.reason == "ProgressDeadlineExceeded") {
      return absl::FailedPreconditionError("the deployment exceeded its progress deadline");
    }
  }
  const std::string rollout =
      absl::StrCat("deployment \"", deployment.metadata.name.view(), "\" rollout to finish: ");
  const int replicas = deployment.spec.replicas.value_or(1);
  if (status.updated_replicas < replicas) {
    return absl::StrCat(rollout, status.updated_replicas, " out of ", replicas,
                        " new replicas have been updated...");
  }
  if (status.replicas > status.updated_replicas) {
    return absl::StrCat(rollout, status.replicas - status.updated_replicas,
                        " old replicas are pending termination...");
  }
  if (status.available_replicas < status.updated_replicas) {
    return absl::StrCat(rollout, status.available_replicas, " of ", status.updated_replicas,
                        " updated replicas are available...");
  }
  return "";
}

absl::Status WaitForRollout(const kube::Context& ctx, const std::string& name) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto deployments = client.AppsV1().Deployments(loaded.chosen_namespace.name);

  std::string said;
  while (true) {
    // A watch of a deployment that does not exist, or not any more, would have no events.
    KUBE_RETURN_IF_ERROR(deployments.Get(ctx, name).status());
    // Without a resource version, the watch begins with the deployment as it is.
    KUBE_ASSIGN_OR_RETURN(
        const auto watcher,
        deployments.Watch(ctx, {.field_selector = absl::StrCat("metadata.name=", name)}));
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const auto event, watcher->Next(ctx));
      if (!event.has_value() || event->type == watch::EventType::kError) break;
      if (event->type == watch::EventType::kDeleted) {
        return absl::NotFoundError("the deployment was deleted");
      }
      KUBE_ASSIGN_OR_RETURN(const std::string what, WaitsFor(*event->object));
      if (what.empty()) return absl::OkStatus();
      if (what != said) std::cout << "Waiting for " << what << std::endl;
      said = what;
    }
    // Servers end watches after some minutes, and connections break: watch again.
    KUBE_RETURN_IF_ERROR(kube::base::SleepFor(ctx, absl::Seconds(1)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 2) {
    std::cerr << "usage: wait_for_rollout DEPLOYMENT\n";
    return 2;
  }
  const std::string name = arguments[1];
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::GetFlag(FLAGS_timeout));
  const absl::Status status = WaitForRollout(ctx, name);
  if (!status.ok()) {
    std::cerr << "wait for the rollout of \"" << name << "\": " << status.message() << "\n";
    return 1;
  }
  std::cout << "deployment \"" << name << "\" successfully rolled out\n";
  return 0;
}
