#ifndef APISERVER_ERRORS_UNKNOWN_PATH_H_
#define APISERVER_ERRORS_UNKNOWN_PATH_H_

#include "absl/status/status.h"

namespace kube::apiserver::internal {

// Returns kube-apiserver's 404 for a resource or subresource that does not exist.
absl::Status NoSuchResource();
// Returns kube-apiserver's 405 for a verb that a resource does not support.
absl::Status NoSuchMethod();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ERRORS_UNKNOWN_PATH_H_
