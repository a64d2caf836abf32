#include "envtest/workloads/internal/cluster/outcome.h"

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

TEST(Outcome, Note_ErrorThenSuccess_StaysFailed) {
  Outcome outcome;
  EXPECT_TRUE(outcome.Note(absl::OkStatus(), "a pod"));
  EXPECT_FALSE(outcome.failed());
  EXPECT_FALSE(outcome.Note(absl::UnavailableError("gone"), "a pod"));
  EXPECT_TRUE(outcome.Note(absl::OkStatus(), "a pod"));
  EXPECT_TRUE(outcome.failed());
}

TEST(Outcome, LookAgainAfter_SeveralTimes_KeepsTheEarliest) {
  Outcome outcome;
  EXPECT_EQ(outcome.again(), absl::InfiniteDuration());
  outcome.LookAgainAfter(absl::Seconds(5));
  outcome.LookAgainAfter(absl::Seconds(2));
  outcome.LookAgainAfter(absl::Seconds(3));
  EXPECT_EQ(outcome.again(), absl::Seconds(2));
}

}  // namespace
}  // namespace kube::envtest::internal
