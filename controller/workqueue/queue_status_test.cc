#include "controller/workqueue/queue_status.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::Pair;

using Texts = Queue<std::string>;

class QueueStatusTest : public testing::Test {
 protected:
  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  Texts by_priority_{{.order = QueueOrder::kPriority, .ageing = absl::Seconds(30)}};
};

TEST_F(QueueStatusTest, Status_EmptyQueue_HasNothing) {
  for (const QueueOrder order : {QueueOrder::kFifo, QueueOrder::kPriority}) {
    Texts queue({.order = order});
    const QueueStatus status = queue.status();
    EXPECT_THAT(status.ready, IsEmpty());
    EXPECT_EQ(status.delayed, 0u);
    EXPECT_EQ(status.processing, 0u);
    EXPECT_EQ(status.oldest_key, std::nullopt);
    EXPECT_EQ(status.oldest_age, std::nullopt);
    EXPECT_EQ(status.next_due_in, std::nullopt);
    EXPECT_FALSE(status.shutting_down);
  }
}

TEST_F(QueueStatusTest, Status_KeysOfSeveralPriorities_AreCountedByPriority) {
  by_priority_.Add("low", {.priority = kLowPriority});
  by_priority_.Add("lower", {.priority = kLowPriority});
  by_priority_.Add("news");
  by_priority_.Add("low", {.priority = 7});
  EXPECT_THAT(by_priority_.status().ready,
              ElementsAre(Pair(kLowPriority, 1), Pair(0, 1), Pair(7, 1)));
  absl::StatusOr<Item<std::string>> low = by_priority_.Get(Context());
  ASSERT_THAT(low.status(), IsOk());
  QueueStatus status = by_priority_.status();
  EXPECT_THAT(status.ready, ElementsAre(Pair(kLowPriority, 1), Pair(0, 1)));
  EXPECT_EQ(status.processing, 1u);
  by_priority_.Add("low", {.priority = 7});  // not ready before it is done
  EXPECT_THAT(by_priority_.status().ready, ElementsAre(Pair(kLowPriority, 1), Pair(0, 1)));
  low->Done();
  status = by_priority_.status();
  EXPECT_THAT(status.ready, ElementsAre(Pair(kLowPriority, 1), Pair(0, 1), Pair(7, 1)));
  EXPECT_EQ(status.processing, 0u);
}

TEST_F(QueueStatusTest, Status_Fifo_CountsAllKeysAsPriorityZero) {
  Texts queue;
  queue.Add("a", {.priority = kLowPriority});
  queue.Add("b", {.priority = 7});
  const QueueStatus status = queue.status();
  EXPECT_THAT(status.ready, ElementsAre(Pair(0, 2)));
  EXPECT_THAT(status.oldest_key, Optional(std::string("a")));
}

// behaviour.md: CTRL-32
TEST_F(QueueStatusTest, Status_ReadyKeys_NamesTheOldestOneAndItsAge) {
  by_priority_.Add("low", {.priority = kLowPriority});
  clock_.Step(absl::Seconds(2));
  by_priority_.Add("high", {.priority = 7});
  clock_.Step(absl::Seconds(3));
  QueueStatus status = by_priority_.status();
  EXPECT_THAT(status.oldest_key, Optional(std::string("low")));
  EXPECT_THAT(status.oldest_age, Optional(absl::Seconds(5)));
  by_priority_.Add("low", {.priority = 8});  // keeps its age
  EXPECT_THAT(by_priority_.status().oldest_age, Optional(absl::Seconds(5)));
  absl::StatusOr<Item<std::string>> low = by_priority_.Get(Context());
  ASSERT_THAT(low.status(), IsOk());
  EXPECT_EQ(low->key(), "low");
  status = by_priority_.status();
  EXPECT_THAT(status.oldest_key, Optional(std::string("high")));
  EXPECT_THAT(status.oldest_age, Optional(absl::Seconds(3)));
}

TEST_F(QueueStatusTest, Status_OldestKeys_AreInTheOrderInWhichTheyBecameReady) {
  for (const char* key : {"a", "b", "c"}) {
    by_priority_.Add(key, {.priority = key == std::string("a") ? kLowPriority : int16_t{7}});
    clock_.Step(absl::Seconds(1));
  }
  absl::StatusOr<Item<std::string>> taken = by_priority_.Get(Context());
  ASSERT_THAT(taken.status(), IsOk());
  EXPECT_EQ(taken->key(), "b");
  const std::vector<ReadyKey> keys = by_priority_.status().oldest_keys;
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys[0].key, "a");
  EXPECT_THAT(keys[0].age, Optional(absl::Seconds(3)));
  EXPECT_EQ(keys[1].key, "c");
  EXPECT_THAT(keys[1].age, Optional(absl::Seconds(1)));
}

TEST_F(QueueStatusTest, Status_OldestKeysOfManyKeys_AreOnlyTheOldest) {
  Texts queue;
  for (int i = 0; i < 1000; ++i) queue.Add(std::to_string(i));
  const QueueStatus status = queue.status();
  ASSERT_EQ(status.oldest_keys.size(), kMostOldestKeys);
  EXPECT_EQ(status.oldest_keys.front().key, "0");
  EXPECT_EQ(status.oldest_keys.front().age, std::nullopt) << "a queue without metrics";
  EXPECT_EQ(status.oldest_keys.back().key, std::to_string(kMostOldestKeys - 1));
}

TEST_F(QueueStatusTest, Status_Age_IsKnownWithMetricsOrAgeingOnly) {
  const struct {
    const char* name;
    QueueOptions options;
    bool has_age;
  } rows[] = {
      {"fifo", {}, false},
      {"priority", {.order = QueueOrder::kPriority}, false},
      {"metrics", {.name = "webs", .metrics = std::make_shared<base::PrometheusRegistry>()}, true},
      {"ageing", {.order = QueueOrder::kPriority, .ageing = absl::Hours(1)}, true},
      {"ageing of a fifo, which has none", {.ageing = absl::Hours(1)}, false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    Texts queue(row.options);
    queue.Add("a");
    clock_.Step(absl::Seconds(1));
    const QueueStatus status = queue.status();
    EXPECT_THAT(status.oldest_key, Optional(std::string("a")));
    EXPECT_EQ(status.oldest_age.has_value(), row.has_age);
    if (row.has_age) {
      EXPECT_THAT(status.oldest_age, Optional(absl::Seconds(1)));
    }
  }
}

// behaviour.md: CTRL-46
TEST_F(QueueStatusTest, Status_DelayedKeys_CountsThemUntilTheyAreDue) {
  by_priority_.AddAfter("late", absl::Seconds(9));
  by_priority_.AddAfter("early", absl::Seconds(4));
  QueueStatus status = by_priority_.status();
  EXPECT_EQ(status.delayed, 2u);
  EXPECT_THAT(status.next_due_in, Optional(absl::Seconds(4)));
  EXPECT_EQ(status.oldest_key, std::nullopt);
  clock_.Step(absl::Seconds(6));
  status = by_priority_.status();
  EXPECT_EQ(status.delayed, 1u);
  EXPECT_THAT(status.next_due_in, Optional(absl::Seconds(3)));
  EXPECT_THAT(status.ready, ElementsAre(Pair(0, 1)));
  EXPECT_THAT(status.oldest_key, Optional(std::string("early")));
  EXPECT_THAT(status.oldest_age, Optional(absl::Seconds(2)));
}

TEST_F(QueueStatusTest, Status_AfterShutDown_SaysSo) {
  by_priority_.Add("a");
  by_priority_.AddAfter("dropped", absl::Seconds(1));
  by_priority_.ShutDown();
  const QueueStatus status = by_priority_.status();
  EXPECT_TRUE(status.shutting_down);
  EXPECT_EQ(status.delayed, 0u);
  EXPECT_THAT(status.ready, ElementsAre(Pair(0, 1)));
}

}  // namespace
}  // namespace kube::workqueue
