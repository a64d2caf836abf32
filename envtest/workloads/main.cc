// Runs Workloads for scripts: simulates workloads in the cluster of a kubeconfig until Ctrl-C or
// SIGTERM.
//
//   main [--kubeconfig FILE] [--pod-ready-after=1s] [--nodes=node-0,node-1] [--nocontrollers]

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/config.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"

ABSL_FLAG(std::vector<std::string>, nodes, {"node-0"},
          "names of the simulated nodes, separated by commas");
ABSL_FLAG(absl::Duration, pod_ready_after, absl::Seconds(1),
          "time from the binding of a pod to a node until it is ready; inf: never");
ABSL_FLAG(absl::Duration, pod_ends_after, absl::Seconds(1),
          "time from then until containers that are not restarted, as those of jobs, terminate");
ABSL_FLAG(absl::Duration, pod_stops_after, absl::ZeroDuration(),
          "time from the deletion of a pod until it is removed");
ABSL_FLAG(bool, controllers, true,
          "also run the controllers of deployments, replica sets, jobs, services and others; turn "
          "this off beside a kube-controller-manager");

namespace {

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(kube::rest::Config config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<kube::envtest::Workloads> workloads,
      kube::envtest::Workloads::Start(std::move(config),
                                      {.nodes = absl::GetFlag(FLAGS_nodes),
                                       .pod_ready_after = absl::GetFlag(FLAGS_pod_ready_after),
                                       .pod_ends_after = absl::GetFlag(FLAGS_pod_ends_after),
                                       .pod_stops_after = absl::GetFlag(FLAGS_pod_stops_after),
                                       .controllers = absl::GetFlag(FLAGS_controllers)}));
  kube::base::SleepFor(ctx, absl::InfiniteDuration()).IgnoreError();
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::SignalContext());
  if (status.ok()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}
