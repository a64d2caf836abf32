#include "apimachinery/base/testing/drifting_runtime.h"

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using base::IsOk;

base::MonotonicTime Seconds(double seconds) { return base::MonotonicTime(absl::Seconds(seconds)); }

TEST(DriftingRuntime, Threads_UseItsClock) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([&] {
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(100)), IsOk());
    DriftingRuntime fast(sim, {.rate = 1.25, .wall_skew = -absl::Hours(1)});
    const absl::Time wall = sim.WallNow();
    base::RuntimeScope scope(fast);
    EXPECT_EQ(fast.Now(), Seconds(0));
    EXPECT_EQ(fast.WallNow(), wall - absl::Hours(1));
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "inside",
                             [&](const Context& ctx) {
                               EXPECT_EQ(&base::Runtime::Current(), &fast);
                               EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(10)), IsOk());
                               EXPECT_GE(fast.Now(), Seconds(10));
                               EXPECT_LT(fast.Now(), Seconds(10.001));
                             }),
                IsOk());
    thread.Join();
    EXPECT_GE(sim.Now(), Seconds(108));
    EXPECT_LT(sim.Now(), Seconds(108.001));
  }),
              IsOk());
}

TEST(DriftingRuntime, Deadlines_UseItsClock) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([&] {
    DriftingRuntime slow(sim, {.rate = 0.5});
    base::RuntimeScope scope(slow);
    const Context late = WithTimeout(Context(), absl::Seconds(20));
    const Context early = WithTimeout(Context(), absl::Seconds(10));
    base::Event done;
    const DoneCallback first = late.OnDone([] {});
    const DoneCallback second = early.OnDone([&] { done.Set(); });
    EXPECT_THAT(done.Wait(Context()), IsOk());
    EXPECT_GE(sim.Now(), Seconds(20));
    EXPECT_LT(sim.Now(), Seconds(20.001));
  }),
              IsOk());
}

TEST(DriftingRuntime, APauseHoldsUpWhoWaits) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([&] {
    DriftingRuntime machine(sim, {});
    base::Thread thread;
    {
      base::RuntimeScope scope(machine);
      ASSERT_THAT(thread.Start(Context(), "inside",
                               [&](const Context& ctx) {
                                 EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(1)), IsOk());
                                 EXPECT_EQ(sim.Now(), Seconds(50));
                                 EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(1)), IsOk());
                                 EXPECT_LT(sim.Now(), Seconds(51.001));
                               }),
                  IsOk());
    }
    machine.PauseUntil(Seconds(50));
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(10)), IsOk());
    EXPECT_LT(sim.Now(), Seconds(10.001));  // others go on
    thread.Join();
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::base
