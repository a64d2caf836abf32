#ifndef ENVTEST_WORKLOADS_INTERNAL_NODES_CONTAINER_RESTARTS_H_
#define ENVTEST_WORKLOADS_INTERNAL_NODES_CONTAINER_RESTARTS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/container_restart.h"

// The status changes that a kubelet makes when a container ends and is started again. Pure
// functions that change `pod.status`.
namespace kube::envtest::internal {

// Marks the container as terminated, and it and the pod as not ready. Returns NOT_FOUND if the pod
// has no such container, or FAILED_PRECONDITION if it is not running or the pod's restartPolicy
// forbids a restart.
absl::Status EndContainer(api::core::v1::Pod& pod, absl::string_view container,
                          const ContainerRestart& restart, absl::Time now);

// Puts a terminated container into CrashLoopBackOff, with the termination as its last state.
// Returns FAILED_PRECONDITION if it has not terminated; otherwise errors as above.
absl::Status BackOffContainer(api::core::v1::Pod& pod, absl::string_view container,
                              const ContainerRestart& restart, absl::Time now);

// Marks the container as running again, with a new container ID and one more restart. The pod is
// ready if all its containers are. Returns FAILED_PRECONDITION if the container has neither
// terminated nor waits.
absl::Status StartContainerAgain(api::core::v1::Pod& pod, absl::string_view container,
                                 absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_NODES_CONTAINER_RESTARTS_H_
