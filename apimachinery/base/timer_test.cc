#include "apimachinery/base/timer.h"

#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::ElementsAre;

class TimerTest : public ::testing::Test {
 protected:
  // A callback that notes its name and the time.
  auto Note(char name) {
    return [this, name] { ran_.emplace_back(name, clock_.Now().since_epoch()); };
  }

  FakeClock clock_;
  RuntimeScope runtime_{clock_};
  std::vector<std::pair<char, absl::Duration>> ran_;
};

TEST_F(TimerTest, RunsOnceWhenItsTimeHasCome) {
  Timer timer;
  timer.Start(absl::Seconds(5), Note('a'));
  clock_.Step(absl::Seconds(5) - absl::Nanoseconds(1));
  EXPECT_THAT(ran_, ElementsAre());
  clock_.Step(absl::Nanoseconds(1));
  clock_.Step(absl::Hours(1));
  EXPECT_THAT(ran_, ElementsAre(std::pair('a', absl::Seconds(5))));
  EXPECT_FALSE(timer.Stop());
}

TEST_F(TimerTest, RunInOrderOfTimeThenOfStart) {
  Timer a, b, c, d;
  a.Start(absl::Seconds(2), Note('a'));
  b.Start(absl::Seconds(1), Note('b'));
  c.Start(absl::Seconds(2), Note('c'));
  d.Start(-absl::Seconds(1), Note('d'));
  clock_.Step(absl::Seconds(2));
  EXPECT_THAT(ran_,
              ElementsAre(std::pair('d', absl::ZeroDuration()), std::pair('b', absl::Seconds(1)),
                          std::pair('a', absl::Seconds(2)), std::pair('c', absl::Seconds(2))));
}

TEST_F(TimerTest, StoppedNeverRuns) {
  Timer timer;
  EXPECT_FALSE(timer.Stop());
  timer.Start(absl::Seconds(1), Note('a'));
  EXPECT_TRUE(timer.Stop());
  EXPECT_FALSE(timer.Stop());
  EXPECT_EQ(clock_.Pending(), 0u);
  {
    Timer dropped;
    dropped.Start(absl::Seconds(1), Note('b'));
  }
  EXPECT_EQ(clock_.Pending(), 0u);
  clock_.Step(absl::Seconds(1));
  EXPECT_THAT(ran_, ElementsAre());
}

TEST_F(TimerTest, StartedAgainForgetsTheFirst) {
  Timer timer;
  timer.Start(absl::Seconds(1), Note('a'));
  timer.Start(absl::Seconds(3), Note('b'));
  clock_.Step(absl::Seconds(5));
  timer.Start(absl::Seconds(1), Note('c'));
  clock_.Step(absl::Seconds(5));
  EXPECT_THAT(ran_,
              ElementsAre(std::pair('b', absl::Seconds(3)), std::pair('c', absl::Seconds(6))));
}

TEST_F(TimerTest, MoveAndAssign) {
  Timer first;
  first.Start(absl::Seconds(1), Note('a'));
  Timer moved = std::move(first);
  EXPECT_FALSE(first.Stop());  // NOLINT(bugprone-use-after-move)
  Timer assigned;
  assigned.Start(absl::Seconds(1), Note('b'));
  assigned = std::move(moved);  // stops b
  clock_.Step(absl::Seconds(1));
  EXPECT_THAT(ran_, ElementsAre(std::pair('a', absl::Seconds(1))));
}

TEST_F(TimerTest, StopsOnTheClockThatItWasStartedOn) {
  Timer timer;
  timer.Start(absl::Seconds(1), Note('a'));
  FakeClock other;
  const RuntimeScope scope(other);
  EXPECT_TRUE(timer.Stop());
  EXPECT_EQ(clock_.Pending(), 0u);
}

TEST(RealTimerTest, ACallbackMayStopItsOwnTimer) {
  // For ThreadSanitizer: it may run before Start has returned.
  for (int round = 0; round < 200; ++round) {
    Event ran;
    Timer timer;
    timer.Start(absl::ZeroDuration(), [&] {
      EXPECT_FALSE(timer.Stop());
      ran.Set();
    });
    ASSERT_THAT(ran.Wait(Context()), IsOk());
  }
}

TEST(RealTimerTest, StopWaitsForARunEvenIfTheCallbackStoppedItsTimer) {
  for (int round = 0; round < 100; ++round) {
    Event stopped;
    int after = 0;  // not atomic: ThreadSanitizer sees a run that outlives the timer
    {
      Timer timer;
      timer.Start(absl::ZeroDuration(), [&] {
        timer.Stop();
        stopped.Set();
        ++after;
      });
      ASSERT_THAT(stopped.Wait(Context()), IsOk());
    }
    EXPECT_EQ(after, 1);
  }
}

TEST(RealTimerTest, AnEarlierTimerOvertakesALaterOne) {
  Timer later;
  later.Start(absl::Hours(1), [] { ADD_FAILURE() << "an hour has not passed"; });
  Event ran;
  Timer timer;
  timer.Start(absl::Milliseconds(1), [&] { ran.Set(); });
  EXPECT_THAT(ran.Wait(Context()), IsOk());
}

}  // namespace
}  // namespace kube::base
