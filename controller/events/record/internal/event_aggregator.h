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

// An event, and what it is to be counted under.
struct AggregatedEvent {
  api::core::v1::Event event = {};
  std::string key = {};
};

// Combines similar events into one. Pure but for what it remembers. Thread-compatible.
// (record.EventAggregator)
class EventAggregator {
 public:
  // Whose functions are not null.
  explicit EventAggregator(const CorrelatorOptions& options);

  // The event itself under its own key, or, where too many of its group were there of late, a new
  // one for all of them under the key of the group. (EventAggregate)
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
