#ifndef APISERVER_VERBS_LIST_H_
#define APISERVER_VERBS_LIST_H_

#include "absl/status/statusor.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Serves a list. Errors carry a Status for the client.
absl::StatusOr<Answer> ServeList(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_LIST_H_
