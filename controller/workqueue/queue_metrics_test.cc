// The metrics of work queues, with the names and labels of Kubernetes.
// behaviour.md: WQ-7

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class QueueMetricsTest : public testing::Test {
 protected:
  QueueOptions Options(QueueOrder order = QueueOrder::kFifo) {
    return {.name = "webs", .metrics = registry_, .order = order};
  }
  // Matches text with this sample of the queue "webs".
  testing::Matcher<std::string> Has(absl::string_view name, absl::string_view value) {
    return HasSubstr(
        absl::StrCat("\nworkqueue_", name, "{name=\"webs\",controller=\"webs\"} ", value, "\n"));
  }
  testing::Matcher<std::string> HasDepth(absl::string_view priority, int value) {
    return HasSubstr(absl::StrCat("\nworkqueue_depth{name=\"webs\",controller=\"webs\",priority=\"",
                                  priority, "\"} ", value, "\n"));
  }

  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  std::shared_ptr<base::PrometheusRegistry> registry_ =
      std::make_shared<base::PrometheusRegistry>();
};

// behaviour.md: WQ-7, CTRL-45
TEST_F(QueueMetricsTest, Metrics_AddGetAndDone_ChangeTheSeriesOfTheQueue) {
  Queue<std::string> queue(Options());
  queue.Add("a");
  queue.Add("a");
  queue.Add("b");
  queue.AddAfter("late", absl::Seconds(4));
  EXPECT_THAT(registry_->Render(),
              AllOf(HasDepth("", 2), Has("adds_total", "2"), Has("retries_total", "1"),
                    Has("queue_duration_seconds_count", "0")));
  clock_.Step(absl::Seconds(3));
  absl::StatusOr<Item<std::string>> a = queue.Get(Context());
  EXPECT_THAT(registry_->Render(),
              AllOf(HasDepth("", 1), Has("queue_duration_seconds_sum", "3"),
                    Has("queue_duration_seconds_count", "1"),
                    Has("work_duration_seconds_count", "0"), Has("unfinished_work_seconds", "0")));
  queue.Add("a");  // counted at once, although the key is in processing
  clock_.Step(absl::Seconds(3));
  EXPECT_EQ(queue.length(), 2u);  // "late" has been ready for two seconds
  a->Done();
  EXPECT_THAT(registry_->Render(),
              AllOf(HasDepth("", 3), Has("adds_total", "4"), Has("work_duration_seconds_sum", "3"),
                    Has("work_duration_seconds_count", "1")));
  queue.Get(Context())->Done();  // "b", after six seconds
  queue.Get(Context())->Done();  // "late", after two
  queue.Get(Context())->Done();  // "a", after three
  EXPECT_THAT(registry_->Render(), AllOf(HasDepth("", 0), Has("queue_duration_seconds_sum", "14"),
                                         Has("queue_duration_seconds_count", "4")));
}

// The buckets are client_golang's ExponentialBuckets(10e-9, 10, 12): from 10 ns to 1000 s.
// behaviour.md: WQ-7, CTRL-31
TEST_F(QueueMetricsTest, Histograms_HaveBucketsFromTenNanosecondsToAThousandSeconds) {
  Queue<std::string> queue(Options());
  const std::string text = registry_->Render();
  for (const char* name : {"queue_duration_seconds", "work_duration_seconds"}) {
    const std::string bucket =
        absl::StrCat("workqueue_", name, "_bucket{name=\"webs\",controller=\"webs\",le=\"");
    EXPECT_THAT(text, HasSubstr(absl::StrCat(bucket, "1e-08\"} 0\n")));
    int buckets = 0;
    for (size_t at = text.find(bucket); at != std::string::npos; at = text.find(bucket, at + 1)) {
      ++buckets;
    }
    EXPECT_EQ(buckets, 13) << text;
  }
}

// behaviour.md: WQ-6
TEST_F(QueueMetricsTest, UnfinishedWork_IsRenewedEveryHalfSecond) {
  Queue<std::string> queue(Options());
  queue.Add("a");
  queue.Add("b");
  absl::StatusOr<Item<std::string>> a = queue.Get(Context());
  ASSERT_THAT(clock_.BlockUntil(1), base::IsOk());
  clock_.Step(absl::Milliseconds(300));
  absl::StatusOr<Item<std::string>> b = queue.Get(Context());
  EXPECT_THAT(registry_->Render(), Has("unfinished_work_seconds", "0"));
  clock_.Step(absl::Milliseconds(200));
  ASSERT_THAT(clock_.BlockUntil(1), base::IsOk());
  EXPECT_THAT(registry_->Render(), AllOf(Has("unfinished_work_seconds", "0.7"),
                                         Has("longest_running_processor_seconds", "0.5")));
  a->Done();
  clock_.Step(absl::Milliseconds(500));
  ASSERT_THAT(clock_.BlockUntil(1), base::IsOk());
  EXPECT_THAT(registry_->Render(), AllOf(Has("unfinished_work_seconds", "0.7"),
                                         Has("longest_running_processor_seconds", "0.7")));
  b->Done();
  clock_.Step(absl::Milliseconds(500));
  ASSERT_THAT(clock_.BlockUntil(1), base::IsOk());
  EXPECT_THAT(registry_->Render(), AllOf(Has("unfinished_work_seconds", "0"),
                                         Has("longest_running_processor_seconds", "0")));
}

// behaviour.md: PQ-1, CTRL-31
TEST_F(QueueMetricsTest, Depth_PriorityQueue_IsCountedByPriority) {
  Queue<std::string> queue(Options(QueueOrder::kPriority));
  queue.Add("a");
  queue.Add("b", {.priority = kLowPriority});
  queue.Add("c", {.after = absl::Seconds(1), .priority = kLowPriority});
  EXPECT_THAT(registry_->Render(), AllOf(HasDepth("0", 1), HasDepth("-100", 1)));
  queue.Add("b", {.priority = 7});
  queue.Add("c", {.after = absl::Seconds(1), .priority = 7});  // not in the queue yet
  EXPECT_THAT(registry_->Render(), AllOf(HasDepth("-100", 0), HasDepth("7", 1)));
  absl::StatusOr<Item<std::string>> b = queue.Get(Context());
  EXPECT_THAT(registry_->Render(), HasDepth("7", 0));
}

// behaviour.md: PQ-1, CTRL-31
TEST_F(QueueMetricsTest, Depth_MoreThanTwentyFivePriorities_CountsTheRestTogether) {
  Queue<int> queue(Options(QueueOrder::kPriority));
  for (int i = 0; i < 40; ++i) queue.Add(i, {.priority = static_cast<int16_t>(i)});
  EXPECT_THAT(registry_->Render(), AllOf(HasDepth("0", 1), HasDepth("24", 1),
                                         HasDepth("exceeded_cardinality_limit", 15)));
  for (int i = 0; i < 15; ++i) queue.Get(Context())->Done();  // 39 to 25
  EXPECT_THAT(registry_->Render(),
              AllOf(HasDepth("24", 1), HasDepth("exceeded_cardinality_limit", 0)));
}

TEST_F(QueueMetricsTest, Gauges_QueueIsDestroyedWithKeys_AreZero) {
  for (const QueueOrder order : {QueueOrder::kFifo, QueueOrder::kPriority}) {
    SCOPED_TRACE(order == QueueOrder::kFifo ? "first in, first out" : "by priority");
    const char* const priority = order == QueueOrder::kFifo ? "" : "0";
    {
      Queue<std::string> queue(Options(order));
      queue.Add("taken");
      absl::StatusOr<Item<std::string>> taken = queue.Get(Context());
      ASSERT_THAT(clock_.BlockUntil(1), base::IsOk());
      queue.Add("taken");
      queue.Add("ready");
      queue.AddAfter("late", absl::Hours(1));
      clock_.Step(absl::Milliseconds(500));
      ASSERT_THAT(clock_.BlockUntil(1), base::IsOk());
      EXPECT_THAT(registry_->Render(),
                  AllOf(HasDepth(priority, 2), Has("unfinished_work_seconds", "0.5"),
                        Has("longest_running_processor_seconds", "0.5")));
      taken->Done();
    }
    EXPECT_THAT(registry_->Render(),
                AllOf(HasDepth(priority, 0), Has("unfinished_work_seconds", "0"),
                      Has("longest_running_processor_seconds", "0")));
  }
}

TEST_F(QueueMetricsTest, AQueueWithoutANameOrAProviderHasNone) {
  Queue<std::string> without_name({.metrics = registry_});
  Queue<std::string> without_provider({.name = "webs"});
  Queue<std::string> no_op({.name = "webs", .metrics = base::NoOpMetrics()});
  for (auto* queue : {&without_name, &without_provider, &no_op}) {
    queue->Add("a");
    queue->Get(Context())->Done();
  }
  EXPECT_THAT(registry_->Render(), Not(HasSubstr("workqueue")));
  EXPECT_EQ(clock_.Pending(), 0u);  // no threads
}

TEST_F(QueueMetricsTest, WhatTheProviderRefusesIsLoggedAndNotCounted) {
  ASSERT_THAT(
      registry_->MakeCounter({.name = "workqueue_adds_total", .help = "another one"}).status(),
      base::IsOk());
  log::LogCapture capture;
  Queue<std::string> queue(Options());
  queue.Add("a");
  EXPECT_THAT(capture.Lines(),
              testing::Contains(HasSubstr("failed to register work queue metric")));
  EXPECT_THAT(registry_->Render(), HasDepth("", 1));
}

}  // namespace
}  // namespace kube::workqueue
