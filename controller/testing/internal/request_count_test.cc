#include "controller/testing/internal/request_count.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

TEST(RequestCount, RequestsBeforeTheWindow_AreNotCounted) {
  RequestCount count;
  const absl::Time begin = absl::UnixEpoch();
  EXPECT_EQ(count.Add(begin, absl::Seconds(10)), 1u);
  EXPECT_EQ(count.Add(begin + absl::Seconds(9), absl::Seconds(10)), 2u);
  EXPECT_EQ(count.Add(begin + absl::Seconds(10), absl::Seconds(10)), 2u);
  EXPECT_EQ(count.Add(begin + absl::Seconds(30), absl::Seconds(10)), 1u);
}

TEST(RequestCount, RequestsBeforeTheClockWasSetBack_AreNotCounted) {
  RequestCount count;
  const absl::Time begin = absl::UnixEpoch();
  EXPECT_EQ(count.Add(begin, absl::Seconds(10)), 1u);
  EXPECT_EQ(count.Add(begin + absl::Seconds(1), absl::Seconds(10)), 2u);
  EXPECT_EQ(count.Add(begin - absl::Minutes(5), absl::Seconds(10)), 1u);
  EXPECT_EQ(count.Add(begin - absl::Minutes(4), absl::Seconds(10)), 1u);
}

TEST(RequestCount, RequestsWithoutATime_AreAllCounted) {
  RequestCount count;
  EXPECT_EQ(count.Add(absl::InfinitePast(), absl::Seconds(10)), 1u);
  EXPECT_EQ(count.Add(absl::InfinitePast(), absl::Seconds(10)), 2u);
}

}  // namespace
}  // namespace kube::controller::internal
