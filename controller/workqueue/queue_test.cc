#include "controller/workqueue/queue.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/rate_limiter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;

using Texts = Queue<std::string>;

// Takes all keys in the queue, and finishes each before it takes the next. Does not block.
std::vector<std::string> TakeAll(Texts& queue) {
  std::vector<std::string> keys;
  while (queue.length() > 0) {
    absl::StatusOr<Item<std::string>> item = queue.Get(Context());
    EXPECT_THAT(item.status(), IsOk());
    keys.push_back(item->key());
  }
  return keys;
}

Item<std::string> Take(Texts& queue, const std::string& expected) {
  EXPECT_GT(queue.length(), 0u) << expected;
  absl::StatusOr<Item<std::string>> item = queue.Get(Context());
  EXPECT_THAT(item.status(), IsOk());
  EXPECT_EQ(item->key(), expected);
  return *std::move(item);
}

// ---- order, and keys that are added during processing

// behaviour.md: WQ-4
TEST(QueueTest, Add_KeysAddedTwice_ComeOnceInTheOrderOfTheirFirstAdd) {
  Texts queue;
  for (const char* key : {"b", "a", "b", "c", "a"}) queue.Add(key);
  EXPECT_EQ(queue.length(), 3u);
  EXPECT_THAT(TakeAll(queue), ElementsAre("b", "a", "c"));
  queue.Add("a");
  EXPECT_THAT(TakeAll(queue), ElementsAre("a"));
}

// behaviour.md: WQ-4
TEST(QueueTest, Add_KeyInProcessing_ComesAgainAtTheEndAfterDone) {
  Texts queue;
  queue.Add("a");
  Item<std::string> a = Take(queue, "a");
  queue.Add("a");
  queue.Add("a");
  EXPECT_EQ(queue.length(), 0u);  // no other worker can get it
  queue.Add("b");
  a.Done();
  EXPECT_THAT(TakeAll(queue), ElementsAre("b", "a"));
}

// behaviour.md: WQ-4
TEST(QueueTest, Done_KeysAddedInProcessing_ComeInTheOrderOfDone) {
  Texts queue;
  for (const char* key : {"a", "b", "c"}) queue.Add(key);
  Item<std::string> a = Take(queue, "a");
  Item<std::string> b = Take(queue, "b");
  Item<std::string> c = Take(queue, "c");
  for (const char* key : {"a", "b", "c"}) queue.Add(key);
  c.Done();
  a.Done();
  b.Done();
  EXPECT_EQ(queue.length(), 3u);
  EXPECT_THAT(TakeAll(queue), ElementsAre("c", "a", "b"));
}

// The key is done before the worker begins to wait, or afterwards.
// behaviour.md: WQ-4
TEST(QueueTest, Done_KeyAddedInProcessing_WakesAWaitingWorker) {
  for (const absl::Duration worked : {absl::Seconds(1), absl::Seconds(3)}) {
    SCOPED_TRACE(worked);
    base::SimRuntime sim;
    ASSERT_THAT(sim.Run([&] {
      Texts queue;
      queue.Add("a");
      Item<std::string> a = Take(queue, "a");
      queue.Add("a");
      base::Thread worker;
      ASSERT_THAT(worker.Start(Context(), "worker",
                               [&](const Context& ctx) {
                                 EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(2)), IsOk());
                                 EXPECT_THAT(queue.Get(ctx).status(), IsOk());
                                 EXPECT_EQ(base::Now().since_epoch(),
                                           std::max(worked, absl::Seconds(2)));
                               }),
                  IsOk());
      ASSERT_THAT(base::SleepFor(Context(), worked), IsOk());
      a.Done();
      worker.Join();
    }),
                IsOk());
  }
}

// behaviour.md: WQ-4
TEST(QueueTest, Done_KeyNotAddedInProcessing_LeavesTheQueueEmpty) {
  Texts queue;
  queue.Add("a");
  Take(queue, "a").Done();
  EXPECT_EQ(queue.length(), 0u);
}

TEST(QueueTest, Item_DoneMovedOrDestroyed_FinishesItsKeyOnce) {
  Texts queue;
  for (const char* key : {"a", "b", "c"}) queue.Add(key);
  {
    Item<std::string> a = Take(queue, "a");
    Item<std::string> moved = std::move(a);
    EXPECT_EQ(moved.text(), "a");
    moved = Take(queue, "b");  // finishes "a"
    queue.Add("a");
    EXPECT_EQ(queue.length(), 2u);
    queue.Add("b");
    EXPECT_EQ(queue.length(), 2u);
    moved.Done();
    moved.Done();
    EXPECT_EQ(queue.length(), 3u);
  }
  EXPECT_THAT(TakeAll(queue), ElementsAre("c", "a", "b"));
}

TEST(QueueTest, Get_KeysOfAnyLengthAndType_ReturnsThemUnchanged) {
  Texts texts;
  const std::string longest(100'000, 'x');
  for (const std::string& key :
       {std::string(), longest, std::string(600, 'y'), std::string("\0z", 2)}) {
    texts.Add(key);
    texts.Add(key);
  }
  EXPECT_THAT(TakeAll(texts),
              ElementsAre("", longest, std::string(600, 'y'), std::string("\0z", 2)));

  Queue<int64_t> numbers;
  numbers.Add(INT64_MIN);
  numbers.Add(0);
  EXPECT_EQ(numbers.Get(Context())->key(), INT64_MIN);
  EXPECT_EQ(numbers.Get(Context())->key(), 0);

  Queue<meta::ObjectName> names;
  const meta::ObjectName web = {.namespace_name = "prod", .name = "web-0"};
  names.Add(web);
  names.Add({.name = "node-1"});
  absl::StatusOr<Item<meta::ObjectName>> item = names.Get(Context());
  EXPECT_EQ(item->key(), web);
  EXPECT_EQ(item->text(), "prod/web-0");
  EXPECT_EQ(names.Get(Context())->key(), meta::ObjectName{.name = "node-1"});
}

// ---- delays

class DelayTest : public testing::Test {
 protected:
  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
};

// behaviour.md: WQ-5
TEST_F(DelayTest, AddAfter_SeveralDelays_KeysComeWhenDueInThatOrder) {
  Texts queue;
  queue.AddAfter("c", absl::Seconds(3));
  queue.AddAfter("a", absl::Seconds(1));
  queue.AddAfter("b", absl::Seconds(1));
  queue.AddAfter("now", absl::ZeroDuration());
  queue.AddAfter("before", absl::Seconds(-1));
  EXPECT_EQ(queue.delayed(), 3u);
  EXPECT_THAT(TakeAll(queue), ElementsAre("now", "before"));
  clock_.Step(absl::Seconds(1) - absl::Nanoseconds(1));
  EXPECT_THAT(TakeAll(queue), IsEmpty());
  clock_.Step(absl::Nanoseconds(1));
  EXPECT_THAT(TakeAll(queue), ElementsAre("a", "b"));
  clock_.Step(absl::Seconds(10));
  EXPECT_THAT(TakeAll(queue), ElementsAre("c"));
  EXPECT_EQ(queue.delayed(), 0u);
}

// behaviour.md: WQ-5
TEST_F(DelayTest, AddAfter_TwoDelaysOfAKey_OnlyTheEarlierOneCounts) {
  for (const bool earlier_first : {false, true}) {
    SCOPED_TRACE(earlier_first);
    Texts queue;
    queue.AddAfter("a", absl::Seconds(earlier_first ? 1 : 9));
    queue.AddAfter("a", absl::Seconds(earlier_first ? 9 : 1));
    EXPECT_EQ(queue.delayed(), 1u);
    clock_.Step(absl::Seconds(1));
    EXPECT_THAT(TakeAll(queue), ElementsAre("a"));
    clock_.Step(absl::Seconds(9));
    EXPECT_THAT(TakeAll(queue), IsEmpty());  // the later delay was dropped
  }
}

// behaviour.md: WQ-5
TEST_F(DelayTest, Add_KeyWithADelay_KeepsTheDelay) {
  Texts queue;
  queue.AddAfter("a", absl::Seconds(1));
  queue.Add("a");
  EXPECT_THAT(TakeAll(queue), ElementsAre("a"));
  clock_.Step(absl::Seconds(1));
  EXPECT_THAT(TakeAll(queue), ElementsAre("a"));
}

TEST_F(DelayTest, AKeyThatBecomesDueWhileItIsInTheQueueOrInProcessingIsThereOnce) {
  Texts queue;
  queue.Add("a");
  queue.AddAfter("a", absl::Seconds(1));
  clock_.Step(absl::Seconds(1));
  EXPECT_EQ(queue.length(), 1u);
  Item<std::string> a = Take(queue, "a");
  queue.AddAfter("a", absl::Seconds(1));
  clock_.Step(absl::Seconds(1));
  EXPECT_EQ(queue.length(), 0u);
  a.Done();
  EXPECT_THAT(TakeAll(queue), ElementsAre("a"));
}

TEST_F(DelayTest, WhatBecameDueWhileNobodyLookedIsBeforeWhatIsAddedAfterwards) {
  Texts queue;
  queue.AddAfter("due", absl::Seconds(1));
  clock_.Step(absl::Seconds(2));
  queue.Add("later");
  EXPECT_THAT(TakeAll(queue), ElementsAre("due", "later"));
}

TEST_F(DelayTest, AddAfter_InfiniteOrHugeDelay_KeyStaysDelayed) {
  Texts queue;
  queue.AddAfter("never", absl::InfiniteDuration());
  queue.AddAfter("late", absl::Hours(24 * 365 * 280));
  clock_.Step(absl::Hours(24 * 365));
  EXPECT_EQ(queue.length(), 0u);
  EXPECT_EQ(queue.delayed(), 2u);
}

TEST_F(DelayTest, AWorkerThatWaitsWakesWhenAKeyIsDue) {
  Texts queue;
  queue.AddAfter("late", absl::Seconds(20));
  std::vector<std::string> keys;
  base::Event first;
  base::Thread worker;
  ASSERT_THAT(worker.Start(Context(), "worker",
                           [&](const Context& ctx) {
                             while (true) {
                               auto item = queue.Get(ctx);
                               if (!item.ok()) return;
                               keys.push_back(item->key());
                               first.Set();
                             }
                           }),
              IsOk());
  ASSERT_THAT(clock_.BlockUntil(1), IsOk());
  // Due before the key for which the worker waits.
  queue.AddAfter("early", absl::Seconds(5));
  for (int i = 0; i < 1000 && !first.IsSet(); ++i) clock_.Step(absl::Milliseconds(5));
  ASSERT_THAT(first.Wait(WithTimeout(Context(), absl::Seconds(1))), IsOk());
  worker.RequestStop();
  worker.Join();
  EXPECT_THAT(keys, ElementsAre("early"));
  EXPECT_EQ(queue.delayed(), 1u);
}

// ---- Get

TEST(QueueTest, GetEndsWithItsContextEvenIfThereAreKeys) {
  Texts queue;
  queue.Add("a");
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(queue.Get(scope.context()).status(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(TakeAll(queue), ElementsAre("a"));
}

TEST(QueueTest, GetBlocksUntilThereIsAKeyOrItsContextEnds) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    Texts queue;
    const base::MonotonicTime start = base::Now();
    EXPECT_THAT(queue.Get(WithTimeout(Context(), absl::Seconds(7))).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(base::Now() - start, absl::Seconds(7));
    base::Thread producer;
    ASSERT_THAT(producer.Start(Context(), "producer",
                               [&](const Context& ctx) {
                                 EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(3)), IsOk());
                                 queue.Add("a");
                               }),
                IsOk());
    EXPECT_EQ(queue.Get(Context())->key(), "a");
    EXPECT_EQ(base::Now() - start, absl::Seconds(10));
  }),
              IsOk());
}

// ---- ShutDown and ShutDownWithDrain

// behaviour.md: WQ-6, CTRL-47
TEST_F(DelayTest, ShutDown_NothingCanBeAddedAndQueuedKeysCanBeTaken) {
  Texts queue;
  queue.Add("a");
  queue.Add("b");
  queue.AddAfter("late", absl::Seconds(1));
  Item<std::string> a = Take(queue, "a");
  queue.Add("a");
  EXPECT_FALSE(queue.shutting_down());
  queue.ShutDown();
  EXPECT_TRUE(queue.shutting_down());
  queue.Add("c");
  queue.AddAfter("d", absl::Seconds(1));
  queue.AddRateLimited("e");
  EXPECT_EQ(queue.NumRequeues("e"), 0);
  EXPECT_EQ(queue.delayed(), 0u);
  a.Done();  // comes again, because it was added before ShutDown
  clock_.Step(absl::Seconds(5));
  EXPECT_THAT(TakeAll(queue), ElementsAre("b", "a"));
  EXPECT_THAT(queue.Get(Context()).status(),
              StatusIs(absl::StatusCode::kOutOfRange, "get from work queue: shut down"));
  queue.ShutDown();
}

// behaviour.md: WQ-6
TEST_F(DelayTest, ShutDown_DelayOfAQueuedOrProcessedKey_DropsOnlyTheDelay) {
  for (const QueueOrder order : {QueueOrder::kFifo, QueueOrder::kPriority}) {
    Texts queue({.order = order});
    queue.Add("a");
    Item<std::string> a = Take(queue, "a");
    queue.AddAfter("a", absl::Seconds(1));
    queue.Add("b");
    queue.AddAfter("b", absl::Seconds(1));
    queue.ShutDown();
    a.Done();
    EXPECT_THAT(TakeAll(queue), ElementsAre("b"));
  }
}

// behaviour.md: WQ-6
TEST(QueueTest, ShutDown_WaitingWorkers_AllWake) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    Texts queue;
    queue.AddAfter("late", absl::Hours(1));  // one worker waits for this time
    std::vector<std::unique_ptr<base::Thread>> workers;
    for (int i = 0; i < 5; ++i) {
      workers.push_back(std::make_unique<base::Thread>());
      ASSERT_THAT(workers.back()->Start(Context(), "worker",
                                        [&](const Context& ctx) {
                                          EXPECT_THAT(queue.Get(ctx).status(),
                                                      StatusIs(absl::StatusCode::kOutOfRange));
                                        }),
                  IsOk());
    }
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    queue.ShutDown();
    for (auto& worker : workers) worker->Join();
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(1));
  }),
              IsOk());
}

// A drain also waits for keys that no worker has taken yet, unlike client-go's.
// behaviour.md: WQ-6
TEST(QueueTest, ShutDownWithDrain_KeysNotTakenYet_WaitsForThemToo) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    Texts queue;
    for (const char* key : {"a", "b", "c"}) queue.Add(key);
    std::vector<std::string> done;
    base::Thread worker;
    ASSERT_THAT(worker.Start(Context(), "worker",
                             [&](const Context& ctx) {
                               EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(1)), IsOk());
                               while (true) {
                                 auto item = queue.Get(ctx);
                                 if (!item.ok()) return;
                                 // The drain also waits for keys added during processing.
                                 if (item->key() == "a" && done.empty()) queue.Add("a");
                                 EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(1)), IsOk());
                                 done.push_back(item->key());
                               }
                             }),
                IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1.5)), IsOk());
    EXPECT_THAT(queue.ShutDownWithDrain(Context()), IsOk());
    EXPECT_THAT(done, ElementsAre("a", "b", "c", "a"));
    EXPECT_THAT(queue.ShutDownWithDrain(Context()), IsOk());  // returns at once
  }),
              IsOk());
}

// behaviour.md: WQ-6
TEST(QueueTest, ShutDownWithDrain_AllKeysDone_ReturnsAtOnce) {
  Texts queue;
  queue.Add("a");
  Take(queue, "a").Done();
  EXPECT_THAT(queue.ShutDownWithDrain(WithTimeout(Context(), absl::ZeroDuration())), IsOk());
}

// behaviour.md: WQ-6
TEST(QueueTest, ShutDownWithDrain_KeyDueBefore_WaitsForIt) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    Texts queue;
    queue.Add("a");
    Item<std::string> a = Take(queue, "a");
    queue.AddAfter("b", absl::Seconds(1));
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    base::Thread other;
    ASSERT_THAT(other.Start(Context(), "other",
                            [&](const Context& ctx) {
                              EXPECT_THAT(queue.ShutDownWithDrain(ctx), IsOk());
                              EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(2));
                            }),
                IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    a.Done();
    EXPECT_THAT(TakeAll(queue), ElementsAre("b"));
    other.Join();
  }),
              IsOk());
}

// behaviour.md: WQ-6
TEST(QueueTest, ShutDown_DuringADrain_EndsTheDrainAsCancelled) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    Texts queue;
    queue.Add("a");
    auto a = queue.Get(Context());
    base::Thread other;
    ASSERT_THAT(other.Start(Context(), "other",
                            [&](const Context& ctx) {
                              EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(2)), IsOk());
                              queue.ShutDown();
                            }),
                IsOk());
    EXPECT_THAT(queue.ShutDownWithDrain(WithTimeout(Context(), absl::Seconds(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(
        queue.ShutDownWithDrain(Context()),
        StatusIs(absl::StatusCode::kCancelled, "drain work queue: shut down without drain"));
  }),
              IsOk());
}

// ---- priorities

class PriorityTest : public DelayTest {
 protected:
  Texts queue_{{.order = QueueOrder::kPriority}};
};

// behaviour.md: PQ-1, CTRL-41
TEST_F(PriorityTest, Get_SeveralPriorities_HighestFirstThenFirstInFirstOut) {
  queue_.Add("low", {.priority = kLowPriority});
  queue_.Add("a");
  queue_.Add("high", {.priority = 32767});
  queue_.Add("b");
  queue_.Add("lowest", {.priority = -32768});
  EXPECT_THAT(TakeAll(queue_), ElementsAre("high", "a", "b", "low", "lowest"));
}

// behaviour.md: PQ-1, CTRL-40
TEST_F(PriorityTest, Add_KeyWithTwoPriorities_TheHigherOneCounts) {
  queue_.Add("a", {.priority = 1});
  queue_.Add("b", {.priority = 2});
  queue_.Add("c", {.priority = 2});
  queue_.Add("b", {.priority = 1});  // changes neither priority nor place
  queue_.Add("c", {.priority = 2});
  queue_.Add("a", {.priority = 2});  // goes behind the keys that have this priority already
  EXPECT_THAT(TakeAll(queue_), ElementsAre("b", "c", "a"));
}

// behaviour.md: PQ-1, CTRL-40
TEST_F(PriorityTest, AddAfter_KeyWithSeveralTimes_TheEarliestCounts) {
  queue_.AddAfter("a", absl::Seconds(9));
  queue_.AddAfter("a", absl::Seconds(2));
  queue_.AddAfter("a", absl::Seconds(5));
  queue_.AddAfter("b", absl::Seconds(1));
  queue_.Add("b");                         // ends the delay
  queue_.AddAfter("b", absl::Seconds(1));  // no effect: the key is ready already
  EXPECT_EQ(queue_.delayed(), 1u);
  EXPECT_THAT(TakeAll(queue_), ElementsAre("b"));
  clock_.Step(absl::Seconds(2));
  EXPECT_THAT(TakeAll(queue_), ElementsAre("a"));
  clock_.Step(absl::Seconds(9));
  EXPECT_THAT(TakeAll(queue_), IsEmpty());
}

// behaviour.md: PQ-1, CTRL-41
TEST_F(PriorityTest, Get_DueKeysOfOnePriority_ComeInTheOrderInWhichTheyBecameDue) {
  queue_.Add("late", {.after = absl::Seconds(2)});
  queue_.Add("early", {.after = absl::Seconds(1)});
  queue_.Add("same", {.after = absl::Seconds(1), .priority = -1});
  queue_.Add("raised", {.after = absl::Seconds(1), .priority = -1});
  queue_.Add("raised", {.after = absl::Seconds(5), .priority = 3});
  clock_.Step(absl::Seconds(3));
  queue_.Add("now");
  EXPECT_THAT(TakeAll(queue_), ElementsAre("raised", "early", "late", "now", "same"));
}

// As in controller-runtime, a key that is added during processing takes its place in the queue at
// once, and is skipped until it is done.
// behaviour.md: PQ-1, CTRL-44
TEST_F(PriorityTest, Add_KeyInProcessing_TakesItsPlaceAtOnce) {
  queue_.Add("a");
  Item<std::string> a = Take(queue_, "a");
  queue_.Add("a");
  queue_.Add("b");
  queue_.Add("high", {.priority = 1});
  EXPECT_EQ(Take(queue_, "high").priority(), 1);
  a.Done();
  EXPECT_THAT(TakeAll(queue_), ElementsAre("a", "b"));
}

// behaviour.md: PQ-1
TEST_F(PriorityTest, Add_KeyInProcessingWithHigherPriority_RaisesIt) {
  queue_.Add("a");
  Item<std::string> a = Take(queue_, "a");
  queue_.Add("a");
  queue_.Add("b");
  queue_.Add("a", {.priority = 5});
  a.Done();
  Item<std::string> again = Take(queue_, "a");
  EXPECT_EQ(again.priority(), 5);
}

// behaviour.md: PQ-1, CTRL-4
TEST_F(PriorityTest, AddRateLimited_ManyKeys_AreNotLimitedTogether) {
  for (int i = 0; i < 200; ++i) queue_.AddRateLimited(absl::StrCat(i));
  clock_.Step(absl::Milliseconds(5));
  EXPECT_EQ(queue_.length(), 200u);
}

// behaviour.md: PQ-1, CTRL-42
TEST_F(PriorityTest, Add_RateLimitedWithADelay_WaitsForTheShorterOfTheTwo) {
  queue_.Add("a", {.after = absl::Milliseconds(1), .rate_limited = true});
  queue_.Add("b", {.after = absl::Hours(1), .rate_limited = true});
  clock_.Step(absl::Milliseconds(1));
  EXPECT_THAT(TakeAll(queue_), ElementsAre("a"));
  clock_.Step(absl::Milliseconds(4));
  EXPECT_THAT(TakeAll(queue_), ElementsAre("b"));
  EXPECT_EQ(queue_.NumRequeues("a"), 1);
}

TEST(QueueTest, PrioritiesAreOfNoEffectInAFifo) {
  Texts queue;
  queue.Add("a", {.priority = kLowPriority});
  queue.Add("b", {.priority = 5});
  Item<std::string> a = Take(queue, "a");
  EXPECT_EQ(a.priority(), 0);
  a.Done();
  EXPECT_THAT(TakeAll(queue), ElementsAre("b"));
}

// ---- rate limits

// behaviour.md: WQ-1
TEST_F(DelayTest, AddRateLimited_DefaultLimiter_LimitsEachKeyAndAllTogether) {
  Texts queue;
  for (int i = 0; i < 4; ++i) queue.AddRateLimited("a");  // the earliest delay, 5 ms, counts
  EXPECT_EQ(queue.NumRequeues("a"), 4);
  EXPECT_EQ(queue.delayed(), 1u);
  queue.Forget("a");
  EXPECT_EQ(queue.NumRequeues("a"), 0);
  for (int i = 0; i < 98; ++i) queue.AddRateLimited(absl::StrCat(i));  // two more than the burst
  clock_.Step(absl::Milliseconds(5));
  EXPECT_EQ(queue.length(), 97u);
  clock_.Step(absl::Milliseconds(95));
  EXPECT_EQ(queue.length(), 98u);
  clock_.Step(absl::Milliseconds(100));
  EXPECT_EQ(queue.length(), 99u);
}

class Recorder final : public RateLimiter {
 public:
  absl::Duration When(absl::string_view key) override {
    calls.push_back(absl::StrCat("when ", key));
    return absl::ZeroDuration();
  }
  void Forget(absl::string_view key) override { calls.push_back(absl::StrCat("forget ", key)); }
  int NumRequeues(absl::string_view) const override { return 42; }
  std::vector<std::string> calls;
};

TEST(QueueTest, AddRateLimited_CustomLimiter_IsCalledWithTheTextsOfKeys) {
  auto limiter = std::make_shared<Recorder>();
  Queue<meta::ObjectName> queue({.rate_limiter = limiter});
  const meta::ObjectName name = {.namespace_name = "a", .name = "b"};
  queue.AddRateLimited(name);
  EXPECT_EQ(queue.length(), 1u);
  EXPECT_EQ(queue.NumRequeues(name), 42);
  queue.Forget(name);
  EXPECT_THAT(limiter->calls, ElementsAre("when a/b", "forget a/b"));
}

int syncs = 0;

// Succeeds the third time.
absl::Status Sync(const Context&, const meta::ObjectName& name) {
  EXPECT_EQ(name.ToString(), "prod/web-0");
  return ++syncs < 3 ? absl::UnavailableError("not yet") : absl::OkStatus();
}

// The example of Queue.
absl::Status Work(const Context& ctx, Queue<meta::ObjectName>& queue,
                  const api::meta::v1::ObjectMeta& pod) {
  queue.Add(meta::ObjectNameOf(pod));  // a handler
  while (true) {                       // a worker; see also RunWorkers
    absl::StatusOr<Item<meta::ObjectName>> item = queue.Get(ctx);
    if (!item.ok()) return item.status();
    const bool synced = Sync(ctx, item->key()).ok();
    if (synced) queue.Forget(item->key());
    if (!synced) queue.AddRateLimited(item->key());
  }  // the item is done here
}

TEST(QueueTest, AWorkerTriesAKeyAgainUntilItSucceeds_AsInTheHeader) {
  syncs = 0;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    Queue<meta::ObjectName> queue;
    const api::meta::v1::ObjectMeta pod = {.name = "web-0", .namespace_ = "prod"};
    EXPECT_THAT(Work(WithTimeout(Context(), absl::Minutes(1)), queue, pod),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(syncs, 3);
    EXPECT_EQ(queue.NumRequeues(meta::ObjectNameOf(pod)), 0);
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::workqueue
