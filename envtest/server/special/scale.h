#ifndef ENVTEST_SERVER_SPECIAL_SCALE_H_
#define ENVTEST_SERVER_SPECIAL_SCALE_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// get, update and patch of the subresource scale: of Deployment, ReplicaSet, StatefulSet and
// ReplicationController, and of custom resources, by their paths.
absl::StatusOr<httpserver::Response> ServeScale(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_SCALE_H_
