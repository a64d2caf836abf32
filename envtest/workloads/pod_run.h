#ifndef ENVTEST_WORKLOADS_POD_RUN_H_
#define ENVTEST_WORKLOADS_POD_RUN_H_

#include <cstdint>

#include "absl/time/time.h"

namespace kube::envtest {

// How a pod behaves once it has a node.
struct PodRun {
  // Time until it is Running and Ready. Zero, the default: at once. absl::InfiniteDuration(): it
  // stays Pending.
  absl::Duration ready_after = absl::ZeroDuration();
  // Time from then until its containers end. Default: never. Zero: they end once it was seen
  // running.
  absl::Duration ends_after = absl::InfiniteDuration();
  // Exit code of its containers. Zero, the default: the pod becomes Succeeded; otherwise Failed.
  // Containers are not started again, whatever the restart policy.
  int32_t exit_code = 0;
  // Time from its deletion until it is gone. Zero, the default: at once.
  absl::Duration stops_after = absl::ZeroDuration();
};

}  // namespace kube::envtest

#endif  // ENVTEST_WORKLOADS_POD_RUN_H_
