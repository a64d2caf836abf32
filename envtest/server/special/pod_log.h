#ifndef ENVTEST_SERVER_SPECIAL_POD_LOG_H_
#define ENVTEST_SERVER_SPECIAL_POD_LOG_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers pods/log with what ApiHandler::SetPodLog has set.
absl::StatusOr<httpserver::Response> ServeLog(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_POD_LOG_H_
