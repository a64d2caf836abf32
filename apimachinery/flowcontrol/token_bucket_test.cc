#include "apimachinery/flowcontrol/token_bucket.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::flowcontrol {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

constexpr double kQps = 1.0f / 300;

base::MonotonicTime At(absl::Duration time) { return base::MonotonicTime(time); }

// behaviour.md: EV-3
TEST(TokenBucket, TryTake_AfterTheBurst_OneTokenInFiveMinutes) {
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

// Takes a token, and returns how long to wait for it.
absl::StatusOr<absl::Duration> TakeBefore(base::MonotonicTime deadline, base::MonotonicTime now,
                                          TokenBucket& bucket) {
  const absl::Duration wait = bucket.WaitAt(now);
  if (now + wait > deadline) return absl::ResourceExhaustedError("too late");
  bucket.Take(now);
  return wait;
}

TEST(TokenBucket, TheWaitForATokenIsKnownBeforeItIsTaken_AsInTheHeader) {
  TokenBucket bucket(2, 1);
  const base::MonotonicTime now = At(absl::Hours(1));
  EXPECT_THAT(TakeBefore(now, now, bucket), IsOkAndHolds(absl::ZeroDuration()));
  EXPECT_THAT(TakeBefore(now + absl::Milliseconds(499), now, bucket),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(TakeBefore(now + absl::Milliseconds(500), now, bucket),
              IsOkAndHolds(absl::Milliseconds(500)));
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
