#include "apimachinery/meta/conditions.h"

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace metav1 = api::meta::v1;

constexpr Time kBefore = Time::FromUnixSeconds(1000);
constexpr Time kNow = Time::FromUnixSeconds(5000);
constexpr Time kGiven = Time::FromUnixSeconds(3000);

const metav1::Condition kReady = {.type = "Ready",
                                  .status = "True",
                                  .observed_generation = 2,
                                  .last_transition_time = kBefore,
                                  .reason = "R",
                                  .message = "m"};

class ConditionsTest : public testing::Test {
 protected:
  base::FakeClock clock_{absl::FromUnixSeconds(5000)};
  base::RuntimeScope scope_{clock_};
  List<metav1::Condition> conditions_ = {{.type = "Other", .status = "Unknown"}, kReady};
};

TEST_F(ConditionsTest, Set_NewType_AppendsItWithATime) {
  List<metav1::Condition> conditions;
  EXPECT_TRUE(SetStatusCondition(conditions, kReady));
  EXPECT_EQ(conditions, List<metav1::Condition>{kReady});
  EXPECT_TRUE(SetStatusCondition(conditions, {.type = "Other", .status = "False"}));
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_EQ(conditions[1].last_transition_time, kNow);
}

TEST_F(ConditionsTest, Set_SameStatus_KeepsTheTransitionTime) {
  metav1::Condition condition = kReady;
  condition.last_transition_time = kGiven;
  EXPECT_FALSE(SetStatusCondition(conditions_, condition));
  EXPECT_EQ(conditions_[1], kReady);

  condition.reason = "S";
  EXPECT_TRUE(SetStatusCondition(conditions_, condition));
  EXPECT_EQ(conditions_[1].reason, "S");
  EXPECT_EQ(conditions_[1].last_transition_time, kBefore);
  condition.message = "n";
  EXPECT_TRUE(SetStatusCondition(conditions_, condition));
  EXPECT_EQ(conditions_[1].message, "n");
  condition.observed_generation = 1;
  EXPECT_TRUE(SetStatusCondition(conditions_, condition));
  EXPECT_EQ(conditions_[1].observed_generation, 1);
  EXPECT_EQ(conditions_[1].last_transition_time, kBefore);

  condition.status = "False";
  EXPECT_TRUE(SetStatusCondition(conditions_, condition));
  EXPECT_EQ(conditions_[1], condition);
  condition.status = "True";
  condition.last_transition_time = {};
  EXPECT_TRUE(SetStatusCondition(conditions_, condition));
  EXPECT_EQ(conditions_[1].last_transition_time, kNow);
  EXPECT_EQ(conditions_.size(), 2u);
}

TEST_F(ConditionsTest, Remove_RemovesAllOfTheTypeAndSaysWhetherAny) {
  conditions_.push_back(kReady);
  EXPECT_FALSE(RemoveStatusCondition(conditions_, "None"));
  EXPECT_TRUE(RemoveStatusCondition(conditions_, "Ready"));
  ASSERT_EQ(conditions_.size(), 1u);
  EXPECT_EQ(conditions_[0].type, "Other");
  EXPECT_FALSE(RemoveStatusCondition(conditions_, "Ready"));
  List<metav1::Condition> none;
  EXPECT_FALSE(RemoveStatusCondition(none, "Ready"));
}

TEST_F(ConditionsTest, FindAndIs_MissingType_IsNullOrFalse) {
  EXPECT_EQ(FindStatusCondition(conditions_, "Ready"), &conditions_[1]);
  EXPECT_EQ(FindStatusCondition(conditions_, "None"), nullptr);
  const List<metav1::Condition>& constant = conditions_;
  EXPECT_EQ(FindStatusCondition(constant, "Ready"), &conditions_[1]);
  EXPECT_TRUE(IsStatusConditionTrue(conditions_, "Ready"));
  EXPECT_FALSE(IsStatusConditionFalse(conditions_, "Ready"));
  EXPECT_FALSE(IsStatusConditionTrue(conditions_, "None"));
  EXPECT_FALSE(IsStatusConditionFalse(conditions_, "None"));
  conditions_[1].status = "False";
  EXPECT_TRUE(IsStatusConditionFalse(conditions_, "Ready"));
  EXPECT_TRUE(IsStatusConditionPresentAndEqual(conditions_, "Other", "Unknown"));
  EXPECT_FALSE(IsStatusConditionPresentAndEqual(conditions_, "None", ""));
}

TEST_F(ConditionsTest, IsSetOnAnObject_AsInTheHeader) {
  api::core::v1::Service service = {.metadata = {.generation = 4}};
  meta::SetStatusCondition(service.status.conditions,
                           {.type = "Ready",
                            .status = metav1::kConditionTrue,
                            .observed_generation = service.metadata.generation,
                            .reason = "AllReplicasReady"});
  ASSERT_TRUE(IsStatusConditionTrue(service.status.conditions, "Ready"));
  EXPECT_EQ(service.status.conditions[0].observed_generation, 4);
  EXPECT_EQ(service.status.conditions[0].last_transition_time, kNow);
}

}  // namespace
}  // namespace kube::meta
