#include "apimachinery/base/timer.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// ThreadSanitizer ends a forked process that starts threads, unless told otherwise.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

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

TEST_F(TimerTest, SetsAnEventAfterTheDelay_AsInTheHeader) {
  Event idle;
  Timer timer;  // declared after what its callback uses
  timer.Start(absl::Seconds(30), [&] { idle.Set(); });
  clock_.Step(absl::Seconds(29));
  EXPECT_FALSE(idle.IsSet());
  clock_.Step(absl::Seconds(1));
  EXPECT_TRUE(idle.IsSet());
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

TEST_F(TimerTest, Assign_MovedTimer_StopsThePreviousOne) {
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

// Returns whether `body` returns true in a forked child.
bool HoldsInAChild(absl::FunctionRef<bool()> body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body() ? 0 : 1);
  }
  int how = -1;
  return child > 0 && waitpid(child, &how, 0) == child && how == 0;
}

// Returns whether the event is set, without using timers.
bool Comes(const Event& event) {
  return event.Wait(WithTimeout(Context(), absl::Seconds(20))).ok();
}

bool ATimerRuns() {
  Event ran;
  Timer timer;
  timer.Start(absl::Milliseconds(1), [&] { ran.Set(); });
  return Comes(ran);
}

bool ADeadlineIsTold() {
  const Context ctx = WithTimeout(Context(), absl::Milliseconds(1));
  Event told;
  const DoneCallback callback = ctx.OnDone([&] { told.Set(); });
  Event stopped;
  const std::stop_callback stop(ctx.stop_token(), [&] { stopped.Set(); });
  return Comes(told) && Comes(stopped);
}

// The thread that runs timers is not copied by fork.
TEST(ForkTest, TimersRunInAChild) {
  ASSERT_TRUE(ATimerRuns());
  EXPECT_TRUE(HoldsInAChild(&ATimerRuns));
  EXPECT_TRUE(HoldsInAChild(&ADeadlineIsTold));
  EXPECT_TRUE(HoldsInAChild([] { return ATimerRuns() && HoldsInAChild(&ATimerRuns); }));
  EXPECT_TRUE(ATimerRuns());
}

TEST(ForkTest, AChildHasNoTimersOfItsParent) {
  std::atomic<bool> ran = false;
  std::atomic<bool> told = false;
  const Context ctx = WithTimeout(Context(), absl::Milliseconds(300));
  const DoneCallback callback = ctx.OnDone([&] { told = true; });
  Timer timer;
  timer.Start(absl::Milliseconds(300), [&] { ran = true; });
  const auto they_run = [&] {
    Event later;
    Timer after;
    after.Start(absl::Milliseconds(350), [&] { later.Set(); });
    return Comes(later) && ran && told;
  };
  EXPECT_TRUE(HoldsInAChild([&] {
    // On a very busy machine they may have run before the fork.
    return ran || told || !they_run();
  }));
  EXPECT_TRUE(they_run());
}

// A process that forks children may give them a context with a deadline.
TEST(ForkTest, AContextOfTheParentEndsInAChild) {
  const Context ctx = WithTimeout(Context(), absl::Milliseconds(300));
  const DoneCallback parents = ctx.OnDone([] {});
  EXPECT_TRUE(HoldsInAChild([&] {
    Event done;
    const DoneCallback callback = ctx.OnDone([&] { done.Set(); });
    return Comes(done);
  }));
}

// Another thread may hold the lock of the timers at the moment of the fork.
TEST(ForkTest, TimersRunInAChildThatWasForkedWhileTheyWereLocked) {
  ASSERT_TRUE(ATimerRuns());
  std::atomic<bool> stop = false;
  // It allocates nothing: the heap of a sanitizer may not survive a fork.
  std::thread locks([&] {
    while (!stop) Runtime::Real().timers().Remove({});
  });
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(HoldsInAChild(&ATimerRuns)) << i;
  stop = true;
  locks.join();
}

}  // namespace
}  // namespace kube::base
