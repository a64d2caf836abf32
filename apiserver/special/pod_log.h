#ifndef APISERVER_SPECIAL_POD_LOG_H_
#define APISERVER_SPECIAL_POD_LOG_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves pods/log with the text of ApiHandler::SetPodLog.
absl::StatusOr<httpserver::Response> ServeLog(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_POD_LOG_H_
