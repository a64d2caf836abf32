#ifndef CONTROLLER_EVENTS_EVENT_TYPES_H_
#define CONTROLLER_EVENTS_EVENT_TYPES_H_

#include "absl/strings/string_view.h"

// The types of events; a server takes no others. (corev1.EventTypeNormal, EventTypeWarning)
namespace kube::events {

// For information: something went as it should.
inline constexpr absl::string_view kEventTypeNormal = "Normal";
// Something may need a person.
inline constexpr absl::string_view kEventTypeWarning = "Warning";

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_TYPES_H_
