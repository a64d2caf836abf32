#include "envtest/workloads/internal/disruption/disruption_controller.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/grouping.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/disruption/disruption_budget.h"
#include "envtest/workloads/internal/disruption/stale_disruption.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

constexpr absl::string_view kComponent = "controllermanager";

template <typename T>
using ByUid = std::map<std::string, std::shared_ptr<const T>>;

template <typename T>
ByUid<T> IndexOf(const Objects<T>& objects) {
  ByUid<T> result;
  for (const auto& object : objects) result[std::string(object->metadata.uid)] = object;
  return result;
}

// Returns null if there is no such object.
template <typename T>
const T* Find(const ByUid<T>& objects, const String& uid) {
  const auto found = objects.find(std::string(uid));
  return found == objects.end() ? nullptr : found->second.get();
}

template <typename T>
ControllerScale ScaleFrom(const T& set) {
  return {.uid = std::string(set.metadata.uid), .replicas = set.spec.replicas.value_or(1)};
}

// The controllers whose scale is known.
struct Scales {
  ByUid<appsv1::Deployment> deployments = {};
  ByUid<appsv1::ReplicaSet> replica_sets = {};
  ByUid<appsv1::StatefulSet> stateful_sets = {};

  absl::StatusOr<ControllerScale> Of(const corev1::Pod& pod) const {
    const metav1::OwnerReference& owner = *meta::GetControllerOf(pod.metadata);
    if (const auto* set = Find(stateful_sets, owner.uid)) return ScaleFrom(*set);
    if (const auto* set = Find(replica_sets, owner.uid)) {
      const metav1::OwnerReference* above = meta::GetControllerOf(set->metadata);
      if (above == nullptr || above->kind != "Deployment") return ScaleFrom(*set);
      if (const auto* web = Find(deployments, above->uid)) return ScaleFrom(*web);
    }
    // These have no such subresource.
    if (owner.kind == "DaemonSet" || owner.kind == "Job") {
      return absl::NotFoundError(absl::StrCat(absl::AsciiStrToLower(owner.kind.view()),
                                              owner.kind == "Job" ? "s.batch" : "s.apps",
                                              " does not implement the scale subresource"));
    }
    return absl::NotFoundError(
        absl::StrCat("found no controllers for pod \"", pod.metadata.name.view(), "\""));
  }
};

}  // namespace

void DisruptionController::Tell(const Context& ctx, const policyv1::PodDisruptionBudget& budget,
                                const DisruptionBudgetPlan& plan) {
  std::vector<std::string>& before = told_[std::string(budget.metadata.uid)];
  std::vector<std::string> now;
  for (const EventText& event : plan.events) {
    now.push_back(absl::StrCat(event.reason, " ", event.message));
    if (std::find(before.begin(), before.end(), now.back()) != before.end()) continue;
    events_.Write(ctx, kComponent, ReferenceTo("policy/v1", "PodDisruptionBudget", budget.metadata),
                  event);
  }
  before = std::move(now);
  const absl::string_view space = budget.metadata.namespace_.view();
  for (const auto& pod : plan.not_deleted) {
    // Kubernetes says the namespace twice, too, and not the name.
    events_.Write(ctx, kComponent, ReferenceTo("v1", "Pod", pod->metadata),
                  {.warning = true,
                   .reason = "NotDeleted",
                   .message = absl::StrCat("Pod was expected by PDB ", space, "/", space,
                                           " to be deleted but it wasn't")});
  }
}

void DisruptionController::SyncStale(const Context& ctx, Outcome& outcome) {
  for (const auto& pod : cluster_.pods.All()) {
    const absl::Time now = base::WallNow();
    StaleDisruptionPlan plan = PlanStaleDisruption(*pod, now);
    outcome.LookAgainAfter(plan.again - now);
    if (!plan.status.has_value()) continue;
    corev1::Pod changed = *pod;
    changed.status = *std::move(plan.status);
    outcome.Note(cluster_.pods.UpdateStatus(ctx, changed), "the status of a pod");
  }
}

void DisruptionController::Sync(const Context& ctx, Outcome& outcome) {
  SyncStale(ctx, outcome);
  const Objects<policyv1::PodDisruptionBudget> budgets = cluster_.budgets.All();
  std::map<std::string, std::vector<std::string>> told;
  if (!budgets.empty()) {
    const auto pods = ByNamespace(cluster_.pods.All());
    const Scales scales = {.deployments = IndexOf(cluster_.deployments.All()),
                           .replica_sets = IndexOf(cluster_.replica_sets.All()),
                           .stateful_sets = IndexOf(cluster_.stateful_sets.All())};
    const auto scale_of = [&](const corev1::Pod& pod) { return scales.Of(pod); };
    for (const auto& budget : budgets) {
      const absl::Time now = base::WallNow();
      DisruptionBudgetPlan plan =
          PlanDisruptionBudget(*budget, Of(pods, budget->metadata.namespace_), scale_of, now);
      outcome.LookAgainAfter(plan.again - now);
      Tell(ctx, *budget, plan);
      const std::string uid(budget->metadata.uid);
      told[uid] = std::move(told_[uid]);
      if (!plan.status.has_value()) continue;
      policyv1::PodDisruptionBudget changed = *budget;
      changed.status = *std::move(plan.status);
      outcome.Note(cluster_.budgets.UpdateStatus(ctx, changed), "the status of a budget");
    }
  }
  told_ = std::move(told);
}

}  // namespace kube::envtest::internal
