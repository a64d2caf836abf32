#include "envtest/workloads/internal/disruption/stale_disruption.h"

#include <utility>

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

// (Go: `stalePodDisruptionTimeout`)
constexpr absl::Duration kTimeout = absl::Minutes(2);

}  // namespace

StaleDisruptionPlan PlanStaleDisruption(const corev1::Pod& pod, absl::Time now) {
  StaleDisruptionPlan plan;
  const corev1::PodCondition* condition = FindCondition(pod, "DisruptionTarget");
  if (condition == nullptr || condition->status != "True" || !IsActive(pod) ||
      condition->reason == "TerminationByKubelet") {
    return plan;
  }
  const absl::Time end = condition->last_transition_time.ToAbslTime() + kTimeout;
  if (now < end) {
    plan.again = end;
    return plan;
  }
  plan.status = pod.status;
  for (corev1::PodCondition& each : plan.status->conditions) {
    if (each.type != condition->type) continue;
    corev1::PodCondition over;
    over.type = each.type;
    over.observed_generation = pod.metadata.generation;
    over.status = "False";
    over.last_transition_time = Time(now);
    each = std::move(over);
  }
  return plan;
}

}  // namespace kube::envtest::internal
