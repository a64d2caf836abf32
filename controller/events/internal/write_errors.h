#ifndef CONTROLLER_EVENTS_INTERNAL_WRITE_ERRORS_H_
#define CONTROLLER_EVENTS_INTERNAL_WRITE_ERRORS_H_

#include "absl/status/status.h"

// Classifies the errors of a sink. Pure functions: thread-safe.
namespace kube::events::internal {

// Returns whether the event to be patched does not exist. As in client-go, the code decides, not
// the reason. (client-go: `util.IsKeyNotFoundError`)
bool IsKeyNotFound(const absl::Status& error);

// Returns whether the event must be given up: the server has answered, or the request was invalid.
// Any other error means that nobody answered, and a retry may help.
bool IsFinal(const absl::Status& error);

// Returns whether the error is expected: the namespace is being deleted, or the event exists
// already.
bool IsExpected(const absl::Status& error);

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_WRITE_ERRORS_H_
