#include "apiserver/special/disruption_budgets.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/time.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

// (kube-apiserver: `MaxDisruptedPodSize`)
constexpr size_t kMaxDisruptedPods = 2000;

// Returns a 429 with a cause.
absl::Status Refusal(absl::string_view cause, absl::Duration retry_after) {
  const absl::Status error = errors::TooManyRequests(
      "Cannot evict pod as it would violate the pod's disruption budget.", retry_after);
  metav1::Status status = errors::StatusOf(error).value_or(metav1::Status());
  if (!status.details) status.details.emplace();
  metav1::StatusCause& why = status.details->causes.emplace_back();
  why.reason = policyv1::kDisruptionBudgetCause;
  why.message = cause;
  return errors::FromStatus(status);
}

// Returns why a budget whose status is up to date allows no disruption.
std::string CauseOf(const policyv1::PodDisruptionBudget& budget) {
  const std::string the_budget =
      absl::StrCat("The disruption budget ", budget.metadata.name.view());
  const metav1::Condition* condition =
      meta::FindStatusCondition(budget.status.conditions, policyv1::kDisruptionAllowedCondition);
  const bool explained =
      condition != nullptr && condition->status == "False" && !condition->message.empty();
  // Counts are not trustworthy after a failed sync.
  if (explained && condition->reason == policyv1::kSyncFailedReason) {
    return absl::StrCat(the_budget,
                        " does not allow evicting pods currently because it failed sync: ",
                        condition->message.view());
  }
  if (budget.status.current_healthy <= budget.status.desired_healthy) {
    return absl::StrCat(the_budget, " needs ", budget.status.desired_healthy,
                        " healthy pods and has ", budget.status.current_healthy, " currently");
  }
  if (explained) {
    return absl::StrCat(the_budget, " does not allow evicting pods currently (",
                        condition->reason.view(), "): ", condition->message.view());
  }
  return absl::StrCat(the_budget, " does not allow evicting pods currently");
}

bool IsReady(const corev1::Pod& pod) {
  for (const corev1::PodCondition& each : pod.status.conditions) {
    if (each.type == "Ready") return each.status == "True";
  }
  return false;
}

// Returns the budgets of the namespace that select the pod.
absl::StatusOr<std::vector<policyv1::PodDisruptionBudget>> BudgetsOf(const Core& core,
                                                                     const Resource& resource,
                                                                     const corev1::Pod& pod) {
  KUBE_ASSIGN_OR_RETURN(
      const ListResult list,
      core.storage.List(resource.storage,
                        {.prefix = resource.PrefixOf(pod.metadata.namespace_.view())}));
  std::vector<policyv1::PodDisruptionBudget> budgets;
  for (const ListItem& item : list.items) {
    const auto* budget = item.object->object().As<policyv1::PodDisruptionBudget>();
    if (budget == nullptr) continue;
    const auto selector = labels::LabelSelectorAsSelector(budget->spec.selector.get());
    // An invalid selector selects nothing.
    if (selector.ok() && selector->Matches(pod.metadata.labels)) budgets.push_back(*budget);
  }
  return budgets;
}

// Returns whether a pod that is not ready may go without asking.
bool LetsUnhealthyGo(const policyv1::PodDisruptionBudget& budget) {
  const auto& policy = budget.spec.unhealthy_pod_eviction_policy;
  if (policy.has_value() && *policy == "AlwaysAllow") return true;
  return budget.status.current_healthy >= budget.status.desired_healthy &&
         budget.status.desired_healthy > 0;
}

}  // namespace

bool IsBeyondBudgets(const corev1::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed" ||
         pod.status.phase == "Pending" || pod.metadata.deletion_timestamp.has_value();
}

absl::Status StillProcessedError(absl::string_view budget) {
  return Refusal(
      absl::StrCat("The disruption budget ", budget, " is still being processed by the server."),
      absl::Seconds(10));
}

absl::Status TakeDisruption(absl::string_view pod, policyv1::PodDisruptionBudget& budget) {
  policyv1::PodDisruptionBudgetStatus& status = budget.status;
  const schema::GroupResource named = {.group = "policy", .resource = "poddisruptionbudget"};
  if (status.observed_generation < budget.metadata.generation) {
    return StillProcessedError(budget.metadata.name.view());
  }
  if (status.disruptions_allowed < 0) {
    return errors::Forbidden(named, budget.metadata.name.view(),
                             "pdb disruptions allowed is negative");
  }
  if (status.disrupted_pods.size() > kMaxDisruptedPods) {
    return errors::Forbidden(
        named, budget.metadata.name.view(),
        "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (status.disruptions_allowed == 0) return Refusal(CauseOf(budget), absl::ZeroDuration());
  if (--status.disruptions_allowed == 0) {
    metav1::Condition used_up;
    used_up.type = policyv1::kDisruptionAllowedCondition;
    used_up.status = "False";
    used_up.observed_generation = status.observed_generation;
    used_up.reason = policyv1::kInsufficientPodsReason;
    meta::SetStatusCondition(status.conditions, used_up);
  }
  // Tells the controller of budgets not to count the pod, before it sees that the pod is deleted.
  status.disrupted_pods[pod] = Time(base::WallNow());
  return absl::OkStatus();
}

absl::StatusOr<EvictionPermission> AskDisruptionBudgets(Core& core, const Call& call,
                                                        const corev1::Pod& pod, bool dry_run) {
  const Resource* const resource = call.resources->Find("policy", "v1", "poddisruptionbudgets");
  KUBE_ASSIGN_OR_RETURN(const auto budgets, BudgetsOf(core, *resource, pod));
  if (budgets.empty()) return EvictionPermission{};
  if (budgets.size() > 1) {
    metav1::Status status;
    status.status = "Failure";
    status.message =
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not "
        "support.";
    status.code = 500;
    return errors::FromStatus(status);
  }
  EvictionPermission permission = {.budget = std::string(budgets[0].metadata.name)};
  if (!IsReady(pod) && LetsUnhealthyGo(budgets[0])) {
    permission.unhealthy = true;
    return permission;
  }
  const Target target = {.resource = resource,
                         .namespace_name = std::string(pod.metadata.namespace_),
                         .name = permission.budget,
                         .subresource = "status"};
  const auto take = [&](const StoredObject& current) -> absl::StatusOr<Object> {
    Object object = current.object().Copy();
    KUBE_RETURN_IF_ERROR(
        TakeDisruption(pod.metadata.name.view(), *object.As<policyv1::PodDisruptionBudget>()));
    return object;
  };
  KUBE_RETURN_IF_ERROR(core.registry.Update(target, take, {.dry_run = dry_run}).status());
  return permission;
}

}  // namespace kube::apiserver::internal
