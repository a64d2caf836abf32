#include "controller/events/record/internal/event_correlator.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/flowcontrol/token_bucket.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/record/correlator_options.h"
#include "controller/events/record/internal/event_aggregator.h"
#include "controller/events/record/internal/event_keys.h"

namespace kube::record::internal {
namespace {

namespace corev1 = api::core::v1;

std::string CombinedMessage(const corev1::Event& event) {
  return absl::StrCat("(combined from similar events): ", event.message.view());
}

CorrelatorOptions Complete(CorrelatorOptions options) {
  KUBE_CHECK(options.burst_size > 0 && options.qps > 0)
      << "burst_size and qps must be greater than 0";
  KUBE_CHECK(options.max_events > 0) << "max_events must be greater than 0";
  if (options.key_func == nullptr) options.key_func = AggregateByReason;
  if (options.message_func == nullptr) options.message_func = CombinedMessage;
  if (options.spam_key_func == nullptr) options.spam_key_func = SpamKey;
  return options;
}

}  // namespace

EventCorrelator::EventCorrelator(const CorrelatorOptions& options)
    : options_(Complete(options)),
      aggregator_(options_),
      log_(options_.lru_cache_size),
      buckets_(options_.lru_cache_size) {}

absl::StatusOr<CorrelatedEvent> EventCorrelator::Correlate(
    const corev1::Event& event, const events::internal::ClockReading& now) {
  AggregatedEvent aggregated = aggregator_.Aggregate(event, now);
  absl::StatusOr<std::string> patch = log_.Observe(aggregated.event, aggregated.key);
  if (IsSpam(aggregated.event, now.monotonic)) return CorrelatedEvent{.skip = true};
  if (!patch.ok()) return base::Annotate(patch.status(), "make patch of event");
  return CorrelatedEvent{.event = std::move(aggregated.event), .patch = *std::move(patch)};
}

bool EventCorrelator::IsSpam(const corev1::Event& event, base::MonotonicTime now) {
  const std::string key = options_.spam_key_func(event);
  flowcontrol::TokenBucket* bucket = buckets_.Get(key);
  if (bucket == nullptr) {
    buckets_.Add(key, flowcontrol::TokenBucket(options_.qps, options_.burst_size));
    bucket = buckets_.Get(key);
  }
  return !bucket->TryTake(now);
}

}  // namespace kube::record::internal
