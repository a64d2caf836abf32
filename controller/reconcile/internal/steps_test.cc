#include "controller/reconcile/internal/steps.h"

#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

TEST(StepsTest, Innermost_IsTheStepThatWasEnteredLastAndNotLeft) {
  Steps steps;
  EXPECT_EQ(steps.Innermost(), "");
  steps.Enter("deploy");
  EXPECT_EQ(steps.Innermost(), "deploy");
  steps.Enter("apply deployments \"web\"");
  EXPECT_EQ(steps.Innermost(), "apply deployments \"web\"");
  steps.Leave();
  EXPECT_EQ(steps.Innermost(), "deploy");
  steps.Leave();
  EXPECT_EQ(steps.Innermost(), "");
}

}  // namespace
}  // namespace kube::controller::internal
