// Ageing: which key a queue with priorities hands out, and how long a key waits at most.
// queue_model_test compares the rule with a model of it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using testing::ElementsAre;

using Texts = Queue<std::string>;

// Takes a key and finishes it. Does not block.
std::string Next(Texts& queue) {
  if (queue.length() == 0) return "nothing";
  absl::StatusOr<Item<std::string>> item = queue.Get(Context());
  EXPECT_THAT(item.status(), IsOk());
  return item->key();
}

std::vector<std::string> TakeAll(Texts& queue) {
  std::vector<std::string> keys;
  while (queue.length() > 0) keys.push_back(Next(queue));
  return keys;
}

class AgeingTest : public testing::Test {
 protected:
  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  Texts queue_{{.order = QueueOrder::kPriority, .ageing = absl::Seconds(30)}};
};

// behaviour.md: CTRL-48
TEST_F(AgeingTest, Get_LowKeyUnderAStreamOfHighOnes_IsTakenAsSoonAsItHasTheAge) {
  queue_.Add("low", {.priority = kLowPriority});
  for (int second = 0; second < 30; ++second) {
    const std::string high = absl::StrCat("high", second);
    queue_.Add(high);
    EXPECT_EQ(Next(queue_), high);
    clock_.Step(absl::Seconds(1));
  }
  queue_.Add("high");
  EXPECT_THAT(TakeAll(queue_), ElementsAre("low", "high"));
}

// behaviour.md: CTRL-48
TEST_F(AgeingTest, Get_WithoutAgeing_LowKeysWaitAsLongAsThereAreHighOnes) {
  const struct {
    const char* name;
    absl::Duration ageing;
  } rows[] = {
      {"default", QueueOptions().ageing},
      {"negative", absl::Seconds(-1)},
      {"infinite", absl::InfiniteDuration()},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    Texts queue({.order = QueueOrder::kPriority, .ageing = row.ageing});
    queue.Add("low", {.priority = kLowPriority});
    for (int i = 0; i < 100; ++i) {
      queue.Add("high");
      EXPECT_EQ(Next(queue), "high");
      clock_.Step(absl::Minutes(1));
    }
  }
}

TEST_F(AgeingTest, Get_ManyKeysHaveAged_TheyAndTheHighestPriorityTakeTurns) {
  for (int i = 0; i < 4; ++i) queue_.Add(absl::StrCat("low", i), {.priority = kLowPriority});
  clock_.Step(absl::Seconds(30));
  for (int i = 0; i < 3; ++i) queue_.Add(absl::StrCat("high", i));
  EXPECT_THAT(TakeAll(queue_),
              ElementsAre("low0", "high0", "low1", "high1", "low2", "high2", "low3"));
}

TEST_F(AgeingTest, Get_KeysOfSeveralPrioritiesHaveAged_TheOldestIsFirst) {
  queue_.Add("oldest", {.priority = 2 * kLowPriority});
  clock_.Step(absl::Seconds(1));
  queue_.Add("old", {.priority = kLowPriority});
  clock_.Step(absl::Seconds(40));
  queue_.Add("high");
  queue_.Add("higher", {.priority = 1});
  EXPECT_THAT(TakeAll(queue_), ElementsAre("oldest", "higher", "old", "high"));
}

TEST_F(AgeingTest, Get_KeyHasAged_KeepsItsPriority) {
  queue_.Add("low", {.priority = kLowPriority});
  clock_.Step(absl::Seconds(30));
  queue_.Add("high");
  absl::StatusOr<Item<std::string>> item = queue_.Get(Context());
  ASSERT_THAT(item.status(), IsOk());
  EXPECT_EQ(item->key(), "low");
  EXPECT_EQ(item->priority(), kLowPriority);
}

TEST_F(AgeingTest, Add_HigherPriority_DoesNotMakeTheKeyYounger) {
  queue_.Add("low", {.priority = kLowPriority});
  clock_.Step(absl::Seconds(20));
  queue_.Add("low", {.priority = kLowPriority + 1});
  clock_.Step(absl::Seconds(10));
  queue_.Add("high");
  EXPECT_THAT(TakeAll(queue_), ElementsAre("low", "high"));
}

TEST_F(AgeingTest, AddAfter_DelayedKey_AgesFromWhenItIsDue) {
  queue_.Add("low", {.after = absl::Seconds(100), .priority = kLowPriority});
  clock_.Step(absl::Seconds(129));
  queue_.Add("high");
  EXPECT_EQ(Next(queue_), "high");
  clock_.Step(absl::Seconds(1));
  queue_.Add("high");
  EXPECT_EQ(Next(queue_), "low");
}

TEST_F(AgeingTest, Add_KeyInProcessing_AgesFromWhenItIsAdded) {
  queue_.Add("a");
  absl::StatusOr<Item<std::string>> a = queue_.Get(Context());
  ASSERT_THAT(a.status(), IsOk());
  queue_.Add("a", {.priority = kLowPriority});
  clock_.Step(absl::Seconds(10));
  a->Done();
  clock_.Step(absl::Seconds(19));
  queue_.Add("high");
  EXPECT_EQ(Next(queue_), "high");
  clock_.Step(absl::Seconds(1));
  queue_.Add("high");
  EXPECT_EQ(Next(queue_), "a");
}

// A key that waits, with the number of other keys that may still be taken before it.
struct Waiting {
  int key = 0;
  int16_t priority = 0;
  int64_t since = 0;
  size_t by_priority = 0;
  std::optional<size_t> by_age = {};  // once it has the age
};

// The two bounds that QueueOptions::ageing promises.
class Bounds {
 public:
  void Add(int key, int16_t priority, int64_t now) {
    size_t before = 0;
    for (Waiting& waiting : ready_) {
      if (waiting.priority >= priority) ++before;
      if (waiting.priority < priority) waiting.by_priority += 2;
    }
    ready_.push_back(
        {.key = key, .priority = priority, .since = now, .by_priority = 2 * before + 1});
  }

  // Call it before a key is taken.
  void LetAge(int64_t now, int64_t ageing) {
    for (size_t k = 0; k < ready_.size(); ++k) {
      Waiting& waiting = ready_[k];
      if (!waiting.by_age.has_value() && now - waiting.since >= ageing) waiting.by_age = 2 * k + 1;
    }
  }

  void Taken(int key) {
    ASSERT_EQ(std::erase_if(ready_, [key](const Waiting& w) { return w.key == key; }), 1u);
    for (Waiting& waiting : ready_) {
      ASSERT_GT(waiting.by_priority, 0u) << "key " << waiting.key;
      --waiting.by_priority;
      if (!waiting.by_age.has_value()) continue;
      ASSERT_GT(*waiting.by_age, 0u) << "key " << waiting.key;
      --*waiting.by_age;
    }
  }

 private:
  std::vector<Waiting> ready_;  // in the order in which they became ready
};

void Explore(uint64_t seed) {
  constexpr int64_t kAgeing = 10;  // milliseconds
  oracle::Dice dice(seed);
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  Queue<int> queue({.order = QueueOrder::kPriority, .ageing = absl::Milliseconds(kAgeing)});
  Bounds bounds;
  int64_t now = 0;
  for (int key = 0; key < 3000; ++key) {
    const auto priority = static_cast<int16_t>(dice.Below(5));
    bounds.Add(key, priority, now);
    queue.Add(key, {.priority = priority});
    const auto step = static_cast<int64_t>(dice.Below(3));
    now += step;
    clock.Step(absl::Milliseconds(step));
    for (size_t takes = dice.Below(3); takes > 0 && queue.length() > 0; --takes) {
      bounds.LetAge(now, kAgeing);
      absl::StatusOr<Item<int>> item = queue.Get(Context());
      ASSERT_THAT(item.status(), IsOk());
      bounds.Taken(item->key());
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(QueueAgeing, Get_RandomPriorities_NoKeyWaitsForMoreOthersThanPromised) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Explore(seed);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace kube::workqueue
