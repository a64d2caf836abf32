#include "clientset/rest/rate_limiter.h"

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;

absl::Duration Now() { return base::Now().since_epoch(); }

// behaviour.md: REST-1
TEST(RateLimiterTest, ABurstAndThenTheRate) {
  base::SimRuntime sim({.seed = 1});
  std::vector<absl::Duration> times;
  ASSERT_THAT(sim.Run([&times] {
    const auto limiter = MakeTokenBucketRateLimiter(2, 3);
    EXPECT_EQ(limiter->qps(), 2);
    for (int i = 0; i < 6; ++i) {
      EXPECT_THAT(limiter->Wait(Context()), IsOk());
      times.push_back(Now());
    }
    // The bucket holds no more than `burst` tokens.
    ASSERT_THAT(base::SleepFor(Context(), absl::Hours(1)), IsOk());
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter->TryAccept());
    EXPECT_FALSE(limiter->TryAccept());
  }),
              IsOk());
  EXPECT_THAT(times,
              ElementsAre(absl::ZeroDuration(), absl::ZeroDuration(), absl::ZeroDuration(),
                          absl::Milliseconds(500), absl::Seconds(1), absl::Milliseconds(1500)));
}

TEST(RateLimiterTest, TryAcceptTakesWhatIsThere) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  const auto limiter = MakeTokenBucketRateLimiter(1, 1);
  EXPECT_TRUE(limiter->TryAccept());
  EXPECT_FALSE(limiter->TryAccept());
  clock.Step(absl::Milliseconds(999));
  EXPECT_FALSE(limiter->TryAccept());
  clock.Step(absl::Milliseconds(1));
  EXPECT_TRUE(limiter->TryAccept());
}

TEST(RateLimiterTest, ADeadlineThatIsTooEarlyEndsTheWaitAtOnce) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  const auto limiter = MakeTokenBucketRateLimiter(1, 1);
  EXPECT_TRUE(limiter->TryAccept());
  EXPECT_THAT(limiter->Wait(WithTimeout(Context(), absl::Milliseconds(900))),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "rate: Wait(n=1) would exceed context deadline"));
  // No token was taken.
  clock.Step(absl::Seconds(1));
  EXPECT_TRUE(limiter->TryAccept());
  CancelScope cancelled = WithCancel(Context());
  cancelled.Cancel();
  EXPECT_THAT(limiter->Wait(cancelled.context()), StatusIs(absl::StatusCode::kCancelled));
}

TEST(RateLimiterTest, CallersGoInTheirOrderAndWhoGivesUpGivesBack) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    base::SimRuntime sim({.seed = seed});
    base::Mutex mutex;
    std::vector<int> order;
    ASSERT_THAT(sim.Run([&mutex, &order] {
      const auto limiter = MakeTokenBucketRateLimiter(1, 1);
      ASSERT_TRUE(limiter->TryAccept());
      CancelScope last = WithCancel(Context());
      std::vector<std::unique_ptr<base::Thread>> threads;
      for (int i = 0; i < 4; ++i) {
        threads.push_back(std::make_unique<base::Thread>());
        const Context ctx = i == 3 ? last.context() : Context();
        const absl::Status started =
            threads.back()->Start(ctx, "caller", [&mutex, &order, &limiter, i](const Context& c) {
              const absl::Status status = limiter->Wait(c);
              if (!status.ok()) return;
              const base::MutexLock lock(mutex);
              order.push_back(i);
            });
        ASSERT_THAT(started, IsOk());
        ASSERT_THAT(base::SleepFor(Context(), absl::Milliseconds(1)), IsOk());
      }
      last.Cancel();
      for (const auto& thread : threads) thread->Join();
      // Three requests were sent in three seconds, and the fourth one's token was returned.
      EXPECT_EQ(Now(), absl::Seconds(3));
      EXPECT_THAT(limiter->Wait(Context()), IsOk());
      EXPECT_EQ(Now(), absl::Seconds(4));
    }),
                IsOk());
    EXPECT_THAT(order, ElementsAre(0, 1, 2));
  }
}

}  // namespace
}  // namespace kube::rest
