#include "envtest/workloads/internal/cluster/pods.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

int PhaseRank(const corev1::Pod& pod) {
  if (pod.status.phase == "Pending") return 0;
  return pod.status.phase == "Running" ? 2 : 1;
}

int32_t DeletionCost(const corev1::Pod& pod) {
  int32_t cost = 0;
  const String* text = pod.metadata.annotations.find("controller.kubernetes.io/pod-deletion-cost");
  if (text == nullptr || !absl::SimpleAtoi(text->view(), &cost)) return 0;
  return cost;
}

// (Go: `maxContainerRestarts`, without sidecars)
int32_t MostRestarts(const corev1::Pod& pod) {
  int32_t most = 0;
  for (const corev1::ContainerStatus& each : pod.status.container_statuses) {
    most = std::max(most, each.restart_count);
  }
  return most;
}

}  // namespace

const corev1::PodCondition* FindCondition(const corev1::Pod& pod, absl::string_view type) {
  for (const corev1::PodCondition& each : pod.status.conditions) {
    if (each.type == type) return &each;
  }
  return nullptr;
}

bool IsReady(const corev1::Pod& pod) {
  const corev1::PodCondition* ready = FindCondition(pod, "Ready");
  return ready != nullptr && ready->status == "True";
}

absl::Time AvailableFrom(const corev1::Pod& pod, int32_t min_ready_seconds) {
  if (!IsReady(pod)) return absl::InfiniteFuture();
  if (min_ready_seconds == 0) return absl::InfinitePast();
  return FindCondition(pod, "Ready")->last_transition_time.ToAbslTime() +
         absl::Seconds(min_ready_seconds);
}

bool HasEnded(const corev1::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

absl::Time EndOf(const corev1::Pod& pod, absl::Time otherwise) {
  absl::Time end = absl::InfinitePast();
  for (const corev1::ContainerStatus& each : pod.status.container_statuses) {
    if (each.state.terminated) {
      end = std::max(end, each.state.terminated->finished_at.ToAbslTime());
    }
  }
  return end == absl::InfinitePast() ? otherwise : end;
}

absl::Time ReplaceFrom(const corev1::Pod& pod) {
  return EndOf(pod, absl::InfinitePast()) + absl::Seconds(1);
}

bool IsActive(const corev1::Pod& pod) {
  return !HasEnded(pod) && !pod.metadata.deletion_timestamp.has_value();
}

bool IsTerminating(const corev1::Pod& pod) {
  return !HasEnded(pod) && pod.metadata.deletion_timestamp.has_value();
}

corev1::Pod PodFrom(const corev1::PodTemplateSpec& pod_template,
                    const metav1::ObjectMeta& controller, const metav1::OwnerReference& owner) {
  corev1::Pod pod;
  pod.metadata.generate_name = absl::StrCat(controller.name.view(), "-");
  pod.metadata.namespace_ = controller.namespace_;
  pod.metadata.labels = pod_template.metadata.labels;
  pod.metadata.annotations = pod_template.metadata.annotations;
  pod.metadata.finalizers = pod_template.metadata.finalizers;
  pod.metadata.owner_references.push_back(owner);
  pod.spec = pod_template.spec;
  return pod;
}

void SortForDeletion(Objects<corev1::Pod>& pods) {
  std::map<std::string, int> ready_on_node;
  for (const auto& pod : pods) {
    if (IsReady(*pod)) ++ready_on_node[std::string(pod->spec.node_name)];
  }
  const auto key = [&](const corev1::Pod& pod) {
    const bool ready = IsReady(pod);
    const int64_t ready_since =
        ready ? FindCondition(pod, "Ready")->last_transition_time.ToUnixSeconds() : 0;
    const auto found = ready_on_node.find(std::string(pod.spec.node_name));
    return std::make_tuple(!pod.spec.node_name.empty(), PhaseRank(pod), ready, DeletionCost(pod),
                           found == ready_on_node.end() ? 0 : -found->second, -ready_since,
                           -MostRestarts(pod), -pod.metadata.creation_timestamp.ToUnixSeconds(),
                           std::string(pod.metadata.name));
  };
  std::sort(pods.begin(), pods.end(),
            [&](const auto& a, const auto& b) { return key(*a) < key(*b); });
}

}  // namespace kube::envtest::internal
