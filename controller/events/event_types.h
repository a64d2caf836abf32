#ifndef CONTROLLER_EVENTS_EVENT_TYPES_H_
#define CONTROLLER_EVENTS_EVENT_TYPES_H_

#include "absl/strings/string_view.h"

// The types of events; a server accepts no others. (client-go: `corev1.EventTypeNormal`,
// `corev1.EventTypeWarning`)
namespace kube::events {

// Informational: something went as expected.
inline constexpr absl::string_view kEventTypeNormal = "Normal";
// Something may need attention.
inline constexpr absl::string_view kEventTypeWarning = "Warning";

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_TYPES_H_
