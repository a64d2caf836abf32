#ifndef CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_CORRELATOR_H_
#define CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_CORRELATOR_H_

#include <string>

#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/flowcontrol/token_bucket.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/internal/lru_cache.h"
#include "controller/events/record/correlator_options.h"
#include "controller/events/record/internal/event_aggregator.h"
#include "controller/events/record/internal/event_log.h"

namespace kube::record::internal {

// An event as it must be written.
struct CorrelatedEvent {
  api::core::v1::Event event = {};
  // Patch that updates the stored event of this name; empty for a new event, whose count is 1.
  std::string patch = {};
  // Whether the event was dropped by the spam filter and must not be written.
  bool skip = false;
};

// Combines, counts and filters events, in this order, so that filtered events are counted too.
// Reads no clock and does no I/O. Thread-compatible. (client-go: `record.EventCorrelator`)
class EventCorrelator {
 public:
  explicit EventCorrelator(const CorrelatorOptions& options);

  // Returns what to write for `event`, or an error if the patch cannot be made.
  // (client-go: `EventCorrelate`)
  absl::StatusOr<CorrelatedEvent> Correlate(const api::core::v1::Event& event,
                                            const events::internal::ClockReading& now);

  // Records the event that the server has returned. (client-go: `UpdateState`)
  void UpdateState(const api::core::v1::Event& stored) { log_.UpdateState(stored); }

 private:
  bool IsSpam(const api::core::v1::Event& event, base::MonotonicTime now);

  const CorrelatorOptions options_;
  EventAggregator aggregator_;
  EventLog log_;
  events::internal::LruCache<flowcontrol::TokenBucket> buckets_;
};

}  // namespace kube::record::internal

#endif  // CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_CORRELATOR_H_
