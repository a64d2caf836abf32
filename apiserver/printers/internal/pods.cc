#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "apiserver/printers/internal/containers.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Pods and pod templates.
namespace kube::printers::internal {
namespace {

namespace corev1 = api::core::v1;

constexpr Column kPodColumns[] = {
    kName,
    {"Ready", "string", "The number of ready containers and the number of containers."},
    {"Status", "string",
     "The phase of the pod, or the more specific reason of one of its containers."},
    {"Restarts", "string", "The number of container restarts, and the time since the last one."},
    kAge,
    {"IP", "string", "The first address of the pod.", 1},
    {"Node", "string", "The node that the pod is bound to.", 1},
    {"Nominated Node", "string",
     "The node that the pod is nominated for once pods are preempted there.", 1},
    {"Readiness Gates", "string",
     "The number of true conditions and the number of readiness gates.", 1},
};

constexpr Column kPodTemplateColumns[] = {
    kName,
    {"Containers", "string", "The names of the containers in the template."},
    {"Images", "string", "The images of the containers."},
    {"Pod Labels", "string", "The labels of pods of this template."},
};

const corev1::PodCondition* FindCondition(const corev1::Pod& pod, absl::string_view type) {
  for (const corev1::PodCondition& condition : pod.status.conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

bool IsFirstTrue(const corev1::Pod& pod, absl::string_view type) {
  const corev1::PodCondition* condition = FindCondition(pod, type);
  return condition != nullptr && condition->status == "True";
}

// It is enough if one condition of this type is true, not necessarily the first.
bool IsReady(const corev1::Pod& pod) {
  return std::any_of(pod.status.conditions.begin(), pod.status.conditions.end(),
                     [](const corev1::PodCondition& condition) {
                       return condition.type == "Ready" && condition.status == "True";
                     });
}

bool IsSidecar(const corev1::Container& container) { return container.restart_policy == "Always"; }

// Describes how a container ended, without its reason.
std::string Ending(const corev1::ContainerStateTerminated& terminated) {
  if (terminated.signal != 0) return absl::StrCat("Signal:", terminated.signal);
  return absl::StrCat("ExitCode:", terminated.exit_code);
}

// The number of restarts, and the time of the last one, or zero if it is unknown.
struct Restarts {
  int64_t count = 0;
  Time last = {};

  void Add(const corev1::ContainerStatus& container) {
    count += container.restart_count;
    if (container.last_state.terminated) {
      last = std::max(last, container.last_state.terminated->finished_at);
    }
  }
};

// Derives a pod's row from its containers, in the order of upstream's printPod.
class PodSummary {
 public:
  explicit PodSummary(const corev1::Pod& pod) : pod_(pod) {
    StartReason();
    CountContainers();
    const bool initializing = LookAtInitContainers();
    if (!initializing || IsFirstTrue(pod_, "Initialized")) LookAtContainers();
    LookAtDeletion();
  }

  std::string ready() const { return absl::StrCat(ready_, "/", total_); }
  const std::string& reason() const { return reason_; }
  std::string RestartsAt(absl::Time now) const {
    if (restarts_.count == 0 || restarts_.last.IsZero()) return absl::StrCat(restarts_.count);
    return absl::StrCat(restarts_.count, " (", AgeOf(restarts_.last, now), " ago)");
  }

 private:
  void StartReason() {
    reason_ = std::string(OrElse(pod_.status.reason, pod_.status.phase));
    for (const corev1::PodCondition& condition : pod_.status.conditions) {
      if (condition.type == "PodScheduled" &&
          condition.reason == corev1::kPodReasonSchedulingGated) {
        reason_ = std::string(corev1::kPodReasonSchedulingGated);
      }
    }
  }

  void CountContainers() {
    total_ = pod_.spec.containers.size();
    for (const corev1::Container& container : pod_.spec.init_containers) {
      const bool sidecar = IsSidecar(container);
      if (sidecar) ++total_;
      // If two have the same name, the last one counts.
      sidecars_[container.name] = sidecar;
    }
  }

  bool IsSidecarNamed(absl::string_view name) const {
    const auto it = sidecars_.find(name);
    return it != sidecars_.end() && it->second;
  }

  // Stops at the first init container that has not finished, or started if it is a sidecar, and
  // makes it the reason. Returns whether there is one.
  bool LookAtInitContainers() {
    int64_t index = 0;
    for (const corev1::ContainerStatus& container : pod_.status.init_container_statuses) {
      restarts_.Add(container);
      const bool sidecar = IsSidecarNamed(container.name);
      if (sidecar) sidecar_restarts_.Add(container);
      const bool terminated = container.state.terminated != nullptr;
      if (terminated && container.state.terminated->exit_code == 0) {
        // It has finished.
      } else if (sidecar && container.started == true) {
        if (container.ready) ++ready_;
      } else {
        reason_ = absl::StrCat("Init:", InitReason(container, index));
        return true;
      }
      ++index;
    }
    return false;
  }

  std::string InitReason(const corev1::ContainerStatus& container, int64_t index) const {
    if (container.state.terminated) {
      const corev1::ContainerStateTerminated& terminated = *container.state.terminated;
      return terminated.reason.empty() ? Ending(terminated) : std::string(terminated.reason);
    }
    if (container.state.waiting && !container.state.waiting->reason.empty() &&
        container.state.waiting->reason != "PodInitializing") {
      return container.state.waiting->reason;
    }
    return absl::StrCat(index, "/", pod_.spec.init_containers.size());
  }

  // Goes from the last container to the first, so that the reason of the first one counts.
  void LookAtContainers() {
    restarts_ = sidecar_restarts_;
    bool running = false;
    std::string error;
    const List<corev1::ContainerStatus>& containers = pod_.status.container_statuses;
    for (size_t i = containers.size(); i-- > 0;) {
      const corev1::ContainerStatus& container = containers[i];
      restarts_.Add(container);
      if (container.state.waiting && !container.state.waiting->reason.empty()) {
        reason_ = std::string(container.state.waiting->reason);
      } else if (container.state.terminated) {
        const corev1::ContainerStateTerminated& terminated = *container.state.terminated;
        reason_ = terminated.reason.empty() ? Ending(terminated) : std::string(terminated.reason);
        if (terminated.exit_code != 0) error = reason_;
      } else if (container.ready && container.state.running) {
        running = true;
        ++ready_;
      }
    }
    if (reason_ != "Completed") return;
    // A container has completed; the reason depends on the others.
    if (running && IsReady(pod_)) {
      reason_ = "Running";
    } else if (!error.empty()) {
      reason_ = error;
    } else if (running) {
      reason_ = "NotReady";
    }
  }

  void LookAtDeletion() {
    if (!pod_.metadata.deletion_timestamp.has_value()) return;
    // The node controller sets this on the pods of a node that does not respond.
    if (pod_.status.reason == "NodeLost") {
      reason_ = "Unknown";
    } else if (pod_.status.phase != "Failed" && pod_.status.phase != "Succeeded") {
      reason_ = "Terminating";
    }
  }

  const corev1::Pod& pod_;
  std::map<std::string, bool, std::less<>> sidecars_;
  size_t ready_ = 0;
  size_t total_ = 0;
  std::string reason_;
  Restarts restarts_;
  Restarts sidecar_restarts_;
};

// `podIP` counts if the two differ, as in upstream's conversion.
absl::string_view FirstAddress(const corev1::PodStatus& status) {
  if (!status.pod_ip.empty()) return status.pod_ip;
  return status.pod_ips.empty() ? absl::string_view() : status.pod_ips[0].ip.view();
}

std::string ReadinessGates(const corev1::Pod& pod) {
  if (pod.spec.readiness_gates.empty()) return std::string(kNone);
  int open = 0;
  for (const corev1::PodReadinessGate& gate : pod.spec.readiness_gates) {
    if (IsFirstTrue(pod, gate.condition_type)) ++open;
  }
  return absl::StrCat(open, "/", pod.spec.readiness_gates.size());
}

void PrintPod(const corev1::Pod& pod, Row& row) {
  const PodSummary summary(pod);
  if (pod.status.phase == "Succeeded") {
    row.Complete("Succeeded", "The pod has completed successfully.");
  } else if (pod.status.phase == "Failed") {
    row.Complete("Failed", "The pod failed.");
  }
  row.Text(pod.metadata.name);
  row.Text(summary.ready());
  row.Text(summary.reason());
  row.Text(summary.RestartsAt(row.now()));
  row.Age(pod.metadata.creation_timestamp);
  row.Text(OrElse(FirstAddress(pod.status), kNone));
  row.Text(OrElse(pod.spec.node_name, kNone));
  row.Text(OrElse(pod.status.nominated_node_name, kNone));
  row.Text(ReadinessGates(pod));
}

void PrintPodTemplate(const corev1::PodTemplate& pods, Row& row) {
  row.Text(pods.metadata.name);
  PrintContainers(pods.template_.spec.containers, row);
  row.Text(labels::FormatLabels(pods.template_.metadata.labels));
}

}  // namespace

std::vector<Printer> PodPrinters() {
  return {
      PrinterOf<PrintPod>(kPodColumns),
      PrinterOf<PrintPodTemplate>(kPodTemplateColumns),
  };
}

}  // namespace kube::printers::internal
