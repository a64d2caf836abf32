#include "apimachinery/base/sim_runtime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/timer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

void Sleep(absl::Duration d) {
  Mutex mutex;
  CondVar never;
  MutexLock lock(mutex);
  const MonotonicTime until = Now() + d;
  EXPECT_FALSE(never.WaitUntil(Context(), mutex, until, [] { return false; }));
}

TEST(SimRuntimeTest, RunsMainAndReturns) {
  SimRuntime sim;
  bool ran = false;
  EXPECT_TRUE(sim.Run([&] {
                   ran = true;
                   EXPECT_EQ(&Runtime::Current(), &sim);
                 })
                  .ok());
  EXPECT_TRUE(ran);
  EXPECT_NE(&Runtime::Current(), &sim);
}

// Hands one item from a thread to another.
void RunMyController() {
  BoundedQueue<int> queue(1, WhenFull::kBlock);
  Thread producer;
  ASSERT_THAT(producer.Start(Context(), "producer",
                             [&](const Context& ctx) { EXPECT_THAT(queue.Push(ctx, 1), IsOk()); }),
              IsOk());
  EXPECT_THAT(queue.Pop(Context()), IsOkAndHolds(1));
}

TEST(SimRuntimeTest, EverySeedRunsTheProgramToItsEnd_AsInTheHeader) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SimRuntime sim({.seed = seed});
    const absl::Status status = sim.Run([] { RunMyController(); });
    ASSERT_THAT(status, IsOk());  // the message has the seed
  }
}

TEST(SimRuntimeTest, VirtualTimeMovesOnlyWhenAllWait) {
  SimRuntime sim;
  std::vector<int64_t> seconds;
  ASSERT_TRUE(sim.Run([&] {
                   const absl::Time wall = WallNow();
                   Sleep(absl::Hours(1));
                   seconds.push_back(absl::ToInt64Seconds(Now().since_epoch()));
                   EXPECT_EQ(WallNow() - wall, absl::Hours(1));
                   Sleep(absl::Hours(24 * 365));
                   seconds.push_back(absl::ToInt64Seconds(Now().since_epoch()));
                 })
                  .ok());
  EXPECT_THAT(seconds, ElementsAre(3600, 3600 + 24 * 365 * 3600));
}

TEST(SimRuntimeTest, AnHourOfTicksIsCheap) {
  // 3,600 sleeps of a second on four threads: the step count shows that nothing polls.
  SimRuntime sim;
  ASSERT_TRUE(sim.Run([&] {
                   ThreadGroup group{Context()};
                   for (int i = 0; i < 4; ++i) {
                     group.Go("ticker", [](const Context&) {
                       for (int tick = 0; tick < 3600; ++tick) Sleep(absl::Seconds(1));
                       return absl::OkStatus();
                     });
                   }
                   EXPECT_TRUE(group.Wait().ok());
                   EXPECT_EQ(Now().since_epoch(), absl::Hours(1));
                 })
                  .ok());
  EXPECT_LT(sim.steps(), 4 * 3600 * 3);
}

// Three threads that log in the order in which they run.
std::string Interleaving(SimRuntime& sim) {
  std::string order;
  Mutex mutex;
  EXPECT_TRUE(sim.Run([&] {
                   ThreadGroup group{Context()};
                   for (char name : {'a', 'b', 'c'}) {
                     group.Go(std::string(1, name), [&, name](const Context&) {
                       for (int i = 0; i < 5; ++i) {
                         MutexLock lock(mutex);
                         order += name;
                         order += static_cast<char>('0' + Runtime::Current().Random() % 10);
                       }
                       return absl::OkStatus();
                     });
                   }
                   EXPECT_TRUE(group.Wait().ok());
                 })
                  .ok());
  return order;
}

TEST(SimRuntimeTest, Run_SameSeed_HasTheSameTraceByteForByte) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SimRuntime first({.seed = seed, .keep_trace = true});
    SimRuntime second({.seed = seed, .keep_trace = true});
    const std::string order = Interleaving(first);
    EXPECT_EQ(order, Interleaving(second)) << "seed " << seed;
    EXPECT_EQ(first.trace(), second.trace()) << "seed " << seed;
    EXPECT_EQ(first.fingerprint(), second.fingerprint()) << "seed " << seed;
    EXPECT_THAT(first.trace(), HasSubstr("run thread 2 \"a\"")) << "seed " << seed;
  }
}

TEST(SimRuntimeTest, Run_OtherSeed_InterleavesOtherwise) {
  SimRuntime one({.seed = 1});
  SimRuntime two({.seed = 2});
  EXPECT_NE(Interleaving(one), Interleaving(two));
  EXPECT_NE(one.fingerprint(), two.fingerprint());
}

TEST(SimRuntimeTest, FingerprintDoesNotDependOnKeepingTheTrace) {
  SimRuntime kept({.seed = 7, .keep_trace = true});
  SimRuntime hashed({.seed = 7});
  Interleaving(kept);
  Interleaving(hashed);
  EXPECT_EQ(kept.fingerprint(), hashed.fingerprint());
  EXPECT_EQ(hashed.trace(), "");
}

// A bank with a mistake of order: it checks the balance, releases the lock, and then withdraws.
class Bank {
 public:
  explicit Bank(bool correct) : correct_(correct) {}

  void Transfer(int from, int to, int amount) {
    if (correct_) {
      MutexLock lock(mutex_);
      if (balance_[from] >= amount) Move(from, to, amount);
      return;
    }
    bool enough = false;
    {
      MutexLock lock(mutex_);
      enough = balance_[from] >= amount;
    }
    if (enough) {
      MutexLock lock(mutex_);
      Move(from, to, amount);
    }
  }

  bool Overdrawn() {
    MutexLock lock(mutex_);
    return overdrawn_;
  }

 private:
  void Move(int from, int to, int amount) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    balance_[from] -= amount;
    balance_[to] += amount;
    overdrawn_ |= balance_[from] < 0;
  }

  const bool correct_;
  Mutex mutex_;
  int balance_[2] ABSL_GUARDED_BY(mutex_) = {100, 100};
  bool overdrawn_ ABSL_GUARDED_BY(mutex_) = false;
};

// The seed's outcome and trace.
std::pair<bool, std::string> RunBank(uint64_t seed, bool correct) {
  SimRuntime sim({.seed = seed, .keep_trace = true});
  Bank bank(correct);
  EXPECT_TRUE(sim.Run([&] {
                   ThreadGroup group{Context()};
                   for (int clerk = 0; clerk < 2; ++clerk) {
                     group.Go(absl::StrCat("clerk ", clerk), [&](const Context&) {
                       bank.Transfer(0, 1, 80);
                       return absl::OkStatus();
                     });
                   }
                   EXPECT_TRUE(group.Wait().ok());
                 })
                  .ok());
  return {bank.Overdrawn(), sim.trace()};
}

TEST(SimRuntimeTest, FindsAPlantedMistakeOfOrderWithinAThousandSeedsAndReplaysIt) {
  std::optional<uint64_t> found;
  for (uint64_t seed = 1; seed <= 1000 && !found.has_value(); ++seed) {
    if (RunBank(seed, /*correct=*/false).first) found = seed;
  }
  ASSERT_TRUE(found.has_value());
  RecordProperty("seed", static_cast<int>(*found));
  const auto replayed = RunBank(*found, /*correct=*/false);
  EXPECT_TRUE(replayed.first);
  EXPECT_EQ(replayed.second, RunBank(*found, /*correct=*/false).second);
}

TEST(SimRuntimeTest, TheCorrectBankIsNeverOverdrawn) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    ASSERT_FALSE(RunBank(seed, /*correct=*/true).first) << "seed " << seed;
  }
}

TEST(SimRuntimeTest, LostWakeupIsFoundAsADeadlock) {
  // A consumer that checks, releases the lock and then waits without checking again. Mutexes of a
  // stuck run may be held for ever, so they are leaked.
  struct State {
    Mutex mutex;
    CondVar filled;
    int items ABSL_GUARDED_BY(mutex) = 0;
  };
  static std::vector<State*>* const states = new std::vector<State*>;
  absl::Status failure;
  for (uint64_t seed = 1; seed <= 1000 && failure.ok(); ++seed) {
    SimRuntime sim({.seed = seed});
    State& state = *states->emplace_back(new State);
    failure = sim.Run([&] {
      Thread consumer;
      KUBE_CHECK_OK(consumer.Start(Context(), "consumer", [&](const Context&) {
        bool empty = false;
        {
          MutexLock lock(state.mutex);
          empty = state.items == 0;
        }
        if (!empty) return;
        MutexLock lock(state.mutex);
        state.filled.WaitOnce(Context(), state.mutex, MonotonicTime::Infinite());
      }));
      {
        MutexLock lock(state.mutex);
        ++state.items;
        state.filled.NotifyOne();
      }
      consumer.Join();
    });
  }
  EXPECT_EQ(failure.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(
      std::string(failure.message()),
      AllOf(HasSubstr("deadlock"), HasSubstr("\"consumer\" waits for CondVar at"),
            HasSubstr(
                "\"main\" waits for the end of thread 2 \"consumer\" at sim_runtime_test.cc:")));
}

TEST(SimRuntimeTest, DeadlockOfTwoMutexesNamesTheHolders) {
  struct State {
    Mutex a;
    Mutex b;
  };
  static std::vector<State*>* const states = new std::vector<State*>;
  std::string report;
  for (uint64_t seed = 1; seed <= 1000 && report.empty(); ++seed) {
    SimRuntime sim({.seed = seed});
    State& state = *states->emplace_back(new State);
    report = std::string(sim.Run([&] {
                              ThreadGroup group{Context()};
                              group.Go("ab", [&](const Context&) {
                                MutexLock first(state.a);
                                MutexLock second(state.b);
                                return absl::OkStatus();
                              });
                              group.Go("ba", [&](const Context&) {
                                MutexLock first(state.b);
                                MutexLock second(state.a);
                                return absl::OkStatus();
                              });
                              EXPECT_TRUE(group.Wait().ok());
                            })
                             .message());
  }
  EXPECT_THAT(report, AllOf(HasSubstr("deadlock"), HasSubstr("waits for Mutex at"),
                            HasSubstr("held by thread"), HasSubstr("sim_runtime_test.cc:")));
}

TEST(SimRuntimeTest, LivelockIsReported) {
  static Event* const never = new Event;
  SimRuntime sim({.max_steps_without_time = 1000});
  const absl::Status status = sim.Run([&] {
    // Waits for a time that has come, for ever.
    while (!never->IsSet()) {
      Runtime::Current().Park(Now(), {"now", SourceLocation::Current()});
    }
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("livelock"));
}

TEST(SimRuntimeTest, AnUnparkThatComesBeforeTheParkIsKept) {
  // Another thread may run between the moment when a waiter is listed and its Park.
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&] {
      Waiter& self = Runtime::Current().ThisThread();
      Thread waker;
      KUBE_CHECK_OK(waker.Start(Context(), "waker", [&](const Context&) { self.Unpark(); }));
      sim.Yield();
      Runtime::Current().Park(MonotonicTime::Infinite(), {"waker", SourceLocation::Current()});
    }),
                IsOk());
  }
}

TEST(SimRuntimeTest, ADeadlockBesideATickerIsReported) {
  static Event* const never = new Event;
  SimRuntime sim({.max_steps = 1000});
  EXPECT_THAT(sim.Run([] {
    Thread ticker;
    KUBE_CHECK_OK(ticker.Start(Context(), "ticker", [](const Context& ctx) {
      while (!ctx.done()) Sleep(absl::Seconds(1));
    }));
    EXPECT_THAT(never->Wait(Context()), IsOk());
  }),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr("not finished after 1000 steps"),
                             HasSubstr("\"main\" waits for CondVar at sim_runtime_test.cc:"))));
}

TEST(SimRuntimeTest, TheReportNamesTheThreadThatIsJoined) {
  static Event* const never = new Event;
  SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    Thread worker;
    KUBE_CHECK_OK(worker.Start(
        Context(), "worker", [](const Context&) { EXPECT_THAT(never->Wait(Context()), IsOk()); }));
    worker.Join();
  }),
              StatusIs(absl::StatusCode::kAborted,
                       HasSubstr("\"main\" waits for the end of thread 2 \"worker\"")));
}

TEST(SimRuntimeTest, Run_WithoutALimitOfRealTime_Ends) {
  SimRuntime sim({.max_real_time_of_a_step = absl::InfiniteDuration()});
  EXPECT_THAT(sim.Run([] { Sleep(absl::Hours(1)); }), IsOk());
}

TEST(SimRuntimeDeathTest, AThreadThatOnlyLooksAtTheClockIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimRuntime sim({.max_real_time_of_a_step = absl::Milliseconds(200)});
        sim.Run([] {
             const Context ctx = WithTimeout(Context(), absl::Seconds(1));
             while (!ctx.done()) {
             }
           })
            .IgnoreError();
      },
      "without waiting");
}

TEST(SimRuntimeDeathTest, AThreadThatNeverWaitsIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimRuntime sim({.max_real_time_of_a_step = absl::Milliseconds(200)});
        volatile bool forever = true;
        sim.Run([&] {
             while (forever) {
             }
           })
            .IgnoreError();
      },
      "without waiting");
}

TEST(SimRuntimeTest, TimersRunInVirtualTimeAndDoNotKeepTheRunAlive) {
  std::vector<int64_t> at;
  SimRuntime sim;
  ASSERT_TRUE(sim.Run([&] {
                   static Timer* const late = new Timer;  // pending when the run ends
                   late->Start(absl::Hours(100), [] { FAIL(); });
                   Event fired;
                   Timer timer;
                   timer.Start(absl::Seconds(30), [&] {
                     at.push_back(absl::ToInt64Seconds(Now().since_epoch()));
                     fired.Set();
                   });
                   EXPECT_TRUE(fired.Wait(Context()).ok());
                   late->Stop();
                 })
                  .ok());
  EXPECT_THAT(at, ElementsAre(30));
}

TEST(SimRuntimeTest, DeadlinesOfContextsAreVirtual) {
  SimRuntime sim;
  ASSERT_TRUE(sim.Run([&] {
                   const Context ctx = WithTimeout(Context(), absl::Minutes(10));
                   Event never;
                   EXPECT_EQ(never.Wait(ctx).code(), absl::StatusCode::kDeadlineExceeded);
                   EXPECT_EQ(Now().since_epoch(), absl::Minutes(10));
                 })
                  .ok());
}

TEST(SimRuntimeTest, ProducersAndConsumerOverABoundedQueue) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SimRuntime sim({.seed = seed});
    int sum = 0;
    ASSERT_TRUE(sim.Run([&] {
                     BoundedQueue<int> queue(2, WhenFull::kBlock);
                     ThreadGroup producers{Context()};
                     for (int p = 0; p < 3; ++p) {
                       producers.Go("producer", [&](const Context& ctx) {
                         for (int i = 1; i <= 10; ++i) {
                           if (absl::Status s = queue.Push(ctx, i); !s.ok()) return s;
                         }
                         return absl::OkStatus();
                       });
                     }
                     Thread consumer;
                     ASSERT_TRUE(consumer
                                     .Start(Context(), "consumer",
                                            [&](const Context& ctx) {
                                              for (auto item = queue.Pop(ctx); item.ok();
                                                   item = queue.Pop(ctx))
                                                sum += *item;
                                            })
                                     .ok());
                     EXPECT_TRUE(producers.Wait().ok());
                     queue.Close();
                     consumer.Join();
                   })
                    .ok())
        << "seed " << seed;
    EXPECT_EQ(sum, 165) << "seed " << seed;
  }
}

TEST(SimRuntimeTest, NotesOfTheProgramStandInTheTrace) {
  SimRuntime sim({.keep_trace = true});
  sim.Trace("outside: ignored");
  ASSERT_TRUE(sim.Run([&] { sim.Trace("stored pod web-0"); }).ok());
  EXPECT_THAT(sim.trace(),
              AllOf(HasSubstr("note 0 stored pod web-0\n"), Not(HasSubstr("outside"))));
}

}  // namespace
}  // namespace kube::base
