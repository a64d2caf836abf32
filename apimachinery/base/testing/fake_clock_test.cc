#include "apimachinery/base/testing/fake_clock.h"

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/timer.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(FakeClockTest, BlockUntilSeesATimerThatIsNotTheFirst) {
  // Several rounds, because the watcher may be slow to get from its event to its wait. A wait that
  // nothing ends exceeds the time limit of the test.
  for (int round = 0; round < 20; ++round) {
    FakeClock clock;
    RuntimeScope scope(clock);
    Timer first;
    first.Start(absl::Seconds(1), [] {});
    Event watching;
    Thread watcher;
    ASSERT_THAT(watcher.Start(Context(), "watcher",
                              [&](const Context&) {
                                watching.Set();
                                EXPECT_THAT(clock.BlockUntil(2, absl::Hours(1)), IsOk());
                              }),
                IsOk());
    ASSERT_THAT(watching.Wait(Context()), IsOk());
    Timer second;
    second.Start(absl::Seconds(2), [] {});
    watcher.Join();
  }
}

TEST(FakeClockTest, TimeNeverGoesBack) {
  FakeClock clock;
  RuntimeScope scope(clock);
  Timer timer;
  timer.Start(absl::Seconds(1), [&] { clock.Step(absl::Seconds(10)); });
  clock.Step(absl::Seconds(2));
  EXPECT_EQ(clock.Now().since_epoch(), absl::Seconds(11));
}

TEST(FakeClockTest, BothClocksMoveByStepsAlone) {
  FakeClock clock(absl::FromUnixSeconds(1000));
  EXPECT_EQ(clock.Now(), MonotonicTime());
  EXPECT_EQ(clock.WallNow(), absl::FromUnixSeconds(1000));
  clock.Step(absl::Seconds(7));
  clock.Step(absl::ZeroDuration());
  EXPECT_EQ(clock.Now(), MonotonicTime(absl::Seconds(7)));
  EXPECT_EQ(clock.WallNow(), absl::FromUnixSeconds(1007));
}

TEST(FakeClockTest, TheTimeOfDayMayJump) {
  FakeClock clock;
  clock.Step(absl::Seconds(7));
  clock.SetWallTime(absl::FromUnixSeconds(500));
  EXPECT_EQ(clock.Now(), MonotonicTime(absl::Seconds(7)));
  EXPECT_EQ(clock.WallNow(), absl::FromUnixSeconds(500));
  clock.Step(absl::Seconds(1));
  EXPECT_EQ(clock.WallNow(), absl::FromUnixSeconds(501));
}

TEST(FakeClockTest, TheSeedDecidesRandomNumbers) {
  FakeClock one(absl::UnixEpoch(), 1);
  FakeClock same(absl::UnixEpoch(), 1);
  FakeClock other(absl::UnixEpoch(), 2);
  const uint64_t first = one.Random();
  EXPECT_EQ(first, same.Random());
  EXPECT_NE(first, other.Random());
  EXPECT_NE(first, one.Random());
}

TEST(FakeClockTest, AStepWakesThoseWhoseTimeHasCome) {
  FakeClock clock;
  const RuntimeScope scope(clock);
  std::atomic<int> awake = 0;
  ThreadGroup sleepers{Context()};
  // Two have the same deadline; one has none, and is not counted.
  for (const int seconds : {1, 2, 2, 3}) {
    sleepers.Go("sleeper", [&awake, seconds](const Context& ctx) {
      absl::Status status = SleepFor(ctx, absl::Seconds(seconds));
      ++awake;
      return status;
    });
  }
  CancelScope endless = WithCancel(Context());
  sleepers.Go("endless", [&](const Context&) {
    EXPECT_THAT(WaitUntilDone(endless.context()), StatusIs(absl::StatusCode::kCancelled));
    return absl::OkStatus();
  });
  ASSERT_THAT(clock.BlockUntil(4), IsOk());
  EXPECT_EQ(clock.Pending(), 4u);
  clock.Step(absl::Seconds(2));
  EXPECT_EQ(clock.Pending(), 1u);
  clock.Step(absl::Seconds(1));
  EXPECT_EQ(clock.Pending(), 0u);
  endless.Cancel();
  EXPECT_THAT(sleepers.Wait(), IsOk());
  EXPECT_EQ(awake, 4);
}

TEST(FakeClockTest, AStepRunsEachTimerAtItsOwnTime) {
  FakeClock clock;
  const RuntimeScope scope(clock);
  std::vector<absl::Duration> at;
  Timer second;
  Timer first;
  first.Start(absl::Seconds(2), [&] {
    at.push_back(clock.Now().since_epoch());
    second.Start(absl::Seconds(3), [&] { at.push_back(clock.Now().since_epoch()); });
  });
  clock.Step(absl::Seconds(10));
  EXPECT_THAT(at, testing::ElementsAre(absl::Seconds(2), absl::Seconds(5)));
  EXPECT_EQ(clock.Now(), MonotonicTime(absl::Seconds(10)));
}

TEST(FakeClockTest, BlockUntilLosesPatience) {
  FakeClock clock;
  EXPECT_THAT(clock.BlockUntil(1, absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       "wait for 1 sleepers on FakeClock: there are 0"));
}

TEST(FakeClockDeathTest, StepsForwardAndNotForEver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(FakeClock().Step(-absl::Seconds(1)), "step FakeClock by -1s");
  EXPECT_DEATH(FakeClock().Step(absl::InfiniteDuration()), "step FakeClock by inf");
}

}  // namespace
}  // namespace kube::base
