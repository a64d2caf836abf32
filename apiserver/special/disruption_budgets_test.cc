#include "apiserver/special/disruption_budgets.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

policyv1::PodDisruptionBudget BudgetOf(int32_t healthy, int32_t desired) {
  policyv1::PodDisruptionBudget budget;
  budget.metadata.name = "zk";
  budget.metadata.generation = 2;
  budget.status.observed_generation = 2;
  budget.status.current_healthy = healthy;
  budget.status.desired_healthy = desired;
  budget.status.disruptions_allowed = healthy > desired ? healthy - desired : 0;
  return budget;
}

void SetCondition(policyv1::PodDisruptionBudget& budget, absl::string_view reason,
                  absl::string_view message) {
  metav1::Condition condition;
  condition.type = policyv1::kDisruptionAllowedCondition;
  condition.status = "False";
  condition.reason = reason;
  condition.message = message;
  budget.status.conditions = {condition};
}

// Returns the cause of a refusal with the code 429, and its delay.
std::string CauseOf(const absl::Status& error, int* retry_after = nullptr) {
  EXPECT_TRUE(errors::IsTooManyRequests(error)) << error;
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  if (!status.has_value() || !status->details || status->details->causes.size() != 1) return "";
  EXPECT_EQ(status->message, "Cannot evict pod as it would violate the pod's disruption budget.");
  EXPECT_EQ(status->details->causes[0].reason, "DisruptionBudget");
  if (retry_after != nullptr) *retry_after = status->details->retry_after_seconds;
  return std::string(status->details->causes[0].message);
}

TEST(IsBeyondBudgets, OnlyRunningPodsAskTheirBudgets) {
  const struct {
    const char* phase;
    bool beyond;
  } kCases[] = {{"Pending", true},
                {"Running", false},
                {"Succeeded", true},
                {"Failed", true},
                {"Unknown", false}};
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.phase);
    corev1::Pod pod;
    pod.status.phase = each.phase;
    EXPECT_EQ(IsBeyondBudgets(pod), each.beyond);
    pod.metadata.deletion_timestamp = Time::FromUnixSeconds(1'000'000);
    EXPECT_TRUE(IsBeyondBudgets(pod));
  }
}

TEST(TakeDisruption, BudgetAllowsTwo_TakesBothAndSaysThatItIsUsedUp) {
  policyv1::PodDisruptionBudget budget = BudgetOf(3, 1);
  EXPECT_THAT(TakeDisruption("zk-0", budget), base::IsOk());
  EXPECT_EQ(budget.status.disruptions_allowed, 1);
  EXPECT_TRUE(budget.status.conditions.empty());
  EXPECT_THAT(TakeDisruption("zk-1", budget), base::IsOk());
  EXPECT_EQ(budget.status.disruptions_allowed, 0);
  EXPECT_EQ(budget.status.current_healthy, 3) << "the controller counts";
  const metav1::Condition* condition =
      meta::FindStatusCondition(budget.status.conditions, "DisruptionAllowed");
  ASSERT_NE(condition, nullptr);
  EXPECT_EQ(condition->status, "False");
  EXPECT_EQ(condition->reason, "InsufficientPods");
  EXPECT_EQ(condition->observed_generation, 2);
  EXPECT_TRUE(budget.status.disrupted_pods.contains("zk-0"));
  EXPECT_TRUE(budget.status.disrupted_pods.contains("zk-1"));
}

// The texts are kube-apiserver's.
TEST(TakeDisruption, BudgetAllowsNone_SaysWhy) {
  policyv1::PodDisruptionBudget budget = BudgetOf(1, 2);
  int retry_after = -1;
  EXPECT_EQ(CauseOf(TakeDisruption("zk-0", budget), &retry_after),
            "The disruption budget zk needs 2 healthy pods and has 1 currently");
  EXPECT_EQ(retry_after, 0);
  SetCondition(budget, "SyncFailed", "found no controllers for pod \"zk-0\"");
  EXPECT_EQ(CauseOf(TakeDisruption("zk-0", budget)),
            "The disruption budget zk does not allow evicting pods currently because it failed "
            "sync: found no controllers for pod \"zk-0\"");

  budget = BudgetOf(3, 2);
  budget.status.disruptions_allowed = 0;
  EXPECT_EQ(CauseOf(TakeDisruption("zk-0", budget)),
            "The disruption budget zk does not allow evicting pods currently");
  SetCondition(budget, "Frozen", "until Monday");
  EXPECT_EQ(CauseOf(TakeDisruption("zk-0", budget)),
            "The disruption budget zk does not allow evicting pods currently (Frozen): until "
            "Monday");

  budget = BudgetOf(3, 2);
  budget.metadata.generation = 3;
  EXPECT_EQ(CauseOf(TakeDisruption("zk-0", budget), &retry_after),
            "The disruption budget zk is still being processed by the server.");
  EXPECT_EQ(retry_after, 10);
  EXPECT_TRUE(budget.status.disrupted_pods.empty());
}

TEST(TakeDisruption, StatusMakesNoSense_IsForbidden) {
  policyv1::PodDisruptionBudget budget = BudgetOf(1, 2);
  budget.status.disruptions_allowed = -1;
  EXPECT_TRUE(errors::IsForbidden(TakeDisruption("zk-0", budget)));
  budget = BudgetOf(3, 2);
  for (int i = 0; i <= 2000; ++i) budget.status.disrupted_pods[std::to_string(i)] = Time();
  EXPECT_TRUE(errors::IsForbidden(TakeDisruption("zk-0", budget)));
}

}  // namespace
}  // namespace kube::apiserver::internal
