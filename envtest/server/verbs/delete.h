#ifndef ENVTEST_SERVER_VERBS_DELETE_H_
#define ENVTEST_SERVER_VERBS_DELETE_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers a delete. Errors carry the Status for the client.
absl::StatusOr<httpserver::Response> ServeDelete(Core& core, Call& call);

// Answers a deletecollection. Errors carry the Status for the client.
absl::StatusOr<httpserver::Response> ServeDeleteCollection(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_VERBS_DELETE_H_
