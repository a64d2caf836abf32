#ifndef ENVTEST_SERVER_ERRORS_UNKNOWN_PATH_H_
#define ENVTEST_SERVER_ERRORS_UNKNOWN_PATH_H_

#include "absl/status/status.h"

namespace kube::envtest::internal {

// Returns what upstream says of a resource or subresource that does not exist: 404.
absl::Status NoSuchResource();
// Returns what upstream says of a verb that a resource does not have: 405.
absl::Status NoSuchMethod();

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_ERRORS_UNKNOWN_PATH_H_
