#ifndef CONTROLLER_EVENTS_RECORD_CORRELATOR_OPTIONS_H_
#define CONTROLLER_EVENTS_RECORD_CORRELATOR_OPTIONS_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"

namespace kube::record {

// The key of an event for aggregation.
struct AggregateKey {
  std::string group = {};  // common to similar events
  std::string local = {};  // distinguishes the events of a group
};

// How a recorder avoids flooding a server: similar events are combined, equal ones are counted, and
// events above a rate are dropped. (client-go: `record.CorrelatorOptions`)
struct CorrelatorOptions {
  // Number of groups, of events and of objects to remember. What was forgotten counts as new. At
  // least 1. Default: 4096.
  size_t lru_cache_size = 4096;

  // Limits the events of one type about one object from one source: `burst_size` at once, then
  // `qps` per second. Both must be positive. Default: 25, then one per five minutes.
  int burst_size = 25;
  double qps = 1.0f / 300;

  // When a group has this many different events, further new ones are combined into one event,
  // which is counted, until the group has had no event for longer than `max_interval`. At least 1.
  // Default: 10 events, 10 minutes.
  int max_events = 10;
  absl::Duration max_interval = absl::Minutes(10);

  // Computes the aggregation key. Null, the default: events of the same source, object, type and
  // reason form a group and differ in their messages. (client-go: `EventAggregatorByReasonFunc`)
  std::function<AggregateKey(const api::core::v1::Event&)> key_func = nullptr;
  // Returns the message of a combined event. Null, the default: "(combined from similar events): "
  // and the message of the last event. (client-go: `EventAggregatorByReasonMessageFunc`)
  std::function<std::string(const api::core::v1::Event&)> message_func = nullptr;
  // Returns the key to which `burst_size` and `qps` apply. Null, the default: source, object and
  // type. (client-go: `EventSpamKeyFunc`)
  std::function<std::string(const api::core::v1::Event&)> spam_key_func = nullptr;
};

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_CORRELATOR_OPTIONS_H_
