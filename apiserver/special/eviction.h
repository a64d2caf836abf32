#ifndef APISERVER_SPECIAL_EVICTION_H_
#define APISERVER_SPECIAL_EVICTION_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves pods/eviction: asks the disruption budgets of a running pod, sets the condition
// DisruptionTarget on the pod, and deletes it. Returns TooManyRequests if a budget does not allow
// it; without a controller that keeps the status of budgets up to date, none does.
// (kube-apiserver: `EvictionREST`)
absl::StatusOr<httpserver::Response> ServeEviction(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_EVICTION_H_
