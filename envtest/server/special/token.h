#ifndef ENVTEST_SERVER_SPECIAL_TOKEN_H_
#define ENVTEST_SERVER_SPECIAL_TOKEN_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers serviceaccounts/token.
absl::StatusOr<httpserver::Response> ServeToken(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_TOKEN_H_
