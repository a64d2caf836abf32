#include "envtest/workloads/internal/nodes/container_restarts.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/container_restart.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

template <typename... Cause>
absl::Status NotPossible(const corev1::Pod& pod, absl::string_view container,
                         const Cause&... cause) {
  return absl::FailedPreconditionError(absl::StrCat("container \"", container, "\" of pod \"",
                                                    pod.metadata.name.view(), "\": ", cause...));
}

// Returns the status of the container, or null.
corev1::ContainerStatus* Find(corev1::Pod& pod, absl::string_view container) {
  for (corev1::ContainerStatus& each : pod.status.container_statuses) {
    if (each.name == container) return &each;
  }
  return nullptr;
}

absl::Status NotFound(const corev1::Pod& pod, absl::string_view container) {
  return absl::NotFoundError(absl::StrCat("pod \"", pod.metadata.name.view(),
                                          "\" has no container \"", container,
                                          "\" in its status, phase is ", pod.status.phase.view()));
}

// Sets "Ready" and "ContainersReady" according to the containers. (Go: `GeneratePodReadyCondition`)
void SetReadiness(corev1::Pod& pod, absl::Time now) {
  std::vector<absl::string_view> unready;
  for (const corev1::ContainerStatus& each : pod.status.container_statuses) {
    if (!each.ready) unready.push_back(each.name.view());
  }
  const bool ready = unready.empty();
  for (corev1::PodCondition& each : pod.status.conditions) {
    if (each.type != "Ready" && each.type != "ContainersReady") continue;
    const absl::string_view text = ready ? "True" : "False";
    if (each.status != text) each.last_transition_time = Time(now);
    each.status = text;
    each.reason = ready ? "" : "ContainersNotReady";
    each.message =
        ready ? ""
              : absl::StrCat("containers with unready status: [", absl::StrJoin(unready, " "), "]");
  }
}

// Returns "envtest://UID/NAME/N", where N is the number of restarts.
std::string NextContainerId(const corev1::Pod& pod, const corev1::ContainerStatus& status) {
  return absl::StrCat("envtest://", pod.metadata.uid.view(), "/", status.name.view(), "/",
                      status.restart_count);
}

}  // namespace

absl::Status EndContainer(corev1::Pod& pod, absl::string_view container,
                          const ContainerRestart& restart, absl::Time now) {
  corev1::ContainerStatus* const status = Find(pod, container);
  if (status == nullptr) return NotFound(pod, container);
  if (!status->state.running) return NotPossible(pod, container, "not running");
  const absl::string_view policy = pod.spec.restart_policy.view();
  if (policy == "Never" || (policy == "OnFailure" && restart.exit_code == 0)) {
    return NotPossible(pod, container, "restartPolicy ", policy, " does not allow a restart");
  }
  corev1::ContainerStateTerminated ended;
  ended.exit_code = restart.exit_code;
  ended.reason = !restart.reason.empty()  ? absl::string_view(restart.reason)
                 : restart.exit_code == 0 ? "Completed"
                                          : "Error";
  ended.started_at = status->state.running->started_at;
  ended.finished_at = Time(now);
  ended.container_id = status->container_id;
  status->state = {};
  status->state.terminated.emplace() = std::move(ended);
  status->ready = false;
  status->started = false;
  SetReadiness(pod, now);
  return absl::OkStatus();
}

absl::Status BackOffContainer(corev1::Pod& pod, absl::string_view container,
                              const ContainerRestart& restart, absl::Time now) {
  corev1::ContainerStatus* const status = Find(pod, container);
  if (status == nullptr) return NotFound(pod, container);
  if (!status->state.terminated) return NotPossible(pod, container, "not terminated");
  status->last_state = std::move(status->state);
  status->state = {};
  corev1::ContainerStateWaiting& waiting = status->state.waiting.emplace();
  waiting.reason = "CrashLoopBackOff";
  waiting.message =
      absl::StrCat("back-off ", absl::FormatDuration(restart.back_off),
                   " restarting failed container=", container, " pod=", pod.metadata.name.view(),
                   "_", pod.metadata.namespace_.view(), "(", pod.metadata.uid.view(), ")");
  SetReadiness(pod, now);
  return absl::OkStatus();
}

absl::Status StartContainerAgain(corev1::Pod& pod, absl::string_view container, absl::Time now) {
  corev1::ContainerStatus* const status = Find(pod, container);
  if (status == nullptr) return NotFound(pod, container);
  if (status->state.running) return NotPossible(pod, container, "already running");
  if (status->state.terminated) status->last_state = std::move(status->state);
  status->state = {};
  status->state.running.emplace().started_at = Time(now);
  ++status->restart_count;
  status->container_id = NextContainerId(pod, *status);
  status->ready = true;
  status->started = true;
  SetReadiness(pod, now);
  return absl::OkStatus();
}

}  // namespace kube::envtest::internal
