#ifndef APISERVER_ERRORS_UNKNOWN_PATH_H_
#define APISERVER_ERRORS_UNKNOWN_PATH_H_

#include "absl/status/status.h"

namespace kube::apiserver::internal {

// Returns what upstream says of a resource or subresource that does not exist: 404.
absl::Status NoSuchResource();
// Returns what upstream says of a verb that a resource does not have: 405.
absl::Status NoSuchMethod();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ERRORS_UNKNOWN_PATH_H_
