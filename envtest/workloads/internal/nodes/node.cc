#include "envtest/workloads/internal/nodes/node.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/pod_run.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

void SetCondition(corev1::PodStatus& status, absl::string_view type, bool holds,
                  absl::string_view reason, absl::Time now) {
  corev1::PodCondition* condition = nullptr;
  for (corev1::PodCondition& each : status.conditions) {
    if (each.type == type) condition = &each;
  }
  const absl::string_view text = holds ? "True" : "False";
  if (condition == nullptr) {
    condition = &status.conditions.emplace_back();
    condition->type = type;
  }
  if (condition->status != text) condition->last_transition_time = Time(now);
  condition->status = text;
  condition->reason = reason;
}

void AddCondition(corev1::NodeStatus& status, absl::string_view type, absl::string_view text,
                  absl::string_view reason, absl::string_view message, absl::Time now) {
  corev1::NodeCondition& condition = status.conditions.emplace_back();
  condition.type = type;
  condition.status = text;
  condition.last_heartbeat_time = Time(now);
  condition.last_transition_time = Time(now);
  condition.reason = reason;
  condition.message = message;
}

// A condition that keeps off new pods, and the key of its taint.
// (Go: `nodeConditionToTaintKeyStatusMap`)
struct ConditionTaint {
  absl::string_view type;
  absl::string_view status;
  absl::string_view key;
};
constexpr ConditionTaint kConditionTaints[] = {
    {"Ready", "False", "node.kubernetes.io/not-ready"},
    {"Ready", "Unknown", "node.kubernetes.io/unreachable"},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
};
constexpr absl::string_view kUnschedulable = "node.kubernetes.io/unschedulable";
// (Go: `nodeStartupGracePeriod`)
constexpr absl::Duration kStartupGrace = absl::Minutes(1);

// Returns whether the node controller manages this taint.
bool IsConditionTaint(const corev1::Taint& taint) {
  if (taint.effect != "NoSchedule") return false;
  return taint.key == kUnschedulable ||
         std::any_of(std::begin(kConditionTaints), std::end(kConditionTaints),
                     [&](const ConditionTaint& each) { return taint.key == each.key; });
}

std::vector<absl::string_view> WantedTaints(const corev1::Node& node) {
  std::vector<absl::string_view> keys;
  for (const corev1::NodeCondition& condition : node.status.conditions) {
    for (const ConditionTaint& each : kConditionTaints) {
      if (condition.type == each.type && condition.status == each.status) keys.push_back(each.key);
    }
  }
  if (node.spec.unschedulable) keys.push_back(kUnschedulable);
  return keys;
}

// The image is taken from the spec unchanged; a runtime would report its full name.
corev1::ContainerStatus StatusOf(const corev1::Container& container, const corev1::Pod& pod) {
  corev1::ContainerStatus status;
  status.name = container.name;
  status.image = container.image;
  status.image_id = absl::StrCat("envtest://", container.image.view());
  status.container_id =
      absl::StrCat("envtest://", pod.metadata.uid.view(), "/", container.name.view());
  return status;
}

corev1::PodStatus Running(const corev1::Pod& pod, absl::string_view pod_ip,
                          absl::string_view node_ip, absl::Time now) {
  corev1::PodStatus status = pod.status;
  status.phase = "Running";
  status.observed_generation = pod.metadata.generation;
  status.start_time = Time(now);
  status.host_ip = node_ip;
  status.host_ips = {corev1::HostIP{.ip = node_ip}};
  const absl::string_view ip = pod.spec.host_network ? node_ip : pod_ip;
  status.pod_ip = ip;
  status.pod_ips = {corev1::PodIP{.ip = ip}};
  for (const absl::string_view type :
       {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady"}) {
    SetCondition(status, type, true, "", now);
  }
  status.init_container_statuses.clear();
  for (const corev1::Container& each : pod.spec.init_containers) {
    corev1::ContainerStatus& init =
        status.init_container_statuses.emplace_back(StatusOf(each, pod));
    init.ready = true;
    init.started = false;
    corev1::ContainerStateTerminated& ended = init.state.terminated.emplace();
    ended.reason = "Completed";
    ended.started_at = ended.finished_at = Time(now);
    ended.container_id = init.container_id;
  }
  status.container_statuses.clear();
  for (const corev1::Container& each : pod.spec.containers) {
    corev1::ContainerStatus& running = status.container_statuses.emplace_back(StatusOf(each, pod));
    running.ready = true;
    running.started = true;
    running.state.running.emplace().started_at = Time(now);
  }
  return status;
}

corev1::PodStatus Ended(const corev1::Pod& pod, int32_t exit_code, absl::Time now) {
  corev1::PodStatus status = pod.status;
  status.phase = exit_code == 0 ? "Succeeded" : "Failed";
  const absl::string_view reason = exit_code == 0 ? "PodCompleted" : "PodFailed";
  SetCondition(status, "PodReadyToStartContainers", false, "", now);
  SetCondition(status, "Initialized", true, exit_code == 0 ? "PodCompleted" : "", now);
  SetCondition(status, "Ready", false, reason, now);
  SetCondition(status, "ContainersReady", false, reason, now);
  for (corev1::ContainerStatus& each : status.container_statuses) {
    corev1::ContainerStateTerminated ended;
    ended.exit_code = exit_code;
    ended.reason = exit_code == 0 ? "Completed" : "Error";
    ended.started_at = each.state.running ? each.state.running->started_at : Time(now);
    ended.finished_at = Time(now);
    ended.container_id = each.container_id;
    each.state = {};
    each.state.terminated.emplace() = std::move(ended);
    each.ready = false;
    each.started = false;
  }
  return status;
}

}  // namespace

corev1::Node NewNode(absl::string_view name) {
  corev1::Node node;
  node.metadata.name = name;
  node.metadata.labels["kubernetes.io/hostname"] = name;
  node.metadata.labels["kubernetes.io/os"] = "linux";
  return node;
}

corev1::NodeStatus ReadyNodeStatus(absl::string_view name, absl::string_view ip, absl::Time now) {
  corev1::NodeStatus status;
  for (const auto& [resource, amount] :
       {std::pair("cpu", "64"), std::pair("memory", "256Gi"), std::pair("pods", "110")}) {
    status.capacity[resource] = Quantity(amount);
  }
  status.allocatable = status.capacity;
  AddCondition(status, "MemoryPressure", "False", "KubeletHasSufficientMemory",
               "kubelet has sufficient memory available", now);
  AddCondition(status, "DiskPressure", "False", "KubeletHasNoDiskPressure",
               "kubelet has no disk pressure", now);
  AddCondition(status, "PIDPressure", "False", "KubeletHasSufficientPID",
               "kubelet has sufficient PID available", now);
  AddCondition(status, "Ready", "True", "KubeletReady", "kubelet is posting ready status", now);
  status.addresses = {corev1::NodeAddress{.type = "InternalIP", .address = ip},
                      corev1::NodeAddress{.type = "Hostname", .address = name}};
  status.node_info.kubelet_version = "envtest";
  status.node_info.operating_system = "linux";
  return status;
}

List<corev1::Taint> TaintsFor(const corev1::Node& node, absl::Time now) {
  std::vector<absl::string_view> wanted = WantedTaints(node);
  List<corev1::Taint> taints;
  for (const corev1::Taint& each : node.spec.taints) {
    const auto found = std::find(wanted.begin(), wanted.end(), each.key.view());
    if (found == wanted.end()) {
      if (!IsConditionTaint(each)) taints.push_back(each);
      continue;
    }
    taints.push_back(each);
    if (each.effect == "NoSchedule") wanted.erase(found);
  }
  for (const absl::string_view key : wanted) {
    corev1::Taint& taint = taints.emplace_back();
    taint.key = key;
    taint.effect = "NoSchedule";
    taint.time_added = Time(now);
  }
  return taints;
}

NodePlan PlanNode(const corev1::Node& node, absl::Time now) {
  NodePlan plan;
  const auto& conditions = node.status.conditions;
  const Time created = node.metadata.creation_timestamp;
  if (std::none_of(conditions.begin(), conditions.end(),
                   [](const auto& each) { return each.type == "Ready"; })) {
    plan.again = created.ToAbslTime() + kStartupGrace;
    if (plan.again < now) {
      plan.again = absl::InfiniteFuture();
      plan.status = node.status;
      for (const absl::string_view type :
           {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"}) {
        if (std::any_of(conditions.begin(), conditions.end(),
                        [&](const auto& each) { return each.type == type; })) {
          continue;
        }
        AddCondition(*plan.status, type, "Unknown", "NodeStatusNeverUpdated",
                     "Kubelet never posted node status.", now);
        plan.status->conditions.back().last_heartbeat_time = created;
      }
    }
  }
  List<corev1::Taint> taints = TaintsFor(node, now);
  if (taints != node.spec.taints) plan.taints = std::move(taints);
  return plan;
}

PodPlan PlanPod(const corev1::Pod& pod, const PodRun& run, const PodAge& age,
                absl::string_view pod_ip, absl::string_view node_ip, absl::Time now) {
  PodPlan plan;
  if (pod.metadata.deletion_timestamp.has_value()) {
    // Once the grace period is over, only finalizers hold the pod.
    if (pod.metadata.deletion_grace_period_seconds.value_or(0) == 0) return plan;
    plan.remove = age.deleted >= run.stops_after;
    if (!plan.remove) plan.again = run.stops_after - age.deleted;
  } else if (pod.status.phase == "Pending") {
    if (age.scheduled >= run.ready_after) {
      plan.status = Running(pod, pod_ip, node_ip, now);
    } else {
      plan.again = run.ready_after - age.scheduled;
    }
  } else if (pod.status.phase == "Running" && run.ends_after != absl::InfiniteDuration()) {
    if (age.running >= run.ends_after) {
      plan.status = Ended(pod, run.exit_code, now);
    } else {
      plan.again = run.ends_after - age.running;
    }
  }
  return plan;
}

}  // namespace kube::envtest::internal
