#ifndef APISERVER_STREAMING_REMOTE_COMMAND_H_
#define APISERVER_STREAMING_REMOTE_COMMAND_H_

#include "absl/status/statusor.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Serve pods/exec and pods/attach with the containers of the core: check what kube-apiserver and
// the kubelet check before the upgrade, and answer with a session that runs the function of the
// container. What goes wrong later is told to the client by the session.
absl::StatusOr<Answer> ServeExec(Core& core, Call& call);
absl::StatusOr<Answer> ServeAttach(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_REMOTE_COMMAND_H_
