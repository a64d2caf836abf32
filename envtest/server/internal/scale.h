#ifndef ENVTEST_SERVER_INTERNAL_SCALE_H_
#define ENVTEST_SERVER_INTERNAL_SCALE_H_

#include "envtest/server/internal/core.h"

namespace kube::envtest::internal {

// get, update and patch of the subresource scale: of Deployment, ReplicaSet, StatefulSet and
// ReplicationController, and of custom resources, by their paths.
Response ServeScale(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_SCALE_H_
