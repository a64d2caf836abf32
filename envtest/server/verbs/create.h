#ifndef ENVTEST_SERVER_VERBS_CREATE_H_
#define ENVTEST_SERVER_VERBS_CREATE_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers a create. Errors carry the Status for the client.
absl::StatusOr<httpserver::Response> ServeCreate(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_VERBS_CREATE_H_
