#include "envtest/workloads/internal/disruption/disruption_budget.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

policyv1::PodDisruptionBudget BudgetOf() {
  policyv1::PodDisruptionBudget budget;
  budget.metadata.name = "zk";
  budget.metadata.namespace_ = "default";
  budget.metadata.generation = 2;
  budget.spec.selector.emplace().match_labels = {{"app", "zk"}};
  return budget;
}

policyv1::PodDisruptionBudget AtLeast(const IntOrString& value) {
  policyv1::PodDisruptionBudget budget = BudgetOf();
  budget.spec.min_available = value;
  return budget;
}

policyv1::PodDisruptionBudget AtMost(const IntOrString& value) {
  policyv1::PodDisruptionBudget budget = BudgetOf();
  budget.spec.max_unavailable = value;
  return budget;
}

std::shared_ptr<corev1::Pod> PodOf(absl::string_view name, bool ready = true,
                                   absl::string_view controller = "web") {
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.name = name;
  pod->metadata.labels = {{"app", "zk"}};
  corev1::PodCondition& condition = pod->status.conditions.emplace_back();
  condition.type = "Ready";
  condition.status = ready ? "True" : "False";
  if (controller.empty()) return pod;
  metav1::ObjectMeta owner;
  owner.name = controller;
  owner.uid = controller;
  pod->metadata.owner_references.push_back(
      meta::NewControllerRef(owner, {.group = "apps", .version = "v1", .kind = "ReplicaSet"}));
  return pod;
}

// Each controller wants ten pods.
DisruptionBudgetPlan Plan(const policyv1::PodDisruptionBudget& budget,
                          const Objects<corev1::Pod>& pods) {
  const auto scale = [](const corev1::Pod& pod) -> absl::StatusOr<ControllerScale> {
    const auto* owner = meta::GetControllerOf(pod.metadata);
    if (owner->name == "lost") {
      return absl::NotFoundError(
          absl::StrCat("found no controllers for pod \"", pod.metadata.name.view(), "\""));
    }
    return ControllerScale{.uid = std::string(owner->uid), .replicas = 10};
  };
  return PlanDisruptionBudget(budget, pods, scale, kNow);
}

// "8/7 of 10, 1 allowed: True SufficientPods".
std::string TextOf(const policyv1::PodDisruptionBudgetStatus& status) {
  const metav1::Condition* condition =
      meta::FindStatusCondition(status.conditions, "DisruptionAllowed");
  return absl::StrCat(status.current_healthy, "/", status.desired_healthy, " of ",
                      status.expected_pods, ", ", status.disruptions_allowed,
                      " allowed: ", condition == nullptr ? "" : condition->status.view(), " ",
                      condition == nullptr ? "" : condition->reason.view());
}

std::vector<std::string> EventsOf(const DisruptionBudgetPlan& plan) {
  std::vector<std::string> texts;
  for (const EventText& each : plan.events) {
    texts.push_back(absl::StrCat(each.warning ? "Warning " : "Normal ", each.reason));
  }
  return texts;
}

TEST(PlanDisruptionBudget, EachBudget_CountsPodsAndControllers) {
  const Objects<corev1::Pod> three = {PodOf("a"), PodOf("b"), PodOf("c", false)};
  const Objects<corev1::Pod> two_sets = {PodOf("a"), PodOf("b"), PodOf("c", true, "other")};
  Objects<corev1::Pod> nine;
  for (int i = 0; i < 9; ++i) nine.push_back(PodOf(absl::StrCat("p", i)));
  const struct {
    const char* name;
    policyv1::PodDisruptionBudget budget;
    Objects<corev1::Pod> pods;
    const char* status;
  } kCases[] = {
      {"a number at least", AtLeast(1), three, "2/1 of 3, 1 allowed: True SufficientPods"},
      {"not enough", AtLeast(2), three, "2/2 of 3, 0 allowed: False InsufficientPods"},
      {"far too few", AtLeast(5), three, "2/5 of 3, 0 allowed: False InsufficientPods"},
      {"a share at least", AtLeast("85%"), nine, "9/9 of 10, 0 allowed: False InsufficientPods"},
      {"a share at least", AtLeast("75%"), nine, "9/8 of 10, 1 allowed: True SufficientPods"},
      {"a number at most", AtMost(2), nine, "9/8 of 10, 1 allowed: True SufficientPods"},
      {"a share at most", AtMost("25%"), nine, "9/7 of 10, 2 allowed: True SufficientPods"},
      {"all", AtMost(100), nine, "9/0 of 10, 9 allowed: True SufficientPods"},
      {"two controllers", AtMost(18), two_sets, "3/2 of 20, 1 allowed: True SufficientPods"},
      {"no pods", AtMost(1), {}, "0/0 of 0, 0 allowed: False InsufficientPods"},
      {"neither", BudgetOf(), three, "2/0 of 0, 0 allowed: False InsufficientPods"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.name);
    policyv1::PodDisruptionBudget budget = each.budget;
    const DisruptionBudgetPlan plan = Plan(budget, each.pods);
    ASSERT_TRUE(plan.status.has_value());
    EXPECT_EQ(TextOf(*plan.status), each.status);
    EXPECT_EQ(plan.status->observed_generation, 2);
    EXPECT_EQ(plan.status->conditions[0].last_transition_time, Time(kNow));
    budget.status = *plan.status;
    EXPECT_FALSE(Plan(budget, each.pods).status.has_value());
  }
}

TEST(PlanDisruptionBudget, PodsThatAreNotSelectedOrBeingDeleted_DoNotCount) {
  const auto other = PodOf("other");
  other->metadata.labels = {{"app", "web"}};
  const auto ending = PodOf("ending");
  ending->metadata.deletion_timestamp = Time(kNow);
  EXPECT_EQ(TextOf(*Plan(AtLeast(1), {other, ending, PodOf("a")}).status),
            "1/1 of 2, 0 allowed: False InsufficientPods");
  EXPECT_THAT(EventsOf(Plan(AtLeast(1), {other})), ElementsAre("Normal NoPods"));
}

TEST(PlanDisruptionBudget, EvictedPods_CountAsGoneForTwoMinutes) {
  policyv1::PodDisruptionBudget budget = AtLeast(1);
  budget.status.disrupted_pods["a"] = Time(kNow - absl::Seconds(30));
  budget.status.disrupted_pods["gone"] = Time(kNow - absl::Seconds(30));
  DisruptionBudgetPlan plan = Plan(budget, {PodOf("a"), PodOf("b")});
  EXPECT_EQ(plan.status->current_healthy, 1);
  EXPECT_EQ(plan.status->disrupted_pods.size(), 1u);
  EXPECT_TRUE(plan.status->disrupted_pods.contains("a"));
  EXPECT_EQ(plan.again, kNow + absl::Seconds(91));

  budget.status.disrupted_pods["a"] = Time(kNow - absl::Seconds(121));
  plan = Plan(budget, {PodOf("a"), PodOf("b")});
  EXPECT_EQ(plan.status->current_healthy, 2);
  EXPECT_TRUE(plan.status->disrupted_pods.empty());
  ASSERT_THAT(plan.not_deleted, SizeIs(1));
  EXPECT_EQ(plan.not_deleted[0]->metadata.name, "a");
  EXPECT_EQ(plan.again, absl::InfiniteFuture());
}

TEST(PlanDisruptionBudget, ScaleIsNotKnown_AllowsNothingAndKeepsTheCounts) {
  policyv1::PodDisruptionBudget budget = AtMost(1);
  budget.status.current_healthy = 5;
  budget.status.disruptions_allowed = 3;
  const DisruptionBudgetPlan plan = Plan(budget, {PodOf("a", true, "lost")});
  EXPECT_EQ(TextOf(*plan.status), "5/0 of 0, 0 allowed: False SyncFailed");
  EXPECT_EQ(plan.status->conditions[0].message, "found no controllers for pod \"a\"");
  EXPECT_THAT(EventsOf(plan), ElementsAre("Warning CalculateExpectedPodCountFailed"));
  EXPECT_THAT(EventsOf(Plan(AtLeast(1), {PodOf("a", true, "lost")})), IsEmpty())
      << "a number needs no scale";
}

TEST(PlanDisruptionBudget, PodsWithoutController_AreNamedInAnEvent) {
  policyv1::PodDisruptionBudget budget = AtMost(1);
  metav1::LabelSelectorRequirement requirement;
  requirement.key = "tier";
  requirement.operator_ = "NotIn";
  requirement.values = {"gold", "silver"};
  budget.spec.selector->match_expressions = {requirement};
  const DisruptionBudgetPlan plan = Plan(budget, {PodOf("a", true, "")});
  ASSERT_THAT(EventsOf(plan), ElementsAre("Warning UnmanagedPods"));
  EXPECT_THAT(plan.events[0].message,
              testing::HasSubstr(
                  "(selector: &LabelSelector{MatchLabels:map[string]string{app: zk,},"
                  "MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,"
                  "Operator:NotIn,Values:[gold silver],},},}) were found"));
  EXPECT_EQ(TextOf(*plan.status), "1/0 of 0, 0 allowed: False InsufficientPods");
}

}  // namespace
}  // namespace kube::envtest::internal
