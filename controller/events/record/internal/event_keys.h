#ifndef CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_KEYS_H_
#define CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_KEYS_H_

#include <string>

#include "api/core/v1/types.kube.h"
#include "controller/events/record/correlator_options.h"

// By what the correlator knows events again. Upstream writes the parts of a key one after the
// other; here there is something between them, so that no two objects have the same key.
namespace kube::record::internal {

// Of equal events: source, object with its field path, type, reason, message. (getEventKey)
std::string EventKey(const api::core::v1::Event& event);

// Of what has a burst of its own: source, object, type. (getSpamKey)
std::string SpamKey(const api::core::v1::Event& event);

// Of similar events: source, object, type, reason and who reports; they differ in their messages.
// (EventAggregatorByReasonFunc)
AggregateKey AggregateByReason(const api::core::v1::Event& event);

}  // namespace kube::record::internal

#endif  // CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_KEYS_H_
