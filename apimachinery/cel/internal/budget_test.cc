#include "apimachinery/cel/internal/budget.h"

#include <cstdint>
#include <limits>

#include "apimachinery/base/context.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

TEST(BudgetTest, CostBeyondTheLimitStops) {
  Context context;
  Budget budget(context, 10);
  EXPECT_TRUE(budget.Charge(10));
  EXPECT_FALSE(budget.Charge(1));
  EXPECT_FALSE(budget.Charge(0));
  EXPECT_FALSE(budget.Work());
  EXPECT_TRUE(budget.stopped());
  EXPECT_FALSE(budget.interrupted());
  EXPECT_EQ(budget.cost(), 11u);
  EXPECT_EQ(budget.StopError().error(), "operation cancelled: actual cost limit exceeded");
  budget.Charge(std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(budget.cost(), std::numeric_limits<uint64_t>::max());
}

TEST(BudgetTest, WorkHasALimitOfItsOwn) {
  Context context;
  Budget budget(context, 10);
  EXPECT_TRUE(budget.Work(1'000'000));
  EXPECT_FALSE(budget.Work(1'000'000'000));
  EXPECT_EQ(budget.cost(), 0u);
}

TEST(BudgetTest, ACancelledContextStops) {
  CancelScope scope = WithCancel(Context());
  Budget budget(scope.context(), 10);
  EXPECT_TRUE(budget.CheckContext());
  EXPECT_TRUE(budget.Work());
  scope.Cancel();
  EXPECT_TRUE(budget.Work());  // asks only now and then
  EXPECT_FALSE(budget.Work(100'000));
  EXPECT_TRUE(budget.interrupted());
  EXPECT_EQ(budget.StopError().error(), "operation interrupted");
}

TEST(BudgetTest, AFailureStopsAndTheCallCostsNothing) {
  Context context;
  Budget budget(context, 10);
  EXPECT_TRUE(budget.Charge(3));
  EXPECT_TRUE(budget.Charge(2));
  budget.Fail("internal error: x");
  budget.Fail("internal error: y");
  EXPECT_TRUE(budget.failed());
  EXPECT_FALSE(budget.Charge(1));
  EXPECT_EQ(budget.cost(), 3u);
  EXPECT_EQ(budget.StopError().error(), "internal error: x");
}

}  // namespace
}  // namespace kube::cel::internal
