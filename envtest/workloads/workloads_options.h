#ifndef ENVTEST_WORKLOADS_WORKLOADS_OPTIONS_H_
#define ENVTEST_WORKLOADS_WORKLOADS_OPTIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/pod_run.h"

namespace kube::envtest {

struct WorkloadsOptions {
  // Nodes that are made, if they are not there, and are ready. Default: one. Empty: pods go to the
  // nodes that somebody else makes.
  std::vector<std::string> nodes = {"node-0"};

  // From the moment a pod has a node until it is Running and Ready. Default: at once.
  // absl::InfiniteDuration(): never.
  absl::Duration pod_ready_after = absl::ZeroDuration();
  // From then until the containers of a pod end with success whose restartPolicy is Never or
  // OnFailure, as those of jobs. Default: as soon as it was seen running. Other pods run for ever.
  absl::Duration pod_ends_after = absl::ZeroDuration();
  // From a pod's deletion until it is gone. Default: at once.
  absl::Duration pod_stops_after = absl::ZeroDuration();
  // For pods that behave in another way: called with a pod and what the options above make of it,
  // on a thread of the workloads', whenever that pod is looked at; it must not block, and answers
  // the same for the same pod. Default: none do.
  //
  //   [](const corev1::Pod& pod, envtest::PodRun run) {
  //     if (pod.spec.containers[0].image == "web:broken") run.ready_after = InfiniteDuration();
  //     return run;
  //   }
  std::function<PodRun(const api::core::v1::Pod& pod, PodRun run)> pod_run = {};

  // Default: Workloads controls deployments, replica sets, stateful sets, daemon sets, jobs, cron
  // jobs and services, and taints nodes by their conditions. False: it does only what schedulers
  // and nodes do, beside a kube-controller-manager.
  bool controllers = true;
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_WORKLOADS_OPTIONS_H_
