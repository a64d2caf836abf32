#ifndef APISERVER_STREAMING_PORT_FORWARD_H_
#define APISERVER_STREAMING_PORT_FORWARD_H_

#include "absl/status/statusor.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Serves pods/portforward with the ports of the pod's containers: checks what kube-apiserver and
// the kubelet check before the upgrade, and answers with a session.
absl::StatusOr<Answer> ServePortForward(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_PORT_FORWARD_H_
