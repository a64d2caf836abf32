#ifndef APISERVER_VERBS_WATCH_H_
#define APISERVER_VERBS_WATCH_H_

#include "absl/status/statusor.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Serves a watch. Errors carry a Status for the client.
absl::StatusOr<Answer> ServeWatch(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_WATCH_H_
