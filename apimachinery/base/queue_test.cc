#include "apimachinery/base/queue.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::ElementsAreArray;
using ::testing::Eq;

template <typename T>
std::vector<T> Drain(BoundedQueue<T>& queue) {
  std::vector<T> items;
  while (std::optional<T> item = queue.TryPop()) items.push_back(*std::move(item));
  return items;
}

TEST(BoundedQueueTest, Push_WhenFull_DoesWhatTheOptionSays) {
  const struct {
    const char* name;
    WhenFull when_full;
    absl::StatusCode third_push;
    std::vector<int> items;
    uint64_t dropped;
  } cases[] = {
      {"reject", WhenFull::kReject, absl::StatusCode::kResourceExhausted, {1, 2}, 0},
      {"drop newest", WhenFull::kDropNewest, absl::StatusCode::kOk, {1, 2}, 1},
      {"drop oldest", WhenFull::kDropOldest, absl::StatusCode::kOk, {2, 3}, 1},
      {"block", WhenFull::kBlock, absl::StatusCode::kDeadlineExceeded, {1, 2}, 0},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    SimRuntime sim;
    ASSERT_THAT(sim.Run([&] {
      const Context ctx = WithTimeout(Context(), absl::Seconds(1));
      BoundedQueue<int> queue(2, c.when_full);
      EXPECT_THAT(queue.Push(ctx, 1), IsOk());
      EXPECT_THAT(queue.Push(ctx, 2), IsOk());
      EXPECT_THAT(queue.Push(ctx, 3), StatusIs(c.third_push));
      EXPECT_EQ(queue.size(), c.items.size());
      EXPECT_EQ(queue.dropped(), c.dropped);
      EXPECT_THAT(Drain(queue), ElementsAreArray(c.items));
    }),
                IsOk());
  }
}

TEST(BoundedQueueTest, APushThatBlocksGoesOnWhenThereIsRoom) {
  SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    BoundedQueue<int> queue(1, WhenFull::kBlock);
    Thread consumer;
    ASSERT_THAT(consumer.Start(Context(), "consumer",
                               [&](const Context& ctx) {
                                 EXPECT_THAT(SleepFor(ctx, absl::Seconds(5)), IsOk());
                                 EXPECT_THAT(queue.Pop(ctx), IsOkAndHolds(Eq(1)));
                               }),
                IsOk());
    EXPECT_THAT(queue.Push(Context(), 1), IsOk());
    EXPECT_THAT(queue.Push(Context(), 2), IsOk());
    EXPECT_EQ(Now().since_epoch(), absl::Seconds(5));
    EXPECT_THAT(Drain(queue), ElementsAreArray({2}));
  }),
              IsOk());
}

TEST(BoundedQueueTest, APopThatBlocksGoesOnWhenThereIsAnItem) {
  BoundedQueue<int> queue(1, WhenFull::kReject);
  Thread producer;
  ASSERT_THAT(producer.Start(Context(), "producer",
                             [&](const Context& ctx) { EXPECT_THAT(queue.Push(ctx, 1), IsOk()); }),
              IsOk());
  EXPECT_THAT(queue.Pop(Context()), IsOkAndHolds(Eq(1)));
}

TEST(BoundedQueueTest, WhatWasPushedBeforeCloseIsPopped_AsInTheHeader) {
  std::vector<std::string> synced;
  const auto run = [&](const Context& ctx) -> absl::Status {
    BoundedQueue<std::string> queue(1000, WhenFull::kDropNewest);
    KUBE_RETURN_IF_ERROR(queue.Push(ctx, "web-0"));
    queue.Close();
    for (auto pod = queue.Pop(ctx); pod.ok(); pod = queue.Pop(ctx)) synced.push_back(*pod);
    return absl::OkStatus();
  };
  EXPECT_THAT(run(Context()), IsOk());
  EXPECT_THAT(synced, ElementsAreArray({"web-0"}));
}

TEST(BoundedQueueTest, AfterCloseItDrains) {
  for (const WhenFull when_full :
       {WhenFull::kBlock, WhenFull::kReject, WhenFull::kDropNewest, WhenFull::kDropOldest}) {
    SCOPED_TRACE(static_cast<int>(when_full));
    BoundedQueue<int> queue(2, when_full);
    ASSERT_THAT(queue.Push(Context(), 1), IsOk());
    ASSERT_THAT(queue.Push(Context(), 2), IsOk());
    queue.Close();
    queue.Close();
    EXPECT_THAT(queue.Push(Context(), 3), StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_EQ(queue.dropped(), 0u);
    EXPECT_THAT(queue.Pop(Context()), IsOkAndHolds(Eq(1)));
    EXPECT_THAT(queue.Pop(Context()), IsOkAndHolds(Eq(2)));
    EXPECT_THAT(queue.Pop(Context()), StatusIs(absl::StatusCode::kOutOfRange));
    EXPECT_EQ(queue.TryPop(), std::nullopt);
  }
}

TEST(BoundedQueueTest, CloseWakesEverybody) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([] {
      BoundedQueue<int> full(1, WhenFull::kBlock);
      BoundedQueue<int> empty(1, WhenFull::kBlock);
      ASSERT_THAT(full.Push(Context(), 1), IsOk());
      ThreadGroup group{Context()};
      for (int i = 0; i < 3; ++i) {
        group.Go("producer", [&](const Context& ctx) {
          EXPECT_THAT(full.Push(ctx, 2), StatusIs(absl::StatusCode::kFailedPrecondition));
          return absl::OkStatus();
        });
        group.Go("consumer", [&](const Context& ctx) {
          EXPECT_THAT(empty.Pop(ctx), StatusIs(absl::StatusCode::kOutOfRange));
          return absl::OkStatus();
        });
      }
      full.Close();
      empty.Close();
      EXPECT_THAT(group.Wait(), IsOk());
    }),
                IsOk());
  }
}

TEST(BoundedQueueTest, ADoneContextComesFirst) {
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  for (const WhenFull when_full :
       {WhenFull::kBlock, WhenFull::kReject, WhenFull::kDropNewest, WhenFull::kDropOldest}) {
    SCOPED_TRACE(static_cast<int>(when_full));
    BoundedQueue<int> queue(2, when_full);
    ASSERT_THAT(queue.Push(Context(), 1), IsOk());
    EXPECT_THAT(queue.Push(scope.context(), 2), StatusIs(absl::StatusCode::kCancelled));
    EXPECT_THAT(queue.Pop(scope.context()), StatusIs(absl::StatusCode::kCancelled));
    EXPECT_THAT(Drain(queue), ElementsAreArray({1}));
  }
}

TEST(BoundedQueueTest, TheContextEndsAPop) {
  SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    BoundedQueue<int> queue(1, WhenFull::kBlock);
    EXPECT_THAT(queue.Pop(WithTimeout(Context(), absl::Seconds(3))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(Now().since_epoch(), absl::Seconds(3));
  }),
              IsOk());
}

TEST(BoundedQueueTest, Pop_MoveOnlyItems_MovesThem) {
  BoundedQueue<std::unique_ptr<int>> queue(1, WhenFull::kDropOldest);
  ASSERT_THAT(queue.Push(Context(), std::make_unique<int>(1)), IsOk());
  ASSERT_THAT(queue.Push(Context(), std::make_unique<int>(2)), IsOk());
  absl::StatusOr<std::unique_ptr<int>> item = queue.Pop(Context());
  ASSERT_THAT(item.status(), IsOk());
  EXPECT_EQ(**item, 2);
}

TEST(BoundedQueueTest, AnItemsEndMayComeBackToTheQueue) {
  BoundedQueue<std::shared_ptr<void>> queue(1, WhenFull::kDropOldest);
  std::vector<uint64_t> dropped;
  const auto item = [&] {
    return std::shared_ptr<void>(nullptr, [&](void*) { dropped.push_back(queue.dropped()); });
  };
  ASSERT_THAT(queue.Push(Context(), item()), IsOk());
  ASSERT_THAT(queue.Push(Context(), item()), IsOk());
  queue.TryPop();
  EXPECT_THAT(dropped, ElementsAreArray({1, 1}));
}

TEST(BoundedQueueDeathTest, Construct_WithCapacityZero_FailsACheck) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(BoundedQueue<int>(0, WhenFull::kBlock), "queue capacity must be at least 1");
}

TEST(BoundedQueueStressTest, Pop_ItemsOfManyProducers_KeepsEachOnesOrder) {
  constexpr int kProducers = 4;
  constexpr int kItems = 1000;
  BoundedQueue<std::pair<int, int>> queue(3, WhenFull::kBlock);
  ThreadGroup producers{Context()};
  for (int p = 0; p < kProducers; ++p) {
    producers.Go("producer", [&, p](const Context& ctx) {
      for (int i = 0; i < kItems; ++i) {
        if (absl::Status s = queue.Push(ctx, {p, i}); !s.ok()) return s;
      }
      return absl::OkStatus();
    });
  }
  std::vector<int> next(kProducers, 0);
  Thread consumer;
  ASSERT_THAT(consumer.Start(Context(), "consumer",
                             [&](const Context& ctx) {
                               for (;;) {
                                 const auto item = queue.Pop(ctx);
                                 if (!item.ok()) break;
                                 EXPECT_EQ(item->second, next[item->first]++);  // each in order
                               }
                             }),
              IsOk());
  EXPECT_THAT(producers.Wait(), IsOk());
  queue.Close();
  consumer.Join();
  EXPECT_THAT(next, ElementsAreArray(std::vector<int>(kProducers, kItems)));
}

}  // namespace
}  // namespace kube::base
