#ifndef ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_DISRUPTION_CONTROLLER_H_
#define ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_DISRUPTION_CONTROLLER_H_

#include <map>
#include <string>
#include <vector>

#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/disruption/disruption_budget.h"

namespace kube::envtest::internal {

// Keeps the status of disruption budgets up to date, as kube-controller-manager does. An event
// about a budget is written when it becomes true, not at each sync. The controllers whose scale it
// knows are deployments, replica sets and stateful sets; Kubernetes also asks custom resources that
// control pods for their subresource scale. The condition DisruptionTarget of a pod that is not
// deleted within two minutes becomes False.
//
// Thread-compatible. (Go: pkg/controller/disruption)
class DisruptionController {
 public:
  // Both must outlive this.
  DisruptionController(Cluster& cluster, Events& events) : cluster_(cluster), events_(events) {}

  // Makes one pass over all budgets, and over pods that were to be disrupted.
  void Sync(const Context& ctx, Outcome& outcome);

 private:
  void SyncStale(const Context& ctx, Outcome& outcome);
  void Tell(const Context& ctx, const api::policy::v1::PodDisruptionBudget& budget,
            const DisruptionBudgetPlan& plan);

  Cluster& cluster_;
  Events& events_;
  // The events of the last pass, by the UID of the budget.
  std::map<std::string, std::vector<std::string>> told_;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_DISRUPTION_DISRUPTION_CONTROLLER_H_
