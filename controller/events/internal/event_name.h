#ifndef CONTROLLER_EVENTS_INTERNAL_EVENT_NAME_H_
#define CONTROLLER_EVENTS_INTERNAL_EVENT_NAME_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::events::internal {

// "web-0.187a5e1f0c2b3d44": the name of the object and the time in nanoseconds. A random UUID where
// that is no name of an event, as of roles with colons. (util.GenerateEventName)
std::string GenerateEventName(absl::string_view object_name, absl::Time time);

// "Normal" and "Warning": a server takes no others. (util.ValidateEventType)
bool IsEventType(absl::string_view type);

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_EVENT_NAME_H_
