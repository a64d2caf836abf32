#ifndef ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_STALE_DISRUPTION_H_
#define ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_STALE_DISRUPTION_H_

#include <optional>

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"

namespace kube::envtest::internal {

// The change for a pod that was said to be disrupted, and is not being deleted.
struct StaleDisruptionPlan {
  // Set if two minutes have passed: the condition DisruptionTarget becomes False.
  std::optional<api::core::v1::PodStatus> status = {};
  // When to plan again without a change.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the change for a pod. Pods that have ended, and those that their kubelet terminates, keep
// the condition. Pure. (Go: `syncStalePodDisruption`)
StaleDisruptionPlan PlanStaleDisruption(const api::core::v1::Pod& pod, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_STALE_DISRUPTION_H_
