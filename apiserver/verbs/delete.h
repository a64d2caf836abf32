#ifndef APISERVER_VERBS_DELETE_H_
#define APISERVER_VERBS_DELETE_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves a delete. Errors carry a Status for the client.
absl::StatusOr<httpserver::Response> ServeDelete(Core& core, Call& call);

// Serves a deletecollection. Errors carry a Status for the client.
absl::StatusOr<httpserver::Response> ServeDeleteCollection(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_DELETE_H_
