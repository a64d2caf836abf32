#ifndef ENVTEST_SERVER_SPECIAL_EVICTION_H_
#define ENVTEST_SERVER_SPECIAL_EVICTION_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers pods/eviction: the pod is deleted, and says why until it has gone.
absl::StatusOr<httpserver::Response> ServeEviction(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_EVICTION_H_
