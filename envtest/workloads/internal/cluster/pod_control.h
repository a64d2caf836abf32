#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_POD_CONTROL_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_POD_CONTROL_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"

// Writes of the controllers, with the events that tell of them. (Go: controller_utils.go,
// stateful_pod_control.go)
namespace kube::envtest::internal {

// Returns the error with the server's message only, without what the client added.
absl::Status AsServerSays(const absl::Status& error);

// Create and delete a pod of a replica set, daemon set or job. `told` is about that controller.
// A creation that fails because the namespace is being deleted, and the deletion of a pod that has
// gone already, have no event. (Go: `RealPodControl`)
absl::Status CreatePod(const Context& ctx, Cluster& cluster, const api::core::v1::Pod& pod,
                       const ObjectEvents& told);
absl::Status DeletePod(const Context& ctx, Cluster& cluster, const api::core::v1::Pod& pod,
                       const ObjectEvents& told);

// Writes the event of a stateful set that a pod was or was not changed; `verb` is "Create",
// "Update" or "Delete". Returns `status`. (Go: `recordPodEvent`)
absl::Status TellOfPod(const Context& ctx, absl::string_view verb, absl::string_view set,
                       absl::string_view pod, const absl::Status& status, const ObjectEvents& told);

// Writes the event of a stateful set that a claim was or was not created. `pod` is the name of its
// pod. Returns `status`. (Go: `recordClaimEvent`)
absl::Status TellOfClaim(const Context& ctx, absl::string_view set, absl::string_view claim,
                         absl::string_view pod, const absl::Status& status,
                         const ObjectEvents& told);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_POD_CONTROL_H_
