#ifndef APISERVER_VERBS_GET_H_
#define APISERVER_VERBS_GET_H_

#include "absl/status/statusor.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Serves a get. Errors carry a Status for the client.
absl::StatusOr<Answer> ServeGet(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_GET_H_
