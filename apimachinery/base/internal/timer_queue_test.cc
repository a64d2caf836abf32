#include "apimachinery/base/internal/timer_queue.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base::internal {
namespace {

using ::testing::ElementsAre;

MonotonicTime At(int seconds) { return MonotonicTime(absl::Seconds(seconds)); }

class TimerQueueTest : public ::testing::Test {
 protected:
  auto Note(char name) {
    return [this, name] { ran_ += name; };
  }
  void RunUntil(int seconds) {
    queue_.RunDue([seconds] { return At(seconds); });
  }

  std::vector<bool> added_;
  std::string ran_;
  TimerQueue queue_{[this](bool earlier) { added_.push_back(earlier); }};
};

TEST_F(TimerQueueTest, EmptyQueue_HasNoTimeAndRunsNothing) {
  EXPECT_TRUE(queue_.Next().is_infinite());
  EXPECT_EQ(queue_.size(), 0u);
  RunUntil(1000);
  EXPECT_FALSE(queue_.Remove({At(1), 1}));
}

TEST_F(TimerQueueTest, RunsWhatIsDueInOrder) {
  queue_.Add(At(3), Note('a'));
  queue_.Add(At(1), Note('b'));
  queue_.Add(At(3), Note('c'));
  queue_.Add(At(2), Note('d'));
  RunUntil(0);
  EXPECT_EQ(ran_, "");
  RunUntil(2);
  EXPECT_EQ(ran_, "bd");
  EXPECT_EQ(queue_.Next(), At(3));
  EXPECT_EQ(queue_.size(), 2u);
  RunUntil(3);
  EXPECT_EQ(ran_, "bdac");
}

TEST_F(TimerQueueTest, TellsOfEachAddAndWhetherItIsTheEarliest) {
  queue_.Add(At(5), Note('a'));
  queue_.Add(At(9), Note('b'));
  queue_.Add(At(5), Note('c'));
  queue_.Add(At(4), Note('d'));
  EXPECT_THAT(added_, ElementsAre(true, false, false, true));
}

TEST_F(TimerQueueTest, Remove_BeforeItsTime_DoesNotRun) {
  const TimerQueue::Key a = queue_.Add(At(1), Note('a'));
  queue_.Add(At(1), Note('b'));
  EXPECT_TRUE(queue_.Remove(a));
  EXPECT_FALSE(queue_.Remove(a));
  RunUntil(1);
  EXPECT_EQ(ran_, "b");
}

TEST_F(TimerQueueTest, CallbacksMayAddAndRemove) {
  TimerQueue::Key own;
  TimerQueue::Key other;
  own = queue_.Add(At(1), [&] {
    EXPECT_FALSE(queue_.Remove(own));
    EXPECT_TRUE(queue_.Remove(other));
    queue_.Add(At(2), Note('n'));  // due: runs in the same round
    queue_.Add(At(3), Note('l'));
  });
  other = queue_.Add(At(1), Note('o'));
  RunUntil(2);
  EXPECT_EQ(ran_, "n");
}

TEST_F(TimerQueueTest, WhatACallbackHoldsIsReleasedWithoutTheLock) {
  // The destructor of the captured object calls the queue.
  const auto held = [this] {
    return std::shared_ptr<void>(nullptr, [this](void*) { queue_.size(); });
  };
  const TimerQueue::Key key = queue_.Add(At(1), [h = held()] {});
  EXPECT_TRUE(queue_.Remove(key));
  queue_.Add(At(1), [h = held()] {});
  RunUntil(1);
}

TEST_F(TimerQueueTest, AForkedProcessForgetsWhatItsParentAdded) {
  const auto held = std::make_shared<int>();
  const TimerQueue::Key old = queue_.Add(At(1), [held] {});
  queue_.LockForFork();
  queue_.UnlockAfterFork();
  EXPECT_FALSE(queue_.IsForgotten(old));
  EXPECT_EQ(queue_.size(), 1u);
  queue_.LockForFork();
  queue_.ForgetAfterFork();
  EXPECT_TRUE(queue_.IsForgotten(old));
  EXPECT_FALSE(queue_.Remove(old));
  EXPECT_EQ(held.use_count(), 2) << "what a callback holds is not destroyed";
  const TimerQueue::Key key = queue_.Add(At(1), Note('n'));
  EXPECT_FALSE(queue_.IsForgotten(key));
  RunUntil(1);
  EXPECT_EQ(ran_, "n");
}

}  // namespace
}  // namespace kube::base::internal
