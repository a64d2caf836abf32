#include "apimachinery/base/testing/sim_wall_clock.h"

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(SimWallClockTest, Jump_MovesTheTimeOfDayOfAllThreads_AndNoMonotonicTime) {
  SimRuntime sim;
  const absl::Status end = sim.Run([] {
    SimWallClock clock(Runtime::Current());
    const RuntimeScope scope(clock);
    const absl::Time wall = WallNow();
    const MonotonicTime now = Now();
    clock.Jump(-absl::Minutes(5));
    clock.Jump(absl::Minutes(2));
    EXPECT_EQ(clock.offset(), -absl::Minutes(3));
    EXPECT_EQ(WallNow(), wall - absl::Minutes(3));
    EXPECT_EQ(Now(), now);
    absl::Time seen = absl::InfinitePast();
    Thread thread;
    EXPECT_THAT(thread.Start(Context(), "other", [&seen](const Context&) { seen = WallNow(); }),
                IsOk());
    thread.Join();
    EXPECT_EQ(seen, wall - absl::Minutes(3));
  });
  EXPECT_THAT(end, IsOk());
}

TEST(SimWallClockTest, Jump_DuringASleep_LeavesItsLength) {
  SimRuntime sim;
  const absl::Status end = sim.Run([] {
    SimWallClock clock(Runtime::Current());
    const RuntimeScope scope(clock);
    const MonotonicTime start = Now();
    absl::Duration slept = absl::ZeroDuration();
    Thread thread;
    EXPECT_THAT(thread.Start(Context(), "sleeper",
                             [&](const Context& ctx) {
                               SleepFor(ctx, absl::Minutes(1)).IgnoreError();
                               slept = Now() - start;
                             }),
                IsOk());
    SleepFor(Context(), absl::Seconds(10)).IgnoreError();
    clock.Jump(absl::Hours(1));
    thread.Join();
    EXPECT_EQ(slept, absl::Minutes(1));
  });
  EXPECT_THAT(end, IsOk());
}

}  // namespace
}  // namespace kube::base
