#ifndef ENVTEST_WORKLOADS_CONTAINER_RESTART_H_
#define ENVTEST_WORKLOADS_CONTAINER_RESTART_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"

namespace kube::envtest {

// How a container ends before it is started again.
struct ContainerRestart {
  // Exit code. Default: 1.
  int32_t exit_code = 1;
  // Reason in the status, such as "OOMKilled". Empty, the default: "Completed" for exit code zero,
  // otherwise "Error".
  std::string reason = {};
  // How long the container stays in CrashLoopBackOff before it is started again. A kubelet waits
  // ten seconds the second time, and up to five minutes. Zero, the default: it is started at once.
  absl::Duration back_off = absl::ZeroDuration();
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_CONTAINER_RESTART_H_
