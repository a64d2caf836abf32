#include "envtest/workloads/internal/apps/replica_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

// Maximum number of pods created or deleted at once. (Go: `BurstReplicas`)
constexpr int64_t kBurst = 500;

void SetFailure(appsv1::ReplicaSetStatus& status, const absl::Status& failure, int64_t missing,
                absl::Time now) {
  const auto is_failure = [](const appsv1::ReplicaSetCondition& each) {
    return each.type == "ReplicaFailure";
  };
  const bool has = std::any_of(status.conditions.begin(), status.conditions.end(), is_failure);
  if (failure.ok()) {
    if (has) erase_if(status.conditions, is_failure);
    return;
  }
  // The first failure is kept.
  if (has) return;
  appsv1::ReplicaSetCondition condition;
  condition.type = "ReplicaFailure";
  condition.status = "True";
  condition.last_transition_time = Time(now);
  condition.reason = missing > 0 ? "FailedCreate" : missing < 0 ? "FailedDelete" : "";
  condition.message = failure.message();
  status.conditions.push_back(std::move(condition));
}

bool HasAll(const Map<String>& labels, const Map<String>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& each) {
    const String* value = labels.find(each.key);
    return value != nullptr && *value == each.value;
  });
}

}  // namespace

ReplicaSetPlan PlanReplicaSet(const appsv1::ReplicaSet& set, const Objects<corev1::Pod>& pods,
                              const absl::Status& failure, absl::Time now) {
  ReplicaSetPlan plan;
  Objects<corev1::Pod> active;
  appsv1::ReplicaSetStatus status = set.status;
  status.observed_generation = set.metadata.generation;
  status.fully_labeled_replicas = status.ready_replicas = status.available_replicas = 0;
  int32_t terminating = 0;
  for (const auto& pod : pods) {
    if (IsTerminating(*pod)) ++terminating;
    if (!IsActive(*pod)) continue;
    active.push_back(pod);
    if (HasAll(pod->metadata.labels, set.spec.template_.metadata.labels)) {
      ++status.fully_labeled_replicas;
    }
    if (!IsReady(*pod)) continue;
    ++status.ready_replicas;
    const absl::Time available = AvailableFrom(*pod, set.spec.min_ready_seconds);
    if (available <= now) {
      ++status.available_replicas;
    } else {
      plan.again = std::min(plan.again, available);
    }
  }
  status.replicas = static_cast<int32_t>(active.size());
  status.terminating_replicas = terminating;

  const int64_t missing = set.spec.replicas.value_or(1) - static_cast<int64_t>(active.size());
  SetFailure(status, failure, missing, now);
  if (status != set.status) plan.status = std::move(status);
  // A replica set that is being deleted gets no more pods; the garbage collector deletes existing
  // ones.
  if (set.metadata.deletion_timestamp.has_value()) return plan;
  const auto owner = meta::NewControllerRef(
      set.metadata, {.group = "apps", .version = "v1", .kind = "ReplicaSet"});
  for (int64_t i = 0; i < std::min(missing, kBurst); ++i) {
    plan.create.push_back(PodFrom(set.spec.template_, set.metadata, owner));
  }
  if (missing < 0) {
    SortForDeletion(active);
    active.resize(static_cast<size_t>(std::min(-missing, kBurst)));
    plan.remove = std::move(active);
  }
  return plan;
}

}  // namespace kube::envtest::internal
