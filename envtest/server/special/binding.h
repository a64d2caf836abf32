#ifndef ENVTEST_SERVER_SPECIAL_BINDING_H_
#define ENVTEST_SERVER_SPECIAL_BINDING_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers pods/binding, and bindings as a resource of their own: the pod gets its node.
absl::StatusOr<httpserver::Response> ServeBinding(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_BINDING_H_
