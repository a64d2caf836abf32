#include "controller/events/record/internal/event_aggregator.h"

#include <cstddef>
#include <utility>

#include "api/core/v1/types.kube.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/internal/event_name.h"
#include "controller/events/record/correlator_options.h"
#include "controller/events/record/internal/event_keys.h"

namespace kube::record::internal {
namespace {

namespace corev1 = api::core::v1;

// Makes the combined event. As in client-go, it has neither annotations nor a reporting component.
corev1::Event Combined(const corev1::Event& event, std::string message, absl::Time now) {
  corev1::Event combined;
  combined.metadata.name =
      events::internal::GenerateEventName(event.involved_object.name.view(), now);
  combined.metadata.namespace_ = event.metadata.namespace_;
  combined.count = 1;
  combined.first_timestamp = now;
  combined.last_timestamp = now;
  combined.involved_object = event.involved_object;
  combined.message = std::move(message);
  combined.type = event.type;
  combined.reason = event.reason;
  combined.source = event.source;
  return combined;
}

}  // namespace

EventAggregator::EventAggregator(const CorrelatorOptions& options)
    : options_(options), groups_(options.lru_cache_size) {}

AggregatedEvent EventAggregator::Aggregate(const corev1::Event& event,
                                           const events::internal::ClockReading& now) {
  AggregateKey key = options_.key_func(event);
  Group* group = groups_.Get(key.group);
  if (group == nullptr || now.monotonic - group->last > options_.max_interval) {
    groups_.Add(key.group, Group());
    group = groups_.Get(key.group);
  }
  group->last = now.monotonic;
  group->local_keys.insert(key.local);
  if (group->local_keys.size() < static_cast<size_t>(options_.max_events)) {
    return {.event = event, .key = EventKey(event)};
  }
  // Keeps the first keys, whose events exist and are still counted. client-go drops an arbitrary
  // key.
  group->local_keys.erase(key.local);
  return {.event = Combined(event, options_.message_func(event), now.wall),
          .key = std::move(key.group)};
}

}  // namespace kube::record::internal
