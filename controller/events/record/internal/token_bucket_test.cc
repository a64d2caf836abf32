#include "controller/events/record/internal/token_bucket.h"

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "gtest/gtest.h"

namespace kube::record::internal {
namespace {

constexpr double kQps = 1.0f / 300;

base::MonotonicTime At(absl::Duration time) { return base::MonotonicTime(time); }

TEST(TokenBucket, EV3BurstThenOneInFiveMinutes) {
  TokenBucket bucket(25);
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(bucket.TryAccept(25, kQps, At(absl::Hours(1)))) << i;
  EXPECT_FALSE(bucket.TryAccept(25, kQps, At(absl::Hours(1))));
  const base::MonotonicTime later = At(absl::Hours(1) + absl::Seconds(300));
  EXPECT_FALSE(bucket.TryAccept(25, kQps, later - absl::Milliseconds(1)));
  EXPECT_TRUE(bucket.TryAccept(25, kQps, later));
  EXPECT_FALSE(bucket.TryAccept(25, kQps, later));
}

TEST(TokenBucket, IsNeverFullerThanFull) {
  TokenBucket bucket(2);
  EXPECT_TRUE(bucket.TryAccept(2, kQps, At(absl::ZeroDuration())));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(bucket.TryAccept(2, kQps, At(absl::Hours(1000))));
  EXPECT_FALSE(bucket.TryAccept(2, kQps, At(absl::Hours(1000))));
}

TEST(TokenBucket, ARefusalTakesNothing) {
  TokenBucket bucket(1);
  EXPECT_TRUE(bucket.TryAccept(1, 1, At(absl::ZeroDuration())));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(bucket.TryAccept(1, 1, At(absl::Milliseconds(i * 99))));
  EXPECT_TRUE(bucket.TryAccept(1, 1, At(absl::Seconds(1))));
}

TEST(TokenBucket, WhatIsLessThanANanosecondAwayIsThere) {
  TokenBucket bucket(1);
  EXPECT_TRUE(bucket.TryAccept(1, 1e3, At(absl::ZeroDuration())));
  EXPECT_FALSE(bucket.TryAccept(1, 1e3, At(absl::Nanoseconds(999'998))));
  EXPECT_TRUE(bucket.TryAccept(1, 1e3, At(absl::Milliseconds(1) - absl::Nanoseconds(1) / 2)));
}

}  // namespace
}  // namespace kube::record::internal
