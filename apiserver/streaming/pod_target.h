#ifndef APISERVER_STREAMING_POD_TARGET_H_
#define APISERVER_STREAMING_POD_TARGET_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"

// The checks that requests to the node of a pod have in common, with kube-apiserver's errors
// (kube-apiserver: `pkg/registry/core/pod`). Thread-safe.
namespace kube::apiserver::internal {

// Returns the pod of a call about one of its subresources.
absl::StatusOr<ObjectPtr> PodOf(const Core& core, const Call& call);

// Sets `name` to the only container of the pod if it is empty, and checks it otherwise. Containers
// are also those that initialize the pod, and those that debug it.
absl::Status ChooseContainer(const api::core::v1::Pod& pod, std::string& name);

// Returns a 400 if the pod has no node, so that nobody can be asked.
absl::Status CheckHasNode(const api::core::v1::Pod& pod);

// Returns a 403 unless the user may also create the subresource, whatever the method of the request
// is: a WebSocket is a GET, and would else need less than SPDY.
absl::Status CheckMayCreate(const Core& core, const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_POD_TARGET_H_
