#ifndef CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_AGGREGATOR_H_
#define CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_AGGREGATOR_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/internal/lru_cache.h"
#include "controller/events/record/correlator_options.h"

namespace kube::record::internal {

// An event, and the key under which it is counted.
struct AggregatedEvent {
  api::core::v1::Event event = {};
  std::string key = {};
};

// Combines similar events into one. Reads no clock and does no I/O. Thread-compatible.
// (client-go: `record.EventAggregator`)
class EventAggregator {
 public:
  // The functions in `options` must not be null.
  explicit EventAggregator(const CorrelatorOptions& options);

  // Returns the event itself with its own key; or, if its group has too many recent events, a
  // combined event with the key of the group. (client-go: `EventAggregate`)
  AggregatedEvent Aggregate(const api::core::v1::Event& event,
                            const events::internal::ClockReading& now);

 private:
  struct Group {
    absl::flat_hash_set<std::string> local_keys;  // fewer than max_events
    base::MonotonicTime last;
  };

  const CorrelatorOptions options_;
  events::internal::LruCache<Group> groups_;
};

}  // namespace kube::record::internal

#endif  // CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_AGGREGATOR_H_
