#include "controller/workqueue/internal/queue_metrics.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"

namespace kube::workqueue::internal {

namespace {

// As many priorities have a series of their own; the others share one.
constexpr size_t kMaxPriorities = 25;

template <typename Vec>
Vec OrNone(absl::StatusOr<Vec> vec, absl::string_view name) {
  if (vec.ok()) return *std::move(vec);
  log::Error(vec.status(), "failed to register work queue metric", {{"queue", name}});
  return Vec();
}

base::MetricOptions Options(const char* name, const char* help,
                            std::vector<std::string> labels = {"name", "controller"}) {
  return {.name = absl::StrCat("workqueue_", name), .help = help, .label_names = std::move(labels)};
}

base::HistogramOptions Seconds(const char* name, const char* help) {
  return {.name = absl::StrCat("workqueue_", name),
          .help = help,
          .label_names = {"name", "controller"},
          .buckets = base::ExponentialBuckets(10e-9, 10, 12)};
}

}  // namespace

QueueMetrics::QueueMetrics(base::MetricsProvider& provider, absl::string_view name,
                           bool by_priority)
    : name_(name), by_priority_(by_priority) {
  // Both labels have the name of the queue: `name` is client-go's, and the dashboards and alerts
  // for controller-runtime look for `controller`. A queue without priorities has an empty label
  // `priority`, which to Prometheus is no label.
  depth_vec_ = OrNone(
      provider.MakeGauge(Options("depth", "Current depth of workqueue by workqueue and priority",
                                 {"name", "controller", "priority"})),
      name);
  adds_ =
      OrNone(
          provider.MakeCounter(Options("adds_total", "Total number of adds handled by workqueue")),
          name)
          .WithLabelValues({name, name});
  queue_duration_ =
      OrNone(provider.MakeHistogram(
                 Seconds("queue_duration_seconds",
                         "How long in seconds an item stays in workqueue before being requested")),
             name)
          .WithLabelValues({name, name});
  work_duration_ = OrNone(provider.MakeHistogram(Seconds(
                              "work_duration_seconds",
                              "How long in seconds processing an item from workqueue takes.")),
                          name)
                       .WithLabelValues({name, name});
  unfinished_work_ =
      OrNone(provider.MakeGauge(Options(
                 "unfinished_work_seconds",
                 "How many seconds of work has been done that is in progress and hasn't been "
                 "observed by work_duration. Large values indicate stuck threads. One can deduce "
                 "the number of stuck threads by observing the rate at which this increases.")),
             name)
          .WithLabelValues({name, name});
  longest_running_ =
      OrNone(provider.MakeGauge(Options(
                 "longest_running_processor_seconds",
                 "How many seconds has the longest running processor for workqueue been running.")),
             name)
          .WithLabelValues({name, name});
  retries_ = OrNone(provider.MakeCounter(Options(
                        "retries_total",
                        "Total number of items added to the workqueue with a delay (rate-limited "
                        "requeues, explicit requeue_after or AddAfter calls)")),
                    name)
                 .WithLabelValues({name, name});
  if (!by_priority_) depths_[0] = depth_vec_.WithLabelValues({name, name, ""});
}

const base::Gauge& QueueMetrics::Depth(int16_t priority) {
  const auto it = depths_.find(by_priority_ ? priority : int16_t{0});
  if (it != depths_.end()) return it->second;
  if (depths_.size() < kMaxPriorities) {
    return depths_[priority] = depth_vec_.WithLabelValues({name_, name_, absl::StrCat(priority)});
  }
  other_depths_ = depth_vec_.WithLabelValues({name_, name_, "exceeded_cardinality_limit"});
  return other_depths_;
}

void QueueMetrics::Added(int16_t priority) {
  adds_.Increment();
  Depth(priority).Increment();
}

void QueueMetrics::Raised(int16_t from, int16_t to) {
  Depth(from).Decrement();
  Depth(to).Increment();
}

void QueueMetrics::Taken(int16_t priority, absl::Duration waited) {
  Depth(priority).Decrement();
  queue_duration_.Observe(absl::ToDoubleSeconds(waited));
}

void QueueMetrics::Dropped(int16_t priority) { Depth(priority).Decrement(); }

void QueueMetrics::Done(absl::Duration worked) {
  work_duration_.Observe(absl::ToDoubleSeconds(worked));
}

void QueueMetrics::Retried() { retries_.Increment(); }

void QueueMetrics::Unfinished(absl::Duration total, absl::Duration longest) {
  unfinished_work_.Set(absl::ToDoubleSeconds(total));
  longest_running_.Set(absl::ToDoubleSeconds(longest));
}

}  // namespace kube::workqueue::internal
