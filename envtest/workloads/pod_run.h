#ifndef ENVTEST_WORKLOADS_POD_RUN_H_
#define ENVTEST_WORKLOADS_POD_RUN_H_

#include <cstdint>

#include "absl/time/time.h"

namespace kube::envtest {

// What becomes of a pod that has got a node.
struct PodRun {
  // Until it is Running and Ready. Default: at once. absl::InfiniteDuration(): never; it stays
  // Pending.
  absl::Duration ready_after = absl::ZeroDuration();
  // From then until its containers end. Default: never. Zero: it is seen running, and then ends.
  absl::Duration ends_after = absl::InfiniteDuration();
  // With which they end. Default: 0, and the pod is Succeeded; otherwise Failed. Containers are not
  // started again, whatever the restart policy.
  int32_t exit_code = 0;
  // From its deletion until it is gone. Default: at once.
  absl::Duration stops_after = absl::ZeroDuration();
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_POD_RUN_H_
