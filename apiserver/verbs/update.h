#ifndef APISERVER_VERBS_UPDATE_H_
#define APISERVER_VERBS_UPDATE_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves an update. Errors carry a Status for the client.
absl::StatusOr<httpserver::Response> ServeUpdate(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_UPDATE_H_
