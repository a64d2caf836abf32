#include "apimachinery/flowcontrol/token_bucket.h"

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "gtest/gtest.h"

namespace kube::flowcontrol {
namespace {

constexpr double kQps = 1.0f / 300;

base::MonotonicTime At(absl::Duration time) { return base::MonotonicTime(time); }

TEST(TokenBucket, EV3BurstThenOneInFiveMinutes) {
  TokenBucket bucket(kQps, 25);
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(bucket.TryTake(At(absl::Hours(1)))) << i;
  EXPECT_FALSE(bucket.TryTake(At(absl::Hours(1))));
  const base::MonotonicTime later = At(absl::Hours(1) + absl::Seconds(300));
  EXPECT_FALSE(bucket.TryTake(later - absl::Milliseconds(1)));
  EXPECT_TRUE(bucket.TryTake(later));
  EXPECT_FALSE(bucket.TryTake(later));
}

TEST(TokenBucket, IsNeverFullerThanFull) {
  TokenBucket bucket(kQps, 2);
  EXPECT_TRUE(bucket.TryTake(At(absl::ZeroDuration())));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(bucket.TryTake(At(absl::Hours(1000))));
  EXPECT_FALSE(bucket.TryTake(At(absl::Hours(1000))));
}

TEST(TokenBucket, ARefusalTakesNothing) {
  TokenBucket bucket(1, 1);
  EXPECT_TRUE(bucket.TryTake(At(absl::ZeroDuration())));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(bucket.TryTake(At(absl::Milliseconds(i * 99))));
  EXPECT_TRUE(bucket.TryTake(At(absl::Seconds(1))));
}

TEST(TokenBucket, WhatIsLessThanANanosecondAwayIsThere) {
  TokenBucket bucket(1e3, 1);
  EXPECT_TRUE(bucket.TryTake(At(absl::ZeroDuration())));
  EXPECT_FALSE(bucket.TryTake(At(absl::Nanoseconds(999'998))));
  EXPECT_TRUE(bucket.TryTake(At(absl::Milliseconds(1) - absl::Nanoseconds(1) / 2)));
}

TEST(TokenBucket, WhoTakesWithoutATokenWaitsForIt) {
  TokenBucket bucket(2, 1);
  bucket.Take(At(absl::Hours(1)));
  bucket.Take(At(absl::Hours(1)));
  EXPECT_EQ(bucket.WaitAt(At(absl::Hours(1))), absl::Seconds(1));
  EXPECT_FALSE(bucket.TryTake(At(absl::Hours(1) + absl::Milliseconds(999))));
  bucket.PutBack(At(absl::Hours(1)));
  EXPECT_EQ(bucket.WaitAt(At(absl::Hours(1))), absl::Milliseconds(500));
}

TEST(TokenBucket, WhatIsPutBackDoesNotOverflow) {
  TokenBucket bucket(1, 1);
  bucket.PutBack(At(absl::Seconds(1)));
  EXPECT_TRUE(bucket.TryTake(At(absl::Seconds(1))));
  EXPECT_FALSE(bucket.TryTake(At(absl::Seconds(1))));
}

TEST(TokenBucket, ATokenInAMillionYearsIsNoOverflow) {
  TokenBucket bucket(1e-300, 1);
  bucket.Take(At(absl::Seconds(1)));
  EXPECT_EQ(bucket.WaitAt(At(absl::Seconds(2))), absl::InfiniteDuration());
}

}  // namespace
}  // namespace kube::flowcontrol
