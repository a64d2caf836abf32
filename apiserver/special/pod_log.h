#ifndef APISERVER_SPECIAL_POD_LOG_H_
#define APISERVER_SPECIAL_POD_LOG_H_

#include "absl/status/statusor.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Serves pods/log with the core's logs, and with the errors of a kubelet. A log that is followed
// becomes a FollowedLog without its owner, which must be the core.
absl::StatusOr<Answer> ServeLog(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_POD_LOG_H_
