#include "informers/internal/informer_metrics.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"

namespace kube::informers::internal {

using base::MetricsProvider;

namespace {

std::vector<std::string> LabelNames() { return {"name", "group", "version", "resource"}; }

struct CounterName {
  const char* name;
  const char* help;
};

absl::Status Make(MetricsProvider& provider, const std::vector<absl::string_view>& labels,
                  const CounterName& name, base::Counter& to) {
  KUBE_ASSIGN_OR_RETURN(
      const base::CounterVec counters,
      provider.MakeCounter({.name = name.name, .help = name.help, .label_names = LabelNames()}));
  to = counters.WithLabelValues(labels);
  return absl::OkStatus();
}

absl::Status Make(MetricsProvider& provider, const std::vector<absl::string_view>& labels,
                  const CounterName& name, base::Gauge& to) {
  KUBE_ASSIGN_OR_RETURN(
      const base::GaugeVec gauges,
      provider.MakeGauge({.name = name.name, .help = name.help, .label_names = LabelNames()}));
  to = gauges.WithLabelValues(labels);
  return absl::OkStatus();
}

constexpr struct {
  CounterName name;
  int64_t ReflectorCounters::*field;
} kCounted[] = {
    {{"informer_lists_total", "Number of lists started; all pages of a list count as one."},
     &ReflectorCounters::lists},
    {{"informer_watch_lists_total", "Number of watch-lists started."},
     &ReflectorCounters::watch_lists},
    {{"informer_watches_total", "Number of watches started, without watch-lists."},
     &ReflectorCounters::watches},
    {{"informer_syncs_total",
      "Number of times the store was replaced: the initial list and each relist."},
     &ReflectorCounters::syncs},
    {{"informer_added_events_total", "Number of ADDED events received."},
     &ReflectorCounters::added},
    {{"informer_modified_events_total", "Number of MODIFIED events received."},
     &ReflectorCounters::modified},
    {{"informer_deleted_events_total", "Number of DELETED events received."},
     &ReflectorCounters::deleted},
    {{"informer_bookmarks_total", "Number of BOOKMARK events received."},
     &ReflectorCounters::bookmarks},
    {{"informer_expired_total",
      "Number of responses saying that a resource version is too old or too large."},
     &ReflectorCounters::expired},
    {{"informer_errors_total", "Number of lists and watches that failed."},
     &ReflectorCounters::errors},
    {{"informer_rejected_objects_total", "Number of objects rejected by a transform or the store."},
     &ReflectorCounters::rejected},
};

// Returns the 15 least significant digits of `version`, which a double represents exactly.
double StoreVersion(absl::string_view version) {
  constexpr size_t kDigits = 15;
  if (version.size() > kDigits) version.remove_prefix(version.size() - kDigits);
  double value = 0;
  return absl::SimpleAtod(version, &value) ? value : 0;
}

}  // namespace

InformerMetrics::InformerMetrics(MetricsProvider& provider, const std::string& name,
                                 const schema::GroupVersionResource& resource) {
  if (&provider == base::NoOpMetrics().get()) return;
  const std::vector<absl::string_view> labels = {name, resource.group, resource.version,
                                                 resource.resource};
  const absl::Status status = Register(provider, labels);
  enabled_ = status.ok();
  if (!enabled_) {
    log::Error(status, "failed to register informer metrics, metrics will not be published",
               {{"name", name}});
  }
}

absl::Status InformerMetrics::Register(MetricsProvider& provider,
                                       const std::vector<absl::string_view>& labels) {
  const struct {
    CounterName name;
    base::Counter& counter;
  } counters[] = {
      {{"informer_received_bytes_total", "Number of bytes received by lists and watches."},
       source_.bytes},
      {{"informer_decoded_objects_total", "Number of objects decoded from lists and watches."},
       source_.decoded},
      {{"informer_watchdog_closes_total",
        "Number of lists and watches closed because no data was received or because of GOAWAY."},
       source_.watchdog_closes},
      {{"informer_delivered_notifications_total", "Number of notifications delivered to handlers."},
       listener_.delivered},
      {{"informer_suppressed_notifications_total",
        "Number of resync notifications that handlers did not ask for."},
       listener_.suppressed},
      {{"informer_merged_notifications_total",
        "Number of notifications merged with others in a full queue."},
       listener_.merged}};
  for (const auto& each : counters) {
    KUBE_RETURN_IF_ERROR(Make(provider, labels, each.name, each.counter));
  }
  for (const auto& each : kCounted) {
    Counted& counted = counted_.emplace_back(Counted{.field = each.field, .counter = {}});
    KUBE_RETURN_IF_ERROR(Make(provider, labels, each.name, counted.counter));
  }
  const struct {
    CounterName name;
    base::Gauge& gauge;
  } gauges[] = {
      {{"informer_last_event_timestamp_seconds",
        "Unix time of the last event received from the server, in seconds."},
       last_event_},
      {{"informer_stored_objects", "Number of objects in the store."}, stored_},
      {{"informer_queued_items", "Number of items currently queued in the FIFO."}, queued_},
      {{"informer_store_resource_version",
        "The 15 least significant digits of the resource version of the store."},
       store_version_}};
  for (const auto& each : gauges) {
    KUBE_RETURN_IF_ERROR(Make(provider, labels, each.name, each.gauge));
  }
  KUBE_ASSIGN_OR_RETURN(
      const base::HistogramVec histograms,
      provider.MakeHistogram(
          {.name = "informer_processing_latency_seconds",
           .help = "Time taken to process events after popping from the queue.",
           .label_names = LabelNames(),
           .buckets = {0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}}));
  latency_ = histograms.WithLabelValues(labels);
  return absl::OkStatus();
}

void InformerMetrics::Observe(const ReflectorStatus& status) {
  if (!enabled_) return;
  for (Counted& counted : counted_) {
    const int64_t now = status.counters.*counted.field;
    counted.counter.Increment(static_cast<uint64_t>(now - counted.seen));
    counted.seen = now;
  }
  if (!status.last_heard.has_value()) return;
  base::Runtime& runtime = base::Runtime::Current();
  const absl::Time heard = runtime.WallNow() - (runtime.Now() - *status.last_heard);
  last_event_.Set(absl::ToDoubleSeconds(heard - absl::UnixEpoch()));
}

void InformerMetrics::OnBatch(absl::Duration took, size_t queued, const listers::AnyStore& store) {
  if (!enabled_) return;
  latency_.Observe(absl::ToDoubleSeconds(took));
  queued_.Set(static_cast<double>(queued));
  const listers::AnySnapshot state = store.snapshot();
  stored_.Set(static_cast<double>(state.size()));
  store_version_.Set(StoreVersion(state.resource_version()));
}

}  // namespace kube::informers::internal
