#ifndef ENVTEST_SERVER_VERBS_UPDATE_H_
#define ENVTEST_SERVER_VERBS_UPDATE_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers an update. Errors carry the Status for the client.
absl::StatusOr<httpserver::Response> ServeUpdate(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_VERBS_UPDATE_H_
