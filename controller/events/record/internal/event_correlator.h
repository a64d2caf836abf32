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

// What is to be written of an event.
struct CorrelatedEvent {
  api::core::v1::Event event = {};
  // Makes the stored event of that name this one; empty: it is new, as its count of 1 says.
  std::string patch = {};
  // There were too many: nothing is to be written.
  bool skip = false;
};

// Combines, counts and filters events, in this order, so that those it filters out are counted all
// the same. It asks no clock and sends nothing. Thread-compatible. (record.EventCorrelator)
class EventCorrelator {
 public:
  explicit EventCorrelator(const CorrelatorOptions& options);

  // An error: the patch could not be made. (EventCorrelate)
  absl::StatusOr<CorrelatedEvent> Correlate(const api::core::v1::Event& event,
                                            const events::internal::ClockReading& now);

  // What the server has made of it. (UpdateState)
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
