#ifndef APISERVER_SPECIAL_COMPONENT_STATUS_H_
#define APISERVER_SPECIAL_COMPONENT_STATUS_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves get and list of component statuses.
absl::StatusOr<httpserver::Response> ServeComponentStatus(Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_COMPONENT_STATUS_H_
