#ifndef CONTROLLER_EVENTS_RECORD_CORRELATOR_OPTIONS_H_
#define CONTROLLER_EVENTS_RECORD_CORRELATOR_OPTIONS_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"

namespace kube::record {

// Which events are similar.
struct AggregateKey {
  std::string group = {};  // of events that differ in little
  std::string local = {};  // what one differs in from others of its group
};

// How events are kept from flooding a server: similar ones are combined, equal ones counted, and
// what is still too much is dropped. (record.CorrelatorOptions)
struct CorrelatorOptions {
  // How many groups, events and objects are remembered each; of the others nobody knows that they
  // were there before. At least 1. Default: 4096.
  size_t lru_cache_size = 4096;

  // So many events of one type, about one object and from one source, are written at once; then
  // `qps` a second. Default: 25, and one in five minutes. Above zero.
  int burst_size = 25;
  double qps = 1.0f / 300;

  // From this many different events of a group on, those that are new are combined into one, which
  // is counted; until the group was quiet for longer than `max_interval`. Default: 10, 10 minutes.
  // At least 1.
  int max_events = 10;
  absl::Duration max_interval = absl::Minutes(10);

  // Default, when null: a group is of one source, object, type and reason, and its events differ in
  // their messages. (EventAggregatorByReasonFunc)
  std::function<AggregateKey(const api::core::v1::Event&)> key_func = nullptr;
  // The message of those combined. Default, when null: "(combined from similar events): " and that
  // of the last one. (EventAggregatorByReasonMessageFunc)
  std::function<std::string(const api::core::v1::Event&)> message_func = nullptr;
  // What has a burst of its own. Default, when null: source, object and type. (EventSpamKeyFunc)
  std::function<std::string(const api::core::v1::Event&)> spam_key_func = nullptr;
};

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_CORRELATOR_OPTIONS_H_
