#ifndef CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_KEYS_H_
#define CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_KEYS_H_

#include <string>

#include "api/core/v1/types.kube.h"
#include "controller/events/record/correlator_options.h"

// The keys by which the correlator recognises events. client-go concatenates the parts of a key;
// these functions put a separator between them, so that different objects never have the same key.
namespace kube::record::internal {

// Key of equal events: source, object with field path, type, reason and message.
// (client-go: `getEventKey`)
std::string EventKey(const api::core::v1::Event& event);

// Key for the spam filter: source, object and type. (client-go: `getSpamKey`)
std::string SpamKey(const api::core::v1::Event& event);

// Key of similar events: source, object, type, reason and reporter; the local key is the message.
// (client-go: `EventAggregatorByReasonFunc`)
AggregateKey AggregateByReason(const api::core::v1::Event& event);

}  // namespace kube::record::internal

#endif  // CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_KEYS_H_
