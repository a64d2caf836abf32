#ifndef CONTROLLER_EVENTS_INTERNAL_WRITE_ERRORS_H_
#define CONTROLLER_EVENTS_INTERNAL_WRITE_ERRORS_H_

#include "absl/status/status.h"

// What an error of a sink means. Pure functions.
namespace kube::events::internal {

// Whether what was to be changed is not there. As upstream it is the code that counts, not the
// reason. (util.IsKeyNotFoundError)
bool IsKeyNotFound(const absl::Status& error);

// Whether the event is to be given up: a server has answered, whatever it said, or the request
// could not even be made. All else is worth another try: nobody answered.
bool IsFinal(const absl::Status& error);

// Whether this is business as usual: the namespace is about to go, or the event is there already.
bool IsExpected(const absl::Status& error);

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_WRITE_ERRORS_H_
