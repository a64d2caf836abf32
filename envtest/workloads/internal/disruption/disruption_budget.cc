#include "envtest/workloads/internal/disruption/disruption_budget.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/intstr/percent.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

// (Go: `DeletionTimeout`)
constexpr absl::Duration kDeletionTimeout = absl::Minutes(2);

// Formats a selector as Go's %v does. (Go: `LabelSelector.String`)
std::string FormatSelector(const metav1::LabelSelector& selector) {
  std::string pairs;
  for (const auto& [key, value] : selector.match_labels) {
    absl::StrAppend(&pairs, key.view(), ": ", value.view(), ",");
  }
  std::string expressions;
  for (const metav1::LabelSelectorRequirement& each : selector.match_expressions) {
    const auto append = [](std::string* out, const String& value) {
      absl::StrAppend(out, value.view());
    };
    absl::StrAppend(&expressions, "LabelSelectorRequirement{Key:", each.key.view(),
                    ",Operator:", each.operator_.view(), ",Values:[",
                    absl::StrJoin(each.values.begin(), each.values.end(), " ", append), "],},");
  }
  return absl::StrCat("&LabelSelector{MatchLabels:map[string]string{", pairs,
                      "},MatchExpressions:[]LabelSelectorRequirement{", expressions, "},}");
}

// What a budget asks for.
struct Expectation {
  int32_t pods = 0;
  int32_t healthy = 0;
  bool unmanaged = false;
};

// Adds up the scales of all controllers of the pods. (Go: `getExpectedScale`)
absl::Status AddScales(const Objects<corev1::Pod>& pods, ScaleOf scale_of, Expectation& expected) {
  std::map<std::string, int32_t> scales;
  for (const auto& pod : pods) {
    if (meta::GetControllerOf(pod->metadata) == nullptr) {
      expected.unmanaged = true;
      continue;
    }
    KUBE_ASSIGN_OR_RETURN(const ControllerScale scale, scale_of(*pod));
    scales[scale.uid] = scale.replicas;
  }
  for (const auto& [uid, replicas] : scales) expected.pods += replicas;
  return absl::OkStatus();
}

// (Go: `getExpectedPodCount`)
absl::StatusOr<Expectation> Expected(const policyv1::PodDisruptionBudget& budget,
                                     const Objects<corev1::Pod>& pods, ScaleOf scale_of) {
  Expectation expected;
  const auto& most = budget.spec.max_unavailable;
  const auto& least = budget.spec.min_available;
  if (!most.has_value() && !least.has_value()) return expected;
  if (!most.has_value() && (*least).is_int()) {
    expected.healthy = static_cast<int32_t>((*least).IntValue());
    expected.pods = static_cast<int32_t>(pods.size());
    return expected;
  }
  KUBE_RETURN_IF_ERROR(AddScales(pods, scale_of, expected));
  KUBE_ASSIGN_OR_RETURN(const int64_t scaled, intstr::GetScaledValueFromIntOrPercent(
                                                  most.has_value() ? *most : *least, expected.pods,
                                                  intstr::Rounding::kUp));
  expected.healthy = static_cast<int32_t>(
      most.has_value() ? std::max<int64_t>(expected.pods - scaled, 0) : scaled);
  return expected;
}

// One sync of a disruption budget, as in kube-controller-manager, which plans writes instead of
// making them.
class Sync {
 public:
  Sync(const policyv1::PodDisruptionBudget& budget, const Objects<corev1::Pod>& pods,
       absl::Time now);

  DisruptionBudgetPlan Run(ScaleOf scale_of);

 private:
  void Tell(bool warning, absl::string_view reason, absl::string_view message);
  void Fail(const absl::Status& error);
  void Count(const Expectation& expected);
  void KeepDisrupted();
  int32_t Healthy() const;
  void SetAllowed(bool allowed, absl::string_view reason, absl::string_view message);

  const policyv1::PodDisruptionBudget& budget_;
  const absl::Time now_;
  absl::Status selector_error_;
  Objects<corev1::Pod> pods_;  // that the budget selects
  policyv1::PodDisruptionBudgetStatus status_;
  DisruptionBudgetPlan plan_;
};

Sync::Sync(const policyv1::PodDisruptionBudget& budget, const Objects<corev1::Pod>& pods,
           absl::Time now)
    : budget_(budget), now_(now) {
  const auto selector = labels::LabelSelectorAsSelector(budget.spec.selector.get());
  selector_error_ = selector.status();
  if (!selector.ok()) return;
  for (const auto& pod : pods) {
    if (selector->Matches(pod->metadata.labels)) pods_.push_back(pod);
  }
}

void Sync::Tell(bool warning, absl::string_view reason, absl::string_view message) {
  plan_.events.push_back(
      {.warning = warning, .reason = std::string(reason), .message = std::string(message)});
}

void Sync::SetAllowed(bool allowed, absl::string_view reason, absl::string_view message) {
  metav1::Condition condition;
  condition.type = policyv1::kDisruptionAllowedCondition;
  condition.status = allowed ? "True" : "False";
  condition.observed_generation = status_.observed_generation;
  condition.last_transition_time = Time(now_);
  condition.reason = reason;
  condition.message = message;
  meta::SetStatusCondition(status_.conditions, condition);
}

// Allows nothing, and leaves the rest of the status as it is. (Go: `failSafe`)
void Sync::Fail(const absl::Status& error) {
  status_ = budget_.status;
  status_.disruptions_allowed = 0;
  SetAllowed(false, policyv1::kSyncFailedReason, error.message());
}

// Keeps those pods of status.disruptedPods that are not being deleted yet.
// (Go: `buildDisruptedPodMap`)
void Sync::KeepDisrupted() {
  for (const auto& pod : pods_) {
    if (pod->metadata.deletion_timestamp.has_value()) continue;
    const Time* disrupted = budget_.status.disrupted_pods.find(pod->metadata.name);
    if (disrupted == nullptr) continue;
    const absl::Time expected = disrupted->ToAbslTime() + kDeletionTimeout;
    if (expected < now_) {
      plan_.not_deleted.push_back(pod);
    } else {
      plan_.again = std::min(plan_.again, expected + absl::Seconds(1));
      status_.disrupted_pods[pod->metadata.name] = *disrupted;
    }
  }
}

// (Go: `countHealthyPods`)
int32_t Sync::Healthy() const {
  return static_cast<int32_t>(std::count_if(pods_.begin(), pods_.end(), [&](const auto& pod) {
    return !pod->metadata.deletion_timestamp.has_value() &&
           !status_.disrupted_pods.contains(pod->metadata.name) && IsReady(*pod);
  }));
}

// (Go: `updatePdbStatus`)
void Sync::Count(const Expectation& expected) {
  if (expected.unmanaged) {
    Tell(true, "UnmanagedPods",
         absl::StrCat("Pods selected by this PodDisruptionBudget (selector: ",
                      FormatSelector(*budget_.spec.selector),
                      ") were found to be unmanaged. As a result, the status of the PDB cannot be "
                      "calculated correctly, which may result in undefined behavior. To account "
                      "for these pods please set \".spec.minAvailable\" field of the PDB to an "
                      "integer value."));
  }
  KeepDisrupted();
  status_.observed_generation = budget_.metadata.generation;
  status_.conditions = budget_.status.conditions;
  status_.current_healthy = Healthy();
  status_.desired_healthy = expected.healthy;
  status_.expected_pods = expected.pods;
  // Without expected pods nothing is allowed, lest the first ones be evicted at once.
  if (expected.pods > 0) {
    status_.disruptions_allowed = std::max(status_.current_healthy - expected.healthy, 0);
  }
  const bool allowed = status_.disruptions_allowed > 0;
  SetAllowed(allowed, allowed ? policyv1::kSufficientPodsReason : policyv1::kInsufficientPodsReason,
             "");
}

DisruptionBudgetPlan Sync::Run(ScaleOf scale_of) {
  if (!selector_error_.ok()) {
    Tell(true, "NoPods", absl::StrCat("Failed to get pods: ", selector_error_.message()));
    Fail(selector_error_);
  } else {
    if (pods_.empty()) Tell(false, "NoPods", "No matching pods found");
    const absl::StatusOr<Expectation> expected = Expected(budget_, pods_, scale_of);
    if (expected.ok()) {
      Count(*expected);
    } else {
      Tell(true, "CalculateExpectedPodCountFailed",
           absl::StrCat("Failed to calculate the number of expected pods: ",
                        expected.status().message()));
      Fail(expected.status());
    }
  }
  if (status_ != budget_.status) plan_.status = std::move(status_);
  return std::move(plan_);
}

}  // namespace

DisruptionBudgetPlan PlanDisruptionBudget(const policyv1::PodDisruptionBudget& budget,
                                          const Objects<corev1::Pod>& pods, ScaleOf scale_of,
                                          absl::Time now) {
  return Sync(budget, pods, now).Run(scale_of);
}

}  // namespace kube::envtest::internal
