#include "controller/workqueue/rate_limiter.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using testing::ElementsAre;

std::vector<absl::Duration> Delays(RateLimiter& limiter, const char* key, int n) {
  std::vector<absl::Duration> delays;
  for (int i = 0; i < n; ++i) delays.push_back(limiter.When(key));
  return delays;
}

constexpr absl::Duration kMs = absl::Milliseconds(1);

// behaviour.md: WQ-2
TEST(RateLimiterTest, Exponential_RepeatedFailures_DoublesUpToTheCapForEachKey) {
  const auto limiter = ExponentialFailureRateLimiter(kMs, absl::Seconds(1));
  EXPECT_THAT(Delays(*limiter, "one", 5),
              ElementsAre(1 * kMs, 2 * kMs, 4 * kMs, 8 * kMs, 16 * kMs));
  EXPECT_EQ(limiter->NumRequeues("one"), 5);
  EXPECT_THAT(Delays(*limiter, "two", 2), ElementsAre(1 * kMs, 2 * kMs));
  EXPECT_EQ(limiter->NumRequeues("two"), 2);
  EXPECT_THAT(Delays(*limiter, "one", 6),
              ElementsAre(32 * kMs, 64 * kMs, 128 * kMs, 256 * kMs, 512 * kMs, absl::Seconds(1)));
  limiter->Forget("one");
  EXPECT_EQ(limiter->NumRequeues("one"), 0);
  EXPECT_EQ(limiter->When("one"), kMs);
  limiter->Forget("three");
  EXPECT_EQ(limiter->NumRequeues("three"), 0);
}

// client-go's TestItemExponentialFailureRateLimiterOverFlow.
// behaviour.md: WQ-2
TEST(RateLimiterTest, Exponential_ThousandsOfFailures_StaysAtTheCap) {
  const auto limiter = ExponentialFailureRateLimiter(kMs, absl::Seconds(1000));
  for (int i = 0; i < 5; ++i) limiter->When("one");
  EXPECT_EQ(limiter->When("one"), 32 * kMs);
  for (int i = 0; i < 5000; ++i) limiter->When("overflow1");
  EXPECT_EQ(limiter->When("overflow1"), absl::Seconds(1000));
  const auto minutes = ExponentialFailureRateLimiter(absl::Minutes(1), absl::Hours(1000));
  for (int i = 0; i < 2; ++i) minutes->When("two");
  EXPECT_EQ(minutes->When("two"), absl::Minutes(4));
  for (int i = 0; i < 1000; ++i) minutes->When("overflow2");
  EXPECT_EQ(minutes->When("overflow2"), absl::Hours(1000));
}

// behaviour.md: WQ-3
TEST(RateLimiterTest, FastSlow_MoreFailuresThanFastTries_IsSlowUntilForget) {
  const auto limiter = FastSlowRateLimiter(5 * kMs, absl::Seconds(10), 3);
  EXPECT_THAT(Delays(*limiter, "one", 5),
              ElementsAre(5 * kMs, 5 * kMs, 5 * kMs, absl::Seconds(10), absl::Seconds(10)));
  EXPECT_EQ(limiter->NumRequeues("one"), 5);
  EXPECT_EQ(limiter->When("two"), 5 * kMs);
  limiter->Forget("one");
  EXPECT_EQ(limiter->When("one"), 5 * kMs);
  EXPECT_EQ(FastSlowRateLimiter(kMs, 2 * kMs, 0)->When("one"), 2 * kMs);
}

// behaviour.md: WQ-1
TEST(RateLimiterTest, Bucket_SeveralKeys_ShareItsTokens) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  const auto limiter = BucketRateLimiter(10, 3);
  EXPECT_THAT(Delays(*limiter, "one", 2), ElementsAre(0 * kMs, 0 * kMs));
  EXPECT_THAT(Delays(*limiter, "two", 3), ElementsAre(0 * kMs, 100 * kMs, 200 * kMs));
  EXPECT_EQ(limiter->NumRequeues("two"), 0);
  clock.Step(absl::Milliseconds(250));
  EXPECT_EQ(limiter->When("one"), 50 * kMs);
  clock.Step(absl::Hours(1));  // refills the bucket up to its burst
  EXPECT_THAT(Delays(*limiter, "one", 4), ElementsAre(0 * kMs, 0 * kMs, 0 * kMs, 100 * kMs));
  limiter->Forget("one");
}

// behaviour.md: WQ-3
TEST(RateLimiterTest, MaxOf_SeveralLimiters_AsksAllAndTakesTheLongestDelay) {
  const auto fast = FastSlowRateLimiter(5 * kMs, absl::Seconds(3), 3);
  const auto exponential = ExponentialFailureRateLimiter(kMs, absl::Seconds(1));
  const auto limiter = MaxOfRateLimiter({fast, exponential});
  EXPECT_THAT(Delays(*limiter, "one", 5),
              ElementsAre(5 * kMs, 5 * kMs, 5 * kMs, absl::Seconds(3), absl::Seconds(3)));
  fast->Forget("one");
  EXPECT_EQ(limiter->NumRequeues("one"), 5);
  EXPECT_EQ(limiter->When("one"), 32 * kMs);
  limiter->Forget("one");
  EXPECT_EQ(fast->NumRequeues("one"), 0);
  EXPECT_EQ(exponential->NumRequeues("one"), 0);
  EXPECT_EQ(MaxOfRateLimiter({})->When("one"), 0 * kMs);
}

// behaviour.md: WQ-3
TEST(RateLimiterTest, WithMaxWait_LongerDelay_IsCapped) {
  const auto limiter =
      WithMaxWaitRateLimiter(FastSlowRateLimiter(5 * kMs, absl::Seconds(10), 1), absl::Seconds(1));
  EXPECT_THAT(Delays(*limiter, "one", 2), ElementsAre(5 * kMs, absl::Seconds(1)));
  EXPECT_EQ(limiter->NumRequeues("one"), 2);
  limiter->Forget("one");
  EXPECT_EQ(limiter->NumRequeues("one"), 0);
}

// behaviour.md: WQ-1, WQ-3, CTRL-4
TEST(RateLimiterTest, Defaults_HaveTheDelaysAndTheBucketOfClientGo) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  const auto item = DefaultItemBasedRateLimiter();
  EXPECT_THAT(Delays(*item, "one", 2), ElementsAre(kMs, 2 * kMs));
  for (int i = 0; i < 50; ++i) item->When("one");
  EXPECT_EQ(item->When("one"), absl::Seconds(1000));
  const auto controller = DefaultControllerRateLimiter();
  EXPECT_THAT(Delays(*controller, "one", 2), ElementsAre(5 * kMs, 10 * kMs));
  for (int i = 0; i < 98; ++i) controller->When(std::to_string(i));
  EXPECT_EQ(controller->When("two"), 100 * kMs);  // the bucket is empty
  for (int i = 0; i < 30; ++i) controller->When("one");
  EXPECT_EQ(controller->When("one"), absl::Seconds(1000));
}

}  // namespace
}  // namespace kube::workqueue
