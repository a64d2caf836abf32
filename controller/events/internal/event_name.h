#ifndef CONTROLLER_EVENTS_INTERNAL_EVENT_NAME_H_
#define CONTROLLER_EVENTS_INTERNAL_EVENT_NAME_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::events::internal {

// Returns a name such as "web-0.187a5e1f0c2b3d44": the name of the object and the time in
// nanoseconds. Returns a random UUID if that is not a valid name, for example for a role with
// colons. (client-go: `util.GenerateEventName`)
std::string GenerateEventName(absl::string_view object_name, absl::Time time);

// Returns whether `type` is "Normal" or "Warning"; a server accepts no others.
// (client-go: `util.ValidateEventType`)
bool IsEventType(absl::string_view type);

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_EVENT_NAME_H_
