#ifndef ENVTEST_WORKLOADS_WORKLOADS_H_
#define ENVTEST_WORKLOADS_WORKLOADS_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/config.h"
#include "envtest/workloads/container_restart.h"
#include "envtest/workloads/workloads_options.h"

namespace kube::envtest {

// Life in a cluster of tests: deployments get replica sets, cron jobs get jobs; replica sets,
// stateful sets, daemon sets and jobs get pods; pods get a node and run; services get endpoint
// slices; all with the statuses and conditions that `kubectl rollout status` and `kubectl wait`
// look for. Workloads does what kube-controller-manager, kube-scheduler and kubelets do elsewhere,
// as far as it can be seen through the API; no container runs.
//
//   KUBE_ASSIGN_OR_RETURN(auto environment, EmbeddedEnvironment::Start());
//   KUBE_ASSIGN_OR_RETURN(auto workloads, Workloads::Start(environment->Config(),
//                                                          {.pod_ready_after = absl::Seconds(1)}));
//
// It is a client like any other: it runs against ApiHandler (by InProcessConfig), ApiServer and
// ControlPlane alike, its requests are in the server's log with the user agent "envtest-workloads",
// and deny rules hold for it. Under SimRuntime each run of a seed is the same.
//
// What is there and what is not: docs/envtest.md. It is for some hundred pods. Stop it, by its
// destructor, before the server. Thread-safe.
class Workloads {
 private:
  // Only Start has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts its threads, one for each resource that it watches and one that writes, and returns;
  // what there is already is seen to as well. Errors: those of rest::MakeClient, RESOURCE_EXHAUSTED
  // without threads. A server that does not answer is asked again and again.
  static absl::StatusOr<std::unique_ptr<Workloads>> Start(rest::Config config,
                                                          WorkloadsOptions options = {});

  // Lets a container of a running pod end and start again, and writes what a kubelet writes: first
  // that it has terminated and the pod is not ready; then, with a back-off, that it waits in
  // CrashLoopBackOff; at last that it runs, with one restart more, and how it ended as its last
  // state. Returns when the last of these is written, after the back-off.
  //
  //   workloads->RestartContainer(ctx, "default", "web-0", "web", {.exit_code = 137,
  //                                                                .reason = "OOMKilled"});
  //
  // NOT_FOUND: there is no such pod or container. FAILED_PRECONDITION: the container is not
  // running, or the pod's restartPolicy does not let it be started again. Other errors are those of
  // requests; ctx.status() if that ends the back-off, and then the container waits for ever.
  absl::Status RestartContainer(const Context& ctx, absl::string_view namespace_name,
                                absl::string_view pod, absl::string_view container,
                                const ContainerRestart& restart = {});

  struct Impl;
  Workloads(Key, std::unique_ptr<Impl> impl);
  // Ends its threads, and what they are waiting for.
  ~Workloads();
  Workloads(const Workloads&) = delete;
  Workloads& operator=(const Workloads&) = delete;

 private:
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_WORKLOADS_H_
