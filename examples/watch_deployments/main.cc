// watch_deployments [--namespace NS] [--events N]: prints the changes of deployments until N events
// or Ctrl-C. When a watch ends or fails, it continues from the last resource version, and lists
// again if that has expired. It pauses unless the watch has told something.
//
//   ADDED web: 0 of 3 available
//   MODIFIED web: 0 of 5 available
//   DELETED web: 0 of 5 available
#include <iostream>
#include <memory>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"

namespace appsv1 = kube::api::apps::v1;

ABSL_FLAG(int, events, 0, "number of events to print; 0: all");

namespace {

void Print(kube::watch::EventType type, const appsv1::Deployment& deployment) {
  std::cout << type << " " << deployment.metadata.name << ": "
            << deployment.status.available_replicas << " of "
            << deployment.spec.replicas.value_or(1) << " available" << std::endl;
}

// Returns whether trying again does not help.
bool IsLasting(const absl::Status& status) {
  return kube::errors::IsForbidden(status) || kube::errors::IsUnauthorized(status) ||
         kube::errors::IsBadRequest(status) || kube::errors::IsMethodNotSupported(status);
}

// Watches from `version`, which it advances, until the watch ends. An OK status does not say that
// the server was reached: a watch whose connection is lost at every try has no events either.
absl::Status WatchOnce(const kube::Context& ctx, const appsv1::DeploymentClient& deployments,
                       std::string& version, int& left) {
  KUBE_ASSIGN_OR_RETURN(
      std::unique_ptr<kube::watch::Watcher<appsv1::Deployment>> watcher,
      deployments.Watch(ctx, {.allow_watch_bookmarks = true, .resource_version = version}));
  while (left != 0) {
    KUBE_ASSIGN_OR_RETURN(auto event, watcher->Next(ctx));
    if (!event.has_value()) break;
    if (event->type == kube::watch::EventType::kError) return event->error;
    version = std::string(event->object->metadata.resource_version);
    if (event->type == kube::watch::EventType::kBookmark) continue;
    Print(event->type, *event->object);
    --left;
  }
  return absl::OkStatus();
}

absl::Status WatchDeployments(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto deployments = client.AppsV1().Deployments(loaded.chosen_namespace.name);

  // Up to 30 s, and up to as much again at random; short again after two minutes without a pause.
  kube::base::BackoffManager pauses({.duration = absl::Milliseconds(800),
                                     .factor = 2,
                                     .jitter = 1,
                                     .steps = 1000,
                                     .cap = absl::Seconds(30)},
                                    absl::Minutes(2));
  int left = absl::GetFlag(FLAGS_events) > 0 ? absl::GetFlag(FLAGS_events) : -1;
  std::string version;
  while (left != 0) {
    if (version.empty()) {
      KUBE_ASSIGN_OR_RETURN(appsv1::DeploymentList list, deployments.List(ctx));
      for (const appsv1::Deployment& deployment : list.items) {
        if (left == 0) break;
        Print(kube::watch::EventType::kAdded, deployment);
        --left;
      }
      version = std::string(list.metadata.resource_version);
    }
    const std::string before = version;
    const absl::Status status = WatchOnce(ctx, deployments, version, left);
    if (status.ok() && (left == 0 || version != before)) continue;
    if (ctx.done() || IsLasting(status)) return status;
    if (!status.ok()) std::cerr << status.message() << "\n";
    if (kube::errors::IsResourceExpired(status)) version.clear();
    KUBE_RETURN_IF_ERROR(kube::base::SleepFor(ctx, pauses.Step()));
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const kube::Context ctx = kube::SignalContext();
  const absl::Status status = WatchDeployments(ctx);
  if (status.ok() || ctx.done()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}
