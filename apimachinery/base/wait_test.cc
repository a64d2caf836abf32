#include "apimachinery/base/wait.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::Ge;
using ::testing::Lt;

const absl::Status kCancelled = absl::CancelledError("context canceled");
const absl::Status kExceeded = absl::DeadlineExceededError("context deadline exceeded");

// Runs `body` in virtual time, which begins at zero.
void InSim(absl::AnyInvocable<void()> body) {
  SimRuntime sim;
  ASSERT_EQ(sim.Run(std::move(body)), absl::OkStatus());
}

absl::Duration Elapsed() { return Now().since_epoch(); }

// Whole seconds since the beginning, noted by each call.
struct Log {
  std::vector<int> at;
  void Note() { at.push_back(static_cast<int>(absl::ToInt64Seconds(Elapsed()))); }
};

TEST(SleepTest, Sleep_EndsByTimeDeadlineOrCancellation) {
  constexpr absl::Duration kNever = absl::InfiniteDuration();
  const struct {
    const char* name;
    absl::Duration sleep;
    absl::Duration deadline;
    absl::Duration cancel_at;
    absl::Status want;
    absl::Duration ends_at;
  } cases[] = {
      {"time", absl::Seconds(5), kNever, kNever, absl::OkStatus(), absl::Seconds(5)},
      {"zero", absl::ZeroDuration(), kNever, kNever, absl::OkStatus(), absl::ZeroDuration()},
      {"negative", -absl::Seconds(5), kNever, kNever, absl::OkStatus(), absl::ZeroDuration()},
      {"deadline", absl::Seconds(5), absl::Seconds(3), kNever, kExceeded, absl::Seconds(3)},
      {"both at once", absl::Seconds(5), absl::Seconds(5), kNever, kExceeded, absl::Seconds(5)},
      {"later deadline", absl::Seconds(5), absl::Seconds(6), kNever, absl::OkStatus(),
       absl::Seconds(5)},
      {"cancellation", absl::Seconds(5), kNever, absl::Seconds(2), kCancelled, absl::Seconds(2)},
      {"cancellation of an endless one", kNever, kNever, absl::Hours(2), kCancelled,
       absl::Hours(2)},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    InSim([&] {
      CancelScope scope = WithCancel(WithTimeout(Context(), c.deadline));
      Thread canceller;
      if (c.cancel_at != kNever) {
        ASSERT_TRUE(canceller
                        .Start(Context(), "canceller",
                               [&](const Context& ctx) {
                                 EXPECT_EQ(SleepFor(ctx, c.cancel_at), absl::OkStatus());
                                 scope.Cancel();
                               })
                        .ok());
      }
      EXPECT_EQ(SleepFor(scope.context(), c.sleep), c.want);
      EXPECT_EQ(Elapsed(), c.ends_at);
    });
  }
}

TEST(SleepTest, OfADoneContextDoesNotWait) {
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_EQ(SleepFor(scope.context(), absl::Hours(1)), kCancelled);
  EXPECT_EQ(SleepFor(scope.context(), absl::ZeroDuration()), kCancelled);
  EXPECT_EQ(SleepUntil(scope.context(), MonotonicTime::Infinite()), kCancelled);
  EXPECT_EQ(WaitUntilDone(scope.context()), kCancelled);
}

TEST(SleepTest, Sleep_OnAFakeClock_EndsWithTheStep) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  std::optional<absl::Status> result;
  Thread sleeper;
  ASSERT_TRUE(sleeper
                  .Start(Context(), "sleeper",
                         [&](const Context& ctx) { result = SleepFor(ctx, absl::Hours(1)); })
                  .ok());
  ASSERT_EQ(clock.BlockUntil(1), absl::OkStatus());
  clock.Step(absl::Hours(1));
  sleeper.Join();
  EXPECT_EQ(result, absl::OkStatus());
}

TEST(SleepTest, EmptySleepsLetOthersRun) {
  InSim([] {
    bool ran = false;
    Thread other;
    ASSERT_TRUE(other.Start(Context(), "other", [&](const Context&) { ran = true; }).ok());
    while (!ran) EXPECT_EQ(SleepFor(Context(), absl::ZeroDuration()), absl::OkStatus());
  });
}

TEST(WaitUntilDoneTest, AnswersTheContextsStatus) {
  InSim([] {
    EXPECT_EQ(WaitUntilDone(WithTimeout(Context(), absl::Hours(3))), kExceeded);
    EXPECT_EQ(Elapsed(), absl::Hours(3));
  });
}

// behaviour.md: WAIT-2
TEST(JitterUntilTest, JitterUntil_SlidingOrNot_HasThePeriodsOfUpstream) {
  const struct {
    const char* name;
    PeriodFrom from;
    int period;
    int run_takes;
    std::vector<int> starts;
  } cases[] = {
      {"from the end", PeriodFrom::kEndOfRun, 10, 3, {0, 13, 26, 39}},
      {"from the start", PeriodFrom::kStartOfRun, 10, 3, {0, 10, 20, 30, 40}},
      {"from the start of long runs", PeriodFrom::kStartOfRun, 10, 15, {0, 15, 30, 45}},
      {"without a pause", PeriodFrom::kEndOfRun, 0, 15, {0, 15, 30, 45}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    InSim([&] {
      Log log;
      JitterUntil(WithTimeout(Context(), absl::Seconds(50)), absl::Seconds(c.period), 0, c.from,
                  [&](const Context&) {
                    log.Note();
                    EXPECT_TRUE(SleepFor(Context(), absl::Seconds(c.run_takes)).ok());
                  });
      EXPECT_THAT(log.at, ElementsAreArray(c.starts));
    });
  }
}

// behaviour.md: WAIT-2
TEST(JitterUntilTest, JitterMakesPeriodsLonger) {
  InSim([] {
    std::vector<absl::Duration> starts;
    JitterUntil(WithTimeout(Context(), absl::Seconds(100)), absl::Seconds(10), 0.5,
                PeriodFrom::kEndOfRun, [&](const Context&) { starts.push_back(Elapsed()); });
    ASSERT_GE(starts.size(), 7u);
    for (size_t i = 1; i < starts.size(); ++i) {
      EXPECT_THAT(starts[i] - starts[i - 1], AllOf(Ge(absl::Seconds(10)), Lt(absl::Seconds(15))));
    }
    EXPECT_NE(starts[2] - starts[1], starts[1] - starts[0]);
  });
}

TEST(UntilTest, StopsAtOnceAndDoesNotRunWhenDone) {
  CancelScope scope = WithCancel(Context());
  int runs = 0;
  const auto run = [&](const Context& ctx) {
    EXPECT_FALSE(ctx.done());
    if (++runs == 3) scope.Cancel();
  };
  Until(scope.context(), absl::Nanoseconds(1), run);
  EXPECT_EQ(runs, 3);
  Until(scope.context(), absl::Nanoseconds(1), run);
  EXPECT_EQ(runs, 3);
}

TEST(BackoffUntilTest, PausesGrow) {
  InSim([] {
    Log log;
    BackoffUntil(
        WithTimeout(Context(), absl::Minutes(2)),
        Backoff{.duration = absl::Seconds(1), .factor = 3, .steps = 10, .cap = absl::Seconds(30)}
            .Delay(),
        PeriodFrom::kEndOfRun, [&](const Context&) { log.Note(); });
    EXPECT_THAT(log.at, ElementsAre(0, 1, 4, 13, 40, 70, 100));
  });
}

TEST(PollUntilTest, AsksOnAGrid) {
  const struct {
    const char* name;
    FirstPoll first;
    int interval;
    std::vector<int> calls_take;  // the last one answers true
    std::vector<int> calls_at;
  } cases[] = {
      {"after the interval", FirstPoll::kAfterInterval, 10, {0, 0, 0}, {10, 20, 30}},
      {"at once", FirstPoll::kAtOnce, 10, {0, 0, 0}, {0, 10, 20}},
      {"a call within the interval", FirstPoll::kAtOnce, 10, {4, 4, 4}, {0, 10, 20}},
      {"a call as long as the interval", FirstPoll::kAtOnce, 10, {10, 0, 0}, {0, 10, 20}},
      {"a long call", FirstPoll::kAtOnce, 10, {15, 0, 0}, {0, 15, 20}},
      {"a very long call: one is made up for", FirstPoll::kAtOnce, 10, {45, 0, 0}, {0, 45, 50}},
      {"long calls", FirstPoll::kAfterInterval, 10, {15, 15, 15, 0}, {10, 25, 40, 55}},
      {"no interval", FirstPoll::kAfterInterval, 0, {3, 0, 2, 0}, {0, 3, 3, 5}},
      {"a negative interval", FirstPoll::kAtOnce, -5, {3, 2, 0}, {0, 3, 5}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    InSim([&] {
      Log log;
      EXPECT_EQ(PollUntil(Context(), absl::Seconds(c.interval), c.first,
                          [&](const Context& ctx) -> absl::StatusOr<bool> {
                            const int takes = c.calls_take[log.at.size()];
                            log.Note();
                            EXPECT_TRUE(SleepFor(ctx, absl::Seconds(takes)).ok());
                            return log.at.size() == c.calls_take.size();
                          }),
                absl::OkStatus());
      EXPECT_THAT(log.at, ElementsAreArray(c.calls_at));
    });
  }
}

TEST(PollUntilTest, AnErrorEndsIt) {
  int calls = 0;
  const absl::Status gone = absl::NotFoundError("gone");
  EXPECT_EQ(PollUntil(Context(), absl::Nanoseconds(1), FirstPoll::kAfterInterval,
                      [&](const Context&) -> absl::StatusOr<bool> {
                        if (++calls == 2) return gone;
                        return false;
                      }),
            gone);
  EXPECT_EQ(calls, 2);
}

// behaviour.md: WAIT-2
TEST(PollUntilTest, PollUntil_DoneContext_PollsAtMostOnce) {
  const struct {
    const char* name;
    FirstPoll first;
    bool answer;
    int calls;
    absl::Status want;
  } cases[] = {
      {"is not polled", FirstPoll::kAfterInterval, true, 0, kCancelled},
      {"is polled once", FirstPoll::kAtOnce, false, 1, kCancelled},
      {"is polled once, and that counts", FirstPoll::kAtOnce, true, 1, absl::OkStatus()},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    CancelScope scope = WithCancel(Context());
    scope.Cancel();
    int calls = 0;
    EXPECT_EQ(PollUntil(scope.context(), absl::ZeroDuration(), c.first,
                        [&](const Context&) -> absl::StatusOr<bool> {
                          ++calls;
                          return c.answer;
                        }),
              c.want);
    EXPECT_EQ(calls, c.calls);
  }
}

// behaviour.md: WAIT-2
TEST(PollUntilTimeoutTest, EndsAndTellsTheCondition) {
  InSim([] {
    Log log;
    EXPECT_EQ(
        PollUntilTimeout(Context(), absl::Seconds(10), absl::Seconds(35), FirstPoll::kAfterInterval,
                         [&](const Context& ctx) -> absl::StatusOr<bool> {
                           EXPECT_EQ(ctx.deadline(), MonotonicTime(absl::Seconds(35)));
                           log.Note();
                           return false;
                         }),
        kExceeded);
    EXPECT_THAT(log.at, ElementsAre(10, 20, 30));
    EXPECT_EQ(Elapsed(), absl::Seconds(35));
  });
}

TEST(ExponentialBackoffTest, ExponentialBackoff_GrowsPausesUntilStepsAreUsedUp) {
  const absl::Status timed_out = absl::DeadlineExceededError("timed out waiting for the condition");
  const absl::Status gone = absl::NotFoundError("gone");
  const struct {
    const char* name;
    Backoff backoff;
    absl::StatusOr<bool> last_answer;  // of the third call; the others are false
    absl::Status want;
    std::vector<int> calls_at;
    int ends_at;
  } cases[] = {
      {"true at last",
       {.duration = absl::Seconds(1), .factor = 2, .steps = 5},
       true,
       absl::OkStatus(),
       {0, 1, 3},
       3},
      {"error", {.duration = absl::Seconds(1), .factor = 2, .steps = 5}, gone, gone, {0, 1, 3}, 3},
      {"no tries", {.duration = absl::Seconds(1)}, true, timed_out, {}, 0},
      {"one try", {.duration = absl::Seconds(1), .steps = 1}, true, timed_out, {0}, 0},
      {"used up",
       {.duration = absl::Seconds(1), .factor = 2, .steps = 4},
       false,
       timed_out,
       {0, 1, 3, 7},
       7},
      // The second pause makes the next duration meet the cap, and is the last thing that happens.
      {"cap",
       {.duration = absl::Seconds(1), .factor = 2, .steps = 9, .cap = absl::Seconds(3)},
       true,
       timed_out,
       {0, 1},
       3},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    InSim([&] {
      Log log;
      EXPECT_EQ(ExponentialBackoff(Context(), c.backoff,
                                   [&](const Context&) -> absl::StatusOr<bool> {
                                     log.Note();
                                     if (log.at.size() == 3) return c.last_answer;
                                     return false;
                                   }),
                c.want);
      EXPECT_THAT(log.at, ElementsAreArray(c.calls_at));
      EXPECT_EQ(Elapsed(), absl::Seconds(c.ends_at));
    });
  }
}

TEST(ExponentialBackoffTest, TheContextEndsIt) {
  InSim([] {
    Log log;
    const Context ctx = WithTimeout(Context(), absl::Seconds(2));
    const Backoff backoff{.duration = absl::Seconds(1), .factor = 2, .steps = 5};
    const auto never = [&](const Context&) -> absl::StatusOr<bool> {
      log.Note();
      return false;
    };
    EXPECT_EQ(ExponentialBackoff(ctx, backoff, never), kExceeded);
    EXPECT_EQ(Elapsed(), absl::Seconds(2));
    EXPECT_EQ(ExponentialBackoff(ctx, backoff, never), kExceeded);
    EXPECT_THAT(log.at, ElementsAre(0, 1));
  });
}

}  // namespace
}  // namespace kube::base
