#include "controller/reconcile/internal/reconcile_function.h"

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/reconcile/result.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using Function = std::function<absl::StatusOr<Result>(int&)>;

TEST(ReconcileFunctionTest, AStatus_BecomesAnEmptyResultOrTheError) {
  const Function function = ReconcileFunction<int>(
      [](int& request) { return ++request > 1 ? absl::InternalError("no") : absl::OkStatus(); });
  int calls = 0;
  const absl::StatusOr<Result> first = function(calls);
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ(first->requeue_after, absl::ZeroDuration());
  EXPECT_THAT(function(calls), StatusIs(absl::StatusCode::kInternal, "no"));
}

TEST(ReconcileFunctionTest, AResult_StaysAsItIs) {
  const Function function = ReconcileFunction<int>([](int&) -> absl::StatusOr<Result> {
    return kube::controller::Result{.requeue_after = absl::Minutes(10)};
  });
  int calls = 0;
  const absl::StatusOr<Result> result = function(calls);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->requeue_after, absl::Minutes(10));
}

}  // namespace
}  // namespace kube::controller::internal
