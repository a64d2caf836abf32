#ifndef ENVTEST_WORKLOADS_WORKLOADS_OPTIONS_H_
#define ENVTEST_WORKLOADS_WORKLOADS_OPTIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/pod_run.h"

namespace kube::envtest {

// Options of Workloads.
struct WorkloadsOptions {
  // Names of the nodes to create if they do not exist, and to make ready. Default: one node. Empty:
  // pods are put on the nodes that somebody else creates.
  std::vector<std::string> nodes = {"node-0"};

  // Time from when a pod has a node until it is Running and Ready. Zero, the default: at once.
  // absl::InfiniteDuration(): never.
  absl::Duration pod_ready_after = absl::ZeroDuration();
  // Time from then until the containers of a pod succeed, if its restartPolicy is Never or
  // OnFailure, as for jobs. Zero, the default: as soon as it was seen running. Other pods run
  // forever.
  absl::Duration pod_ends_after = absl::ZeroDuration();
  // Time from the deletion of a pod until it is gone. Zero, the default: at once.
  absl::Duration pod_stops_after = absl::ZeroDuration();
  // Changes the behaviour of single pods. Called with a pod and the values of the options above, on
  // a thread of Workloads, each time the pod is examined. It must not block, and must return the
  // same for the same pod. Null, the default: no changes.
  //
  //   const auto pod_run = [](const corev1::Pod& pod, PodRun run) {
  //     if (pod.spec.containers[0].image == "web:broken") {
  //       run.ready_after = absl::InfiniteDuration();
  //     }
  //     return run;
  //   };
  std::function<PodRun(const api::core::v1::Pod& pod, PodRun run)> pod_run = {};

  // Whether to run the controllers for deployments, replica sets, stateful sets, daemon sets, jobs,
  // cron jobs, services and disruption budgets, and to taint nodes by their conditions. False: only
  // the scheduler and the nodes are simulated, beside a kube-controller-manager. Default: true.
  bool controllers = true;
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_WORKLOADS_OPTIONS_H_
