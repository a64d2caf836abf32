#ifndef APISERVER_SPECIAL_BINDING_H_
#define APISERVER_SPECIAL_BINDING_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves pods/binding and bindings: assigns the pod to a node.
absl::StatusOr<httpserver::Response> ServeBinding(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_BINDING_H_
