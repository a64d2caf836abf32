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

// Simulates controllers, scheduler and nodes in a test cluster: deployments get replica sets, cron
// jobs get jobs; replica sets, stateful sets, daemon sets and jobs get pods, and adopt orphans;
// pods get a node that their selectors and tolerations allow, and run; services get endpoints, and
// disruption budgets their counts. All get the status, conditions and events that `kubectl rollout
// status`, `kubectl wait` and `kubectl describe` look for. It does what kube-controller-manager,
// kube-scheduler and kubelets do, as far as the API shows it; no container runs.
//
//   apiserver::ApiHandler server;
//   const auto workloads = envtest::Workloads::Start(envtest::InProcessConfig(server));
//   ASSERT_THAT(workloads, IsOk());
//
// It is an ordinary client: it works with ApiHandler (through InProcessConfig), ApiServer and
// ControlPlane, its requests appear in the server's log with the user agent "envtest-workloads",
// and deny rules apply to it. Under SimRuntime, runs with the same seed are identical.
//
// docs/envtest.md lists what is and is not imitated. Designed for some hundred pods. Destroy it
// before the server. Thread-safe.
class Workloads {
 private:
  // Makes the constructor usable by Start only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts one thread per watched resource and one that writes, and returns at once. Existing
  // objects are taken care of too. Returns the errors of rest::MakeClient, or RESOURCE_EXHAUSTED if
  // the system cannot create a thread. A server that does not answer is retried forever.
  static absl::StatusOr<std::unique_ptr<Workloads>> Start(rest::Config config,
                                                          WorkloadsOptions options = {});

  // Makes a container of a running pod end and start again, with the status changes that a kubelet
  // writes: the container has terminated and the pod is not ready; with a back-off, the container
  // waits in CrashLoopBackOff; then it runs again, with one more restart and the termination as its
  // last state. Blocks until the last change is written, including the back-off.
  //
  //   return workloads.RestartContainer(
  //       ctx, "default", "web-0", "web",
  //       {.exit_code = 137, .reason = "OOMKilled", .back_off = absl::Seconds(10)});
  //
  // Returns NOT_FOUND if there is no such pod or container. Returns FAILED_PRECONDITION if the
  // container is not running, or the pod's restartPolicy forbids a restart. Also returns the errors
  // of requests, and ctx.status() if `ctx` is done during the back-off; the container then stays in
  // CrashLoopBackOff.
  absl::Status RestartContainer(const Context& ctx, absl::string_view namespace_name,
                                absl::string_view pod, absl::string_view container,
                                const ContainerRestart& restart = {});

  struct Impl;
  Workloads(Key, std::unique_ptr<Impl> impl);
  // Stops and joins the threads.
  ~Workloads();
  Workloads(const Workloads&) = delete;
  Workloads& operator=(const Workloads&) = delete;

 private:
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_WORKLOADS_H_
