#ifndef CONTROLLER_RECONCILE_INTERNAL_STEPS_H_
#define CONTROLLER_RECONCILE_INTERNAL_STEPS_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"

namespace kube::controller::internal {

// What a reconcile does at the moment: steps within steps. The reconcile's thread enters and leaves
// them, other threads ask for the innermost one. Thread-safe; calls nothing with its lock held.
class Steps {
 public:
  Steps() = default;
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  void Enter(std::string what) ABSL_LOCKS_EXCLUDED(mutex_);
  // Leaves the innermost step.
  void Leave() ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the innermost step; empty if there is none.
  std::string Innermost() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable base::Mutex mutex_;
  std::vector<std::string> steps_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_STEPS_H_
