#include "apimachinery/base/backoff.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Lt;

// behaviour.md: WAIT-1
TEST(BackoffTest, StepsAsInGo) {
  // Five steps each, as k8s.io/apimachinery takes them; times in nanoseconds.
  struct Want {
    int64_t wait;
    int64_t duration;
    int steps;
  };
  const struct {
    const char* name;
    struct {
      int64_t duration;
      double factor;
      int steps;
      int64_t cap;
    } backoff;
    Want want[5];
  } cases[] = {
      {"nothing set", {0, 0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
      {"no steps",
       {10000000, 2, 0, 0},
       {{10000000, 10000000, 0},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0}}},
      {"negative steps",
       {10000000, 2, -3, 0},
       {{10000000, 10000000, 0},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0}}},
      {"steps run out",
       {10000000, 2, 3, 0},
       {{10000000, 20000000, 2},
        {20000000, 40000000, 1},
        {40000000, 80000000, 0},
        {80000000, 80000000, 0},
        {80000000, 80000000, 0}}},
      {"no factor",
       {10000000, 0, 3, 0},
       {{10000000, 10000000, 2},
        {10000000, 10000000, 1},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0},
        {10000000, 10000000, 0}}},
      {"cap",
       {10000000, 3, 10, 50000000},
       {{10000000, 30000000, 9},
        {30000000, 50000000, 0},
        {50000000, 50000000, 0},
        {50000000, 50000000, 0},
        {50000000, 50000000, 0}}},
      {"cap met exactly",
       {10000000, 2, 4, 40000000},
       {{10000000, 20000000, 3},
        {20000000, 40000000, 2},
        {40000000, 40000000, 0},
        {40000000, 40000000, 0},
        {40000000, 40000000, 0}}},
      {"cap below the duration",
       {100000000, 2, 10, 50000000},
       {{100000000, 50000000, 0},
        {50000000, 50000000, 0},
        {50000000, 50000000, 0},
        {50000000, 50000000, 0},
        {50000000, 50000000, 0}}},
      {"factor below one",
       {10000000, 0.5, 3, 0},
       {{10000000, 5000000, 2},
        {5000000, 2500000, 1},
        {2500000, 1250000, 0},
        {1250000, 1250000, 0},
        {1250000, 1250000, 0}}},
      {"whole nanoseconds",
       {7, 1.5, 4, 0},
       {{7, 10, 3}, {10, 15, 2}, {15, 22, 1}, {22, 33, 0}, {33, 33, 0}}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    Backoff backoff{.duration = absl::Nanoseconds(c.backoff.duration),
                    .factor = c.backoff.factor,
                    .steps = c.backoff.steps,
                    .cap = absl::Nanoseconds(c.backoff.cap)};
    const Backoff original = backoff;
    DelayFunc delay = original.Delay();
    for (const Want& want : c.want) {
      EXPECT_EQ(backoff.Step(), absl::Nanoseconds(want.wait));
      EXPECT_EQ(backoff.duration, absl::Nanoseconds(want.duration));
      EXPECT_EQ(backoff.steps, want.steps);
      EXPECT_EQ(delay(), absl::Nanoseconds(want.wait));
    }
    EXPECT_EQ(original.duration, absl::Nanoseconds(c.backoff.duration));
  }
}

// behaviour.md: WAIT-1
TEST(BackoffTest, JitterIsPerStepAndDoesNotAddUp) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  for (const int steps : {0, 4}) {
    Backoff backoff{.duration = absl::Seconds(1), .factor = 2, .jitter = 0.5, .steps = steps};
    absl::Duration base = absl::Seconds(1);
    for (int i = 0; i < 4; ++i) {
      EXPECT_THAT(backoff.Step(), AllOf(Ge(base), Lt(base * 1.5)));
      if (steps > 0) base *= 2;
      EXPECT_EQ(backoff.duration, base);
    }
  }
}

absl::Status PingUntilItSucceeds(const Context& ctx, absl::FunctionRef<bool()> ping) {
  Backoff backoff{.duration = absl::Milliseconds(10), .factor = 2, .jitter = 0.1, .steps = 5};
  while (!ping()) KUBE_RETURN_IF_ERROR(SleepFor(ctx, backoff.Step()));
  return absl::OkStatus();
}

TEST(BackoffTest, GrowsFromAttemptToAttempt_AsInTheHeader) {
  SimRuntime sim;
  const absl::Status end = sim.Run([] {
    int attempts = 0;
    EXPECT_EQ(PingUntilItSucceeds(Context(), [&] { return ++attempts == 4; }), absl::OkStatus());
    EXPECT_EQ(attempts, 4);
    const absl::Duration pauses = absl::Milliseconds(10 + 20 + 40);
    EXPECT_THAT(Now().since_epoch(), AllOf(Ge(pauses), Lt(pauses * 1.1)));
  });
  EXPECT_EQ(end, absl::OkStatus());
}

TEST(BackoffTest, NegativeJitterIsNone) {
  Backoff backoff{.duration = absl::Seconds(1), .jitter = -1};
  EXPECT_EQ(backoff.Step(), absl::Seconds(1));
}

TEST(BackoffTest, AProductThatIsTooLargeIsInfinite) {
  Backoff backoff{.duration = absl::Hours(24 * 365 * 200),
                  .factor = 1e300,
                  .steps = std::numeric_limits<int>::max()};
  backoff.Step();
  backoff.Step();
  EXPECT_EQ(backoff.Step(), absl::InfiniteDuration());
  backoff.cap = absl::Seconds(30);
  backoff.Step();
  EXPECT_EQ(backoff.Step(), absl::Seconds(30));
}

// The reflector's back-off: 800 ms, doubled up to 30 s, reset after two minutes.
constexpr int kManySteps = 1000;

// behaviour.md: RF-2
TEST(BackoffManagerTest, ALongOutageStaysAtTheCap) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  BackoffManager backoff({.duration = absl::Milliseconds(800),
                          .factor = 2,
                          .steps = kManySteps,
                          .cap = absl::Seconds(30)},
                         absl::Minutes(2));
  std::vector<absl::Duration> waits;
  for (int i = 0; i < 100; ++i) {  // 48 minutes
    waits.push_back(backoff.Step());
    clock.Step(waits.back());
  }
  EXPECT_EQ(waits[0], absl::Milliseconds(800));
  EXPECT_EQ(waits[1], absl::Milliseconds(1600));
  EXPECT_EQ(waits[5], absl::Milliseconds(25600));
  for (size_t i = 6; i < waits.size(); ++i) EXPECT_EQ(waits[i], absl::Seconds(30)) << i;
}

// behaviour.md: RF-2
TEST(BackoffManagerTest, BeginsAnewAfterTheInterval) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  BackoffManager backoff({.duration = absl::Seconds(1), .factor = 2, .steps = kManySteps},
                         absl::Minutes(2));
  EXPECT_EQ(backoff.Step(), absl::Seconds(1));
  clock.Step(absl::Minutes(2));
  EXPECT_EQ(backoff.Step(), absl::Seconds(2));
  clock.Step(absl::Minutes(2) + absl::Nanoseconds(1));
  EXPECT_EQ(backoff.Step(), absl::Seconds(1));
  EXPECT_EQ(backoff.Step(), absl::Seconds(2));
}

TEST(BackoffManagerTest, WithoutAnIntervalNothingGrows) {
  for (const absl::Duration interval : {absl::ZeroDuration(), -absl::Seconds(1)}) {
    BackoffManager backoff({.duration = absl::Seconds(1), .factor = 2, .steps = kManySteps},
                           interval);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(backoff.Step(), absl::Seconds(1));
  }
}

TEST(BackoffManagerTest, ThreadsShareTheSteps) {
  BackoffManager backoff({.duration = absl::Nanoseconds(1), .factor = 2, .steps = kManySteps},
                         absl::Hours(1));
  ThreadGroup group{Context()};
  for (int t = 0; t < 4; ++t) {
    group.Go("failing", [&](const Context&) {
      for (int i = 0; i < 5; ++i) backoff.Step();
      return absl::OkStatus();
    });
  }
  ASSERT_EQ(group.Wait(), absl::OkStatus());
  EXPECT_EQ(backoff.Step(), absl::Nanoseconds(1 << 20));
}

}  // namespace
}  // namespace kube::base
