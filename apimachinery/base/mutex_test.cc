#include "apimachinery/base/mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::ElementsAre;

TEST(MutexTest, OnlyOneHolds) {
  Mutex mutex;
  int count = 0;  // not atomic, so that ThreadSanitizer reports a race
  ThreadGroup group{Context()};
  for (int t = 0; t < 4; ++t) {
    group.Go("adder", [&](const Context&) {
      for (int i = 0; i < 1000; ++i) {
        MutexLock lock(mutex);
        ++count;
      }
      return absl::OkStatus();
    });
  }
  ASSERT_TRUE(group.Wait().ok());
  EXPECT_EQ(count, 4000);
}

TEST(MutexTest, TryLock_WhileHeldElsewhere_Fails) {
  Mutex mutex;
  bool taken_elsewhere = true;
  const auto try_elsewhere = [&] {
    Thread thread;
    ASSERT_TRUE(thread
                    .Start(Context(), "trier",
                           [&](const Context&) {
                             taken_elsewhere = false;
                             if (mutex.TryLock()) {
                               taken_elsewhere = true;
                               mutex.Unlock();
                             }
                           })
                    .ok());
  };
  {
    MutexLock lock(mutex);
    mutex.AssertHeld();
    try_elsewhere();
    EXPECT_FALSE(taken_elsewhere);
  }
  try_elsewhere();
  EXPECT_TRUE(taken_elsewhere);
}

// A number of items, of which a thread waits for the first.
class Items {
 public:
  void Add() {
    MutexLock lock(mutex_);
    ++count_;
    changed_.NotifyAll();
  }
  absl::Status WaitForOne(const Context& ctx) {
    MutexLock lock(mutex_);
    return changed_.Wait(ctx, mutex_,
                         [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return count_ > 0; });
  }

 private:
  CondVar changed_;
  Mutex mutex_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(CondVarTest, WaitsForAConditionThatTheMutexGuards_AsInTheHeader) {
  Items items;
  ThreadGroup group{Context()};
  group.Go("waiter", [&](const Context& ctx) { return items.WaitForOne(ctx); });
  items.Add();
  EXPECT_EQ(group.Wait(), absl::OkStatus());
}

// A number for whose values threads wait.
struct Level {
  Mutex mutex;
  CondVar changed;
  int value ABSL_GUARDED_BY(mutex) = 0;

  void Set(int to) {
    MutexLock lock(mutex);
    value = to;
    changed.NotifyAll();
  }
  absl::Status WaitFor(const Context& ctx, int at_least) {
    MutexLock lock(mutex);
    return changed.Wait(ctx, mutex, [this, at_least]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
      return value >= at_least;
    });
  }
  bool WaitFor(const Context& ctx, int at_least, MonotonicTime deadline) {
    MutexLock lock(mutex);
    return changed.WaitUntil(
        ctx, mutex, deadline,
        [this, at_least]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return value >= at_least; });
  }
};

TEST(CondVarTest, WaitAnswersByWhatEndedIt) {
  const struct {
    const char* name;
    int value;
    bool cancelled;
    absl::StatusCode want;
  } cases[] = {
      {"condition holds", 1, false, absl::StatusCode::kOk},
      {"condition wins over a done context", 1, true, absl::StatusCode::kOk},
      {"context is done", 0, true, absl::StatusCode::kCancelled},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    Level level;
    level.Set(c.value);
    CancelScope scope = WithCancel(Context());
    if (c.cancelled) scope.Cancel();
    EXPECT_EQ(level.WaitFor(scope.context(), 1).code(), c.want);
  }
}

TEST(CondVarTest, WaitEndsByNotificationOrCancellation) {
  for (const bool cancel : {false, true}) {
    SCOPED_TRACE(cancel ? "cancelled" : "notified");
    Level level;
    CancelScope scope = WithCancel(Context());
    absl::Status result = absl::UnknownError("not set");
    Thread waiter;
    ASSERT_TRUE(waiter
                    .Start(Context(), "waiter",
                           [&](const Context&) { result = level.WaitFor(scope.context(), 1); })
                    .ok());
    if (cancel) {
      scope.Cancel();
    } else {
      level.Set(1);
    }
    waiter.Join();
    EXPECT_EQ(result.code(), cancel ? absl::StatusCode::kCancelled : absl::StatusCode::kOk);
  }
}

TEST(CondVarTest, WaitUntil_OnAFakeClock_EndsAtTheEarlierDeadline) {
  const struct {
    const char* name;
    absl::Duration context;
    absl::Duration deadline;
    absl::Duration ends_at;
  } cases[] = {
      {"own deadline", absl::InfiniteDuration(), absl::Seconds(5), absl::Seconds(5)},
      {"own deadline first", absl::Seconds(9), absl::Seconds(5), absl::Seconds(5)},
      {"context's deadline first", absl::Seconds(3), absl::Seconds(5), absl::Seconds(3)},
      {"context's deadline alone", absl::Seconds(3), absl::InfiniteDuration(), absl::Seconds(3)},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    FakeClock clock;
    RuntimeScope runtime(clock);
    Level level;
    std::optional<bool> result;
    Thread waiter;
    ASSERT_TRUE(waiter
                    .Start(WithTimeout(Context(), c.context), "waiter",
                           [&](const Context& ctx) {
                             result = level.WaitFor(ctx, 1, MonotonicTime(c.deadline));
                           })
                    .ok());
    ASSERT_EQ(clock.BlockUntil(1), absl::OkStatus());
    clock.Step(c.ends_at - absl::Nanoseconds(1));
    EXPECT_EQ(clock.Pending(), 1u);
    clock.Step(absl::Nanoseconds(1));
    waiter.Join();
    EXPECT_EQ(result, false);
    EXPECT_EQ(clock.Pending(), 0u);
  }
}

TEST(CondVarTest, AConditionThatComesTrueEndsAWaitWithADeadline) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  Level level;
  std::optional<bool> result;
  Thread waiter;
  ASSERT_TRUE(waiter
                  .Start(Context(), "waiter",
                         [&](const Context& ctx) {
                           result = level.WaitFor(ctx, 1, MonotonicTime(absl::Seconds(5)));
                         })
                  .ok());
  ASSERT_EQ(clock.BlockUntil(1), absl::OkStatus());
  level.Set(1);
  waiter.Join();
  EXPECT_EQ(result, true);
  EXPECT_EQ(clock.Pending(), 0u);
}

TEST(CondVarTest, APassedDeadlineDoesNotWait) {
  Level level;
  EXPECT_FALSE(level.WaitFor(Context(), 1, Now()));
  level.Set(1);
  EXPECT_TRUE(level.WaitFor(Context(), 1, Now() - absl::Hours(1)));
}

// Threads that take numbered turns: each waits once, and goes on only when notified.
struct Turnstile {
  Mutex mutex;
  CondVar open;
  CondVar arrived;
  int waiting ABSL_GUARDED_BY(mutex) = 0;
  int passes ABSL_GUARDED_BY(mutex) = 0;
  std::vector<int> passed ABSL_GUARDED_BY(mutex);

  void Pass(int who) {
    MutexLock lock(mutex);
    ++waiting;
    arrived.NotifyAll();
    EXPECT_EQ(open.Wait(Context(), mutex,
                        [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return passes > 0; }),
              absl::OkStatus());
    --passes;
    passed.push_back(who);
    arrived.NotifyAll();
  }
  void AwaitWaiting(int n) {
    MutexLock lock(mutex);
    EXPECT_EQ(
        arrived.Wait(Context(), mutex,
                     [this, n]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return waiting == n; }),
        absl::OkStatus());
  }
  void AwaitPassed(size_t n) {
    MutexLock lock(mutex);
    EXPECT_EQ(arrived.Wait(Context(), mutex,
                           [this, n]()
                               ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return passed.size() == n; }),
              absl::OkStatus());
  }
  std::vector<int> Passed() {
    MutexLock lock(mutex);
    return passed;
  }
};

TEST(CondVarTest, NotifyOneWakesTheLongestWaiter) {
  Turnstile turnstile;
  ThreadGroup group{Context()};
  for (int i = 0; i < 3; ++i) {
    group.Go("waiter", [&turnstile, i](const Context&) {
      turnstile.Pass(i);
      return absl::OkStatus();
    });
    turnstile.AwaitWaiting(i + 1);
  }
  for (size_t i = 0; i < 3; ++i) {
    {
      MutexLock lock(turnstile.mutex);
      ++turnstile.passes;
    }
    turnstile.open.NotifyOne();  // without the lock
    turnstile.AwaitPassed(i + 1);
  }
  EXPECT_TRUE(group.Wait().ok());
  EXPECT_THAT(turnstile.Passed(), ElementsAre(0, 1, 2));
}

TEST(CondVarTest, NotifyAllWakesAll) {
  Turnstile turnstile;
  ThreadGroup group{Context()};
  for (int i = 0; i < 5; ++i) {
    group.Go("waiter", [&turnstile, i](const Context&) {
      turnstile.Pass(i);
      return absl::OkStatus();
    });
  }
  turnstile.AwaitWaiting(5);
  {
    MutexLock lock(turnstile.mutex);
    turnstile.passes = 5;
    turnstile.open.NotifyAll();  // under the lock
  }
  EXPECT_TRUE(group.Wait().ok());
  EXPECT_EQ(turnstile.Passed().size(), 5u);
}

TEST(CondVarTest, NotificationsWithoutWaitersAreNotKept) {
  FakeClock clock;
  RuntimeScope runtime(clock);
  Mutex mutex;
  CondVar changed;
  changed.NotifyOne();
  changed.NotifyAll();
  std::atomic<bool> returned = false;
  Thread waiter;
  ASSERT_TRUE(waiter
                  .Start(Context(), "waiter",
                         [&](const Context& ctx) {
                           MutexLock lock(mutex);
                           changed.WaitOnce(ctx, mutex, MonotonicTime(absl::Seconds(1)));
                           returned = true;
                         })
                  .ok());
  ASSERT_EQ(clock.BlockUntil(1), absl::OkStatus());
  EXPECT_FALSE(returned);
  clock.Step(absl::Seconds(1));
  waiter.Join();
  EXPECT_TRUE(returned);
}

TEST(CondVarTest, AWaiterThatLeavesDoesNotSwallowANotification) {
  // One thread waits with a context that ends, and one without. Whichever gets the notification,
  // the announced item is taken.
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SimRuntime sim({.seed = seed});
    int taken = 0;
    ASSERT_EQ(sim.Run([&] {
      Mutex mutex;
      CondVar filled;
      int items = 0;
      const auto take = [&](const Context& ctx) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        MutexLock lock(mutex);
        if (!filled.Wait(ctx, mutex, [&] { return items > 0; }).ok()) return;
        --items;
        ++taken;
      };
      CancelScope scope = WithCancel(Context());
      Thread leaver;
      Thread stayer;
      ASSERT_TRUE(leaver.Start(scope.context(), "leaver", take).ok());
      ASSERT_TRUE(stayer.Start(Context(), "stayer", take).ok());
      Thread canceller;
      ASSERT_TRUE(
          canceller.Start(Context(), "canceller", [&](const Context&) { scope.Cancel(); }).ok());
      {
        MutexLock lock(mutex);
        ++items;
        filled.NotifyOne();
      }
      canceller.Join();
      leaver.Join();
      {
        MutexLock lock(mutex);
        if (taken == 1) {  // by the leaver, so the stayer still waits
          ++items;
          filled.NotifyOne();
        }
      }
      stayer.Join();
    }),
              absl::OkStatus());
    EXPECT_GE(taken, 1);
  }
}

TEST(CondVarStressTest, NoWakeUpIsLost) {
  // Two threads take turns. Each turn sends one notification, half of them without the lock.
  Mutex mutex;
  CondVar moved;
  int turn = 0;
  constexpr int kRounds = 2000;
  ThreadGroup group{Context()};
  for (int me = 0; me < 2; ++me) {
    group.Go("player", [&, me](const Context& ctx) {
      for (int round = 0; round < kRounds; ++round) {
        {
          MutexLock lock(mutex);
          absl::Status s = moved.Wait(ctx, mutex, [&] { return turn % 2 == me; });
          if (!s.ok()) return s;
          ++turn;
          if (round % 2 == 0) moved.NotifyOne();
        }
        if (round % 2 == 1) moved.NotifyOne();
      }
      return absl::OkStatus();
    });
  }
  ASSERT_EQ(group.Wait(), absl::OkStatus());
  EXPECT_EQ(turn, 2 * kRounds);
}

TEST(CondVarStressTest, WaitersComeAndGoAmidNotifications) {
  // Waits end by cancellation, by deadline and by notification at the same time.
  Level level;
  std::atomic<bool> over = false;
  ThreadGroup waiters{Context()};
  for (int t = 0; t < 3; ++t) {
    waiters.Go("waiter", [&, t](const Context& ctx) {
      for (int i = 0; i < 200; ++i) {
        CancelScope scope = WithCancel(ctx);
        Thread canceller;
        if (t == 0) {
          absl::Status s =
              canceller.Start(ctx, "canceller", [&](const Context&) { scope.Cancel(); });
          if (!s.ok()) return s;
        }
        if (t == 1) {
          level.WaitFor(scope.context(), 1, Now() + absl::Microseconds(i));
        } else {
          level.WaitFor(scope.context(), 1).IgnoreError();
        }
      }
      return absl::OkStatus();
    });
  }
  Thread notifier;
  ASSERT_TRUE(notifier
                  .Start(Context(), "notifier",
                         [&](const Context&) {
                           for (int i = 0; !over; ++i) level.Set(i % 2);
                         })
                  .ok());
  EXPECT_EQ(waiters.Wait(), absl::OkStatus());
  over = true;
}

}  // namespace
}  // namespace kube::base
