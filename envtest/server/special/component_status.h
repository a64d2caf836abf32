#ifndef ENVTEST_SERVER_SPECIAL_COMPONENT_STATUS_H_
#define ENVTEST_SERVER_SPECIAL_COMPONENT_STATUS_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers get and list of component statuses.
absl::StatusOr<httpserver::Response> ServeComponentStatus(Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_COMPONENT_STATUS_H_
