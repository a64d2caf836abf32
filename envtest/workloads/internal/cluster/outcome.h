#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_OUTCOME_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_OUTCOME_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::envtest::internal {

// The result of one pass over a cluster. Thread-compatible.
class Outcome {
 public:
  // Records the result of a write and returns whether it succeeded. A failure is logged at level 1
  // and makes failed() true, so that another pass follows.
  bool Note(const absl::Status& status, absl::string_view what);
  // Requests another pass after this time, even if nothing changes.
  void LookAgainAfter(absl::Duration delay);

  bool failed() const { return failed_; }
  absl::Duration again() const { return again_; }

 private:
  bool failed_ = false;
  absl::Duration again_ = absl::InfiniteDuration();
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_OUTCOME_H_
