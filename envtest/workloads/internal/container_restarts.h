#ifndef ENVTEST_WORKLOADS_INTERNAL_CONTAINER_RESTARTS_H_
#define ENVTEST_WORKLOADS_INTERNAL_CONTAINER_RESTARTS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/container_restart.h"

// What a kubelet writes to a pod's status when one of its containers ends and is started again.
// Pure functions; each changes `pod.status`.
namespace kube::envtest::internal {

// The container has terminated; it and the pod are not ready. NOT_FOUND: the pod has no such
// container. FAILED_PRECONDITION: it is not running, or the pod's restartPolicy does not let it be
// started again.
absl::Status EndContainer(api::core::v1::Pod& pod, absl::string_view container,
                          const ContainerRestart& restart, absl::Time now);

// It waits in CrashLoopBackOff, and how it ended is its last state. Errors as above, when it has
// not terminated.
absl::Status BackOffContainer(api::core::v1::Pod& pod, absl::string_view container,
                              const ContainerRestart& restart, absl::Time now);

// It runs again, with another container ID and one restart more. The pod is ready if all its
// containers are. FAILED_PRECONDITION: it has neither terminated nor waits.
absl::Status StartContainerAgain(api::core::v1::Pod& pod, absl::string_view container,
                                 absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CONTAINER_RESTARTS_H_
