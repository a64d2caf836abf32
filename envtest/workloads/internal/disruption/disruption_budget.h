#ifndef ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_DISRUPTION_BUDGET_H_
#define ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_DISRUPTION_BUDGET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The changes for a disruption budget.
struct DisruptionBudgetPlan {
  // Events about the budget. Equal plans have equal events; record them once.
  std::vector<EventText> events = {};
  // Pods whose eviction was allowed two minutes ago, and that are not being deleted.
  Objects<api::core::v1::Pod> not_deleted = {};
  // Empty if the status is up to date.
  std::optional<api::policy::v1::PodDisruptionBudgetStatus> status = {};
  // When to plan again without a change: when an evicted pod should have been deleted.
  absl::Time again = absl::InfiniteFuture();
};

// The wanted number of pods of a controller.
struct ControllerScale {
  std::string uid = {};
  int32_t replicas = 0;
};

// Returns the controller of a pod that is controlled, or of the controller's controller; or an
// error whose message says why its scale is not known.
using ScaleOf = absl::FunctionRef<absl::StatusOr<ControllerScale>(const api::core::v1::Pod& pod)>;

// Plans the changes for a disruption budget. `pods` must contain all those of its namespace.
// `scale_of` is called for pods that have a controller, if the budget is a percentage or a
// maxUnavailable. Pure. (Go: `trySync`, `failSafe` of the disruption controller)
DisruptionBudgetPlan PlanDisruptionBudget(const api::policy::v1::PodDisruptionBudget& budget,
                                          const Objects<api::core::v1::Pod>& pods, ScaleOf scale_of,
                                          absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_DISRUPTION_BUDGET_H_
