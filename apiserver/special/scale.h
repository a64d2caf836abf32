#ifndef APISERVER_SPECIAL_SCALE_H_
#define APISERVER_SPECIAL_SCALE_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// get, update and patch of the subresource scale: of Deployment, ReplicaSet, StatefulSet and
// ReplicationController, and of custom resources, by their paths.
absl::StatusOr<httpserver::Response> ServeScale(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_SCALE_H_
