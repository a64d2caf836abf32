#ifndef ENVTEST_WORKLOADS_INTERNAL_OUTCOME_H_
#define ENVTEST_WORKLOADS_INTERNAL_OUTCOME_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::envtest::internal {

// How one pass over a cluster went. Thread-compatible.
class Outcome {
 public:
  // What became of a write: whether it was done. What was not is to be tried again; it is logged at
  // level 1.
  bool Note(const absl::Status& status, absl::string_view what);
  // Nothing may change, but there is something to do after this time.
  void LookAgainAfter(absl::Duration delay);

  bool failed() const { return failed_; }
  absl::Duration again() const { return again_; }

 private:
  bool failed_ = false;
  absl::Duration again_ = absl::InfiniteDuration();
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_OUTCOME_H_
