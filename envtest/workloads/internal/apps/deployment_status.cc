#include "envtest/workloads/internal/apps/deployment_status.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/apps/rollout.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;

constexpr absl::string_view kProgressing = "Progressing";
constexpr absl::string_view kReplicaFailure = "ReplicaFailure";
constexpr absl::string_view kTimedOut = "ProgressDeadlineExceeded";
constexpr absl::string_view kNewAvailable = "NewReplicaSetAvailable";

// (Go: `DeploymentProgressing`)
bool IsProgressing(const appsv1::DeploymentStatus& before, const appsv1::DeploymentStatus& now) {
  const int32_t old_before = before.replicas - before.updated_replicas;
  const int32_t old_now = now.replicas - now.updated_replicas;
  return now.updated_replicas > before.updated_replicas || old_now < old_before ||
         now.ready_replicas > before.ready_replicas ||
         now.available_replicas > before.available_replicas;
}

absl::Time Deadline(const appsv1::Deployment& deployment,
                    const appsv1::DeploymentCondition& progressing) {
  return progressing.last_update_time.ToAbslTime() +
         absl::Seconds(*deployment.spec.progress_deadline_seconds);
}

// (Go: `DeploymentTimedOut`)
bool HasTimedOut(const appsv1::Deployment& deployment, const appsv1::DeploymentStatus& status,
                 absl::Time now) {
  const appsv1::DeploymentCondition* progressing = FindCondition(status, kProgressing);
  if (progressing == nullptr || progressing->reason == kNewAvailable) return false;
  return progressing->reason == kTimedOut || Deadline(deployment, *progressing) < now;
}

// Returns a message such as `ReplicaSet "web-5d8f" is progressing.`
std::string Says(const appsv1::Deployment& deployment, const appsv1::ReplicaSet* newest,
                 absl::string_view what) {
  if (newest == nullptr) {
    return absl::StrCat("Deployment \"", deployment.metadata.name.view(), "\" ", what, ".");
  }
  return absl::StrCat("ReplicaSet \"", newest->metadata.name.view(), "\" ", what, ".");
}

void SetProgress(const appsv1::Deployment& deployment, const appsv1::ReplicaSet* newest,
                 absl::Time now, appsv1::DeploymentStatus& status) {
  const appsv1::DeploymentCondition* current = FindCondition(deployment.status, kProgressing);
  // A finished rollout stays finished, whatever happens to its pods.
  if (status.replicas == status.updated_replicas && current != nullptr &&
      current->reason == kNewAvailable) {
    return;
  }
  if (IsComplete(deployment, status)) {
    SetCondition(status,
                 NewCondition(kProgressing, "True", kNewAvailable,
                              Says(deployment, newest, "has successfully progressed"), now));
  } else if (IsProgressing(deployment.status, status)) {
    appsv1::DeploymentCondition condition = NewCondition(
        kProgressing, "True", "ReplicaSetUpdated", Says(deployment, newest, "is progressing"), now);
    if (current != nullptr && current->status == "True") {
      condition.last_transition_time = current->last_transition_time;
    }
    // Replaced even if the reason is the same, because the deadline counts from here.
    RemoveCondition(status, kProgressing);
    SetCondition(status, std::move(condition));
  } else if (HasTimedOut(deployment, status, now)) {
    SetCondition(status, NewCondition(kProgressing, "False", kTimedOut,
                                      Says(deployment, newest, "has timed out progressing"), now));
  }
}

// Prefers the condition of the new replica set to those of old ones. (Go: `getReplicaFailures`)
std::optional<appsv1::DeploymentCondition> FailureOf(const ReplicaSetRefs& all,
                                                     const appsv1::ReplicaSet* newest) {
  ReplicaSetRefs sets = {newest};
  sets.insert(sets.end(), all.begin(), all.end());
  for (const appsv1::ReplicaSet* set : sets) {
    if (set == nullptr) continue;
    for (const appsv1::ReplicaSetCondition& each : set->status.conditions) {
      if (each.type != kReplicaFailure) continue;
      appsv1::DeploymentCondition condition;
      condition.type = each.type;
      condition.status = each.status;
      condition.last_transition_time = each.last_transition_time;
      condition.last_update_time = each.last_transition_time;
      condition.reason = each.reason;
      condition.message = each.message;
      return condition;
    }
  }
  return std::nullopt;
}

}  // namespace

const appsv1::DeploymentCondition* FindCondition(const appsv1::DeploymentStatus& status,
                                                 absl::string_view type) {
  for (const appsv1::DeploymentCondition& each : status.conditions) {
    if (each.type == type) return &each;
  }
  return nullptr;
}

void SetCondition(appsv1::DeploymentStatus& status, appsv1::DeploymentCondition condition) {
  const appsv1::DeploymentCondition* current = FindCondition(status, condition.type.view());
  if (current != nullptr && current->status == condition.status) {
    if (current->reason == condition.reason) return;
    condition.last_transition_time = current->last_transition_time;
  }
  RemoveCondition(status, condition.type.view());
  status.conditions.push_back(std::move(condition));
}

void RemoveCondition(appsv1::DeploymentStatus& status, absl::string_view type) {
  erase_if(status.conditions,
           [type](const appsv1::DeploymentCondition& each) { return each.type == type; });
}

appsv1::DeploymentCondition NewCondition(absl::string_view type, absl::string_view status,
                                         absl::string_view reason, std::string message,
                                         absl::Time now) {
  appsv1::DeploymentCondition condition;
  condition.type = type;
  condition.status = status;
  condition.last_update_time = Time(now);
  condition.last_transition_time = Time(now);
  condition.reason = reason;
  condition.message = std::move(message);
  return condition;
}

appsv1::DeploymentStatus CountStatus(const appsv1::Deployment& deployment,
                                     const ReplicaSetRefs& all, const appsv1::ReplicaSet* newest,
                                     absl::Time now) {
  appsv1::DeploymentStatus status;
  status.observed_generation = deployment.metadata.generation;
  status.collision_count = deployment.status.collision_count;
  status.conditions = deployment.status.conditions;
  bool all_say_terminating = true;
  int32_t terminating = 0;
  for (const appsv1::ReplicaSet* set : all) {
    if (set == nullptr) continue;
    status.replicas += set->status.replicas;
    status.ready_replicas += set->status.ready_replicas;
    status.available_replicas += set->status.available_replicas;
    // Replica sets that no controller has seen yet do not count.
    if (set->status.terminating_replicas.has_value()) {
      terminating += *set->status.terminating_replicas;
    } else if (set->status.observed_generation != 0) {
      all_say_terminating = false;
    }
  }
  if (newest != nullptr) status.updated_replicas = newest->status.replicas;
  status.unavailable_replicas = std::max(WantedReplicas(all) - status.available_replicas, 0);
  if (all_say_terminating) status.terminating_replicas = terminating;

  if (status.available_replicas >= *deployment.spec.replicas - MaxUnavailable(deployment)) {
    SetCondition(status, NewCondition("Available", "True", "MinimumReplicasAvailable",
                                      "Deployment has minimum availability.", now));
  } else {
    SetCondition(status, NewCondition("Available", "False", "MinimumReplicasUnavailable",
                                      "Deployment does not have minimum availability.", now));
  }
  return status;
}

appsv1::DeploymentStatus RolloutStatus(const appsv1::Deployment& deployment,
                                       const ReplicaSetRefs& all, const appsv1::ReplicaSet* newest,
                                       absl::Time now) {
  appsv1::DeploymentStatus status = CountStatus(deployment, all, newest, now);
  if (HasProgressDeadline(deployment)) {
    SetProgress(deployment, newest, now, status);
  } else {
    RemoveCondition(status, kProgressing);
  }
  std::optional<appsv1::DeploymentCondition> failure = FailureOf(all, newest);
  if (failure.has_value()) {
    SetCondition(status, *std::move(failure));
  } else {
    RemoveCondition(status, kReplicaFailure);
  }
  return status;
}

bool HasProgressDeadline(const appsv1::Deployment& deployment) {
  const auto& seconds = deployment.spec.progress_deadline_seconds;
  return seconds.has_value() && *seconds != std::numeric_limits<int32_t>::max();
}

bool IsComplete(const appsv1::Deployment& deployment, const appsv1::DeploymentStatus& status) {
  const int32_t wanted = *deployment.spec.replicas;
  return status.updated_replicas == wanted && status.replicas == wanted &&
         status.available_replicas == wanted &&
         status.observed_generation >= deployment.metadata.generation;
}

absl::Time NextProgressCheck(const appsv1::Deployment& deployment,
                             const appsv1::DeploymentStatus& status) {
  const appsv1::DeploymentCondition* current = FindCondition(status, kProgressing);
  if (!HasProgressDeadline(deployment) || current == nullptr || IsComplete(deployment, status) ||
      current->reason == kTimedOut || current->reason == kNewAvailable) {
    return absl::InfiniteFuture();
  }
  // Stored times have whole seconds; one second more is sufficient.
  return Deadline(deployment, *current) + absl::Seconds(1);
}

}  // namespace kube::envtest::internal
