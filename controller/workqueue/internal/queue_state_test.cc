// What queues keep of keys that they no longer have: nothing. queue_model_test has the rest.

#include "controller/workqueue/internal/queue_state.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "gtest/gtest.h"

namespace kube::workqueue::internal {
namespace {

using base::MonotonicTime;

MonotonicTime At(int seconds) { return MonotonicTime(absl::Seconds(seconds)); }

class QueueStateTest : public testing::TestWithParam<bool> {
 protected:
  void TakeAll() {
    while (state_.ready() > 0) state_.Done(state_.Take(At(0)), At(0));
  }

  QueueState state_{/*by_priority=*/GetParam(), /*metrics=*/nullptr};
};

TEST_P(QueueStateTest, AKeyThatIsDoneIsErasedUnlessItIsDirtyOrWaiting) {
  state_.Add("a", 0, At(0));
  QueueState::Taken a = state_.Take(At(0));
  state_.Add("a", 0, At(0));
  state_.Done(a, At(0));
  EXPECT_EQ(state_.size(), 1u);
  a = state_.Take(At(0));
  state_.AddAt("a", 0, At(1));
  state_.Done(a, At(0));
  EXPECT_EQ(state_.size(), 1u);
  state_.MakeDueDirty(At(1));
  state_.Done(state_.Take(At(1)), At(1));
  EXPECT_EQ(state_.size(), 0u);
}

TEST_P(QueueStateTest, AKeyWhoseDelayIsDroppedIsErasedUnlessItIsInTheQueueOrInProcessing) {
  state_.AddAt("late", 0, At(1));
  state_.Add("processing", 0, At(0));
  const QueueState::Taken taken = state_.Take(At(0));
  state_.AddAt("processing", 0, At(1));
  state_.Add("ready", 0, At(0));
  state_.AddAt("ready", 0, At(1));
  state_.DropWaiting();
  EXPECT_EQ(state_.size(), 2u);
  state_.Done(taken, At(0));
  TakeAll();
  EXPECT_EQ(state_.size(), 0u);
}

TEST_P(QueueStateTest, MemoryOfALargeBurstIsGivenBackWhenItIsOver) {
  for (int i = 0; i < 200'000; ++i) state_.Add(absl::StrCat(i), 0, At(0));
  EXPECT_GE(state_.capacity(), 200'000u);
  TakeAll();
  EXPECT_EQ(state_.capacity(), 0u);
  // The same of delays that are dropped.
  for (int i = 0; i < 200'000; ++i) state_.AddAt(absl::StrCat(i), 0, At(1));
  state_.DropWaiting();
  EXPECT_EQ(state_.capacity(), 0u);
}

TEST_P(QueueStateTest, MemoryOfASmallBurstIsKeptForTheNext) {
  for (int i = 0; i < 1000; ++i) state_.Add(absl::StrCat(i), 0, At(0));
  const size_t capacity = state_.capacity();
  TakeAll();
  EXPECT_EQ(state_.capacity(), capacity);
}

// Keys that come and go do not make the table grow, though each leaves a mark in it.
TEST_P(QueueStateTest, ManyKeysOneAfterTheOtherTakeTheMemoryOfAFew) {
  for (int i = 0; i < 200'000; ++i) {
    state_.Add(absl::StrCat(i), 0, At(0));
    if (state_.ready() > 10) state_.Done(state_.Take(At(0)), At(0));
  }
  EXPECT_LT(state_.capacity(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Orders, QueueStateTest, testing::Bool(),
                         [](const auto& order) { return order.param ? "Priority" : "Fifo"; });

}  // namespace
}  // namespace kube::workqueue::internal
