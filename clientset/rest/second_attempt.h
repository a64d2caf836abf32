#ifndef CLIENTSET_REST_SECOND_ATTEMPT_H_
#define CLIENTSET_REST_SECOND_ATTEMPT_H_

#include "absl/status/status.h"

namespace kube::rest {

// Returns the error of a second attempt, by SPDY, whose message ends with that of the first one, by
// WebSocket. Its payloads are those of the second attempt.
absl::Status WithFirstError(const absl::Status& second, const absl::Status& first);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_SECOND_ATTEMPT_H_
