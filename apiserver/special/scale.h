#ifndef APISERVER_SPECIAL_SCALE_H_
#define APISERVER_SPECIAL_SCALE_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves get, update and patch of the subresource scale of Deployments, ReplicaSets, StatefulSets,
// ReplicationControllers, and custom resources that define its paths.
absl::StatusOr<httpserver::Response> ServeScale(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_SCALE_H_
