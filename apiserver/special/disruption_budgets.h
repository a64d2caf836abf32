#ifndef APISERVER_SPECIAL_DISRUPTION_BUDGETS_H_
#define APISERVER_SPECIAL_DISRUPTION_BUDGETS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Returns whether the pod may be evicted whatever its budgets say: it does not run yet or any more,
// or is being deleted. (kube-apiserver: `canIgnorePDB`)
bool IsBeyondBudgets(const api::core::v1::Pod& pod);

// Returns the answer 429 of an eviction for which a budget is not up to date.
// (kube-apiserver: `createTooManyRequestsError`)
absl::Status StillProcessedError(absl::string_view budget);

// Takes one disruption from the status of a budget, for the eviction of `pod`. Returns a
// TooManyRequests whose cause says why the budget does not allow it, or Forbidden if the status
// makes no sense. (kube-apiserver: `checkAndDecrement`)
absl::Status TakeDisruption(absl::string_view pod, api::policy::v1::PodDisruptionBudget& budget);

// The permission to evict a pod.
struct EvictionPermission {
  // The name of the pod's budget; empty if it has none.
  std::string budget = {};
  // The pod was not ready, so nothing was taken from the budget. The permission is for this version
  // of the pod: if it has changed, the answer is StillProcessedError.
  bool unhealthy = false;
};

// Asks the disruption budgets that select the pod whether it may be evicted, and takes the
// disruption from the one that allows it, unless `dry_run`. Returns the errors of TakeDisruption,
// and one with the code 500 if more than one budget selects the pod.
absl::StatusOr<EvictionPermission> AskDisruptionBudgets(Core& core, const Call& call,
                                                        const api::core::v1::Pod& pod,
                                                        bool dry_run);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_DISRUPTION_BUDGETS_H_
