#ifndef ENVTEST_WORKLOADS_CONTAINER_RESTART_H_
#define ENVTEST_WORKLOADS_CONTAINER_RESTART_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"

namespace kube::envtest {

// How a container ends before it is started again.
struct ContainerRestart {
  // With which it ends. Default: 1.
  int32_t exit_code = 1;
  // What the kubelet says of it, as "OOMKilled". Default, when empty: "Completed" for an exit code
  // of zero, otherwise "Error".
  std::string reason = {};
  // How long the container waits in CrashLoopBackOff before it is started again; a kubelet's is 10
  // seconds the second time, and up to five minutes. Default, zero: it is started at once.
  absl::Duration back_off = absl::ZeroDuration();
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_CONTAINER_RESTART_H_
