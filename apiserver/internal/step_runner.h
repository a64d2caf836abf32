#ifndef APISERVER_INTERNAL_STEP_RUNNER_H_
#define APISERVER_INTERNAL_STEP_RUNNER_H_

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "apimachinery/base/mutex.h"

namespace kube::apiserver::internal {

// Runs a step, such as writing the next piece of an answer, whenever something may have made it
// due: a change, a drained buffer, a timer. One thread at a time runs it, and as often as
// necessary: a call while another thread runs the step makes that thread run it once more. So no
// wake-up is lost, no thread waits, and pieces keep their order. Thread-safe.
class StepRunner {
 public:
  // Nothing runs until Release, so that everything that Run is called by can be set up first.
  StepRunner() = default;
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;
  void Release() ABSL_LOCKS_EXCLUDED(mutex_);

  // Runs `step`, which is the same in all calls, until it is no longer due; or returns at once if
  // another thread, or the step itself, is in this call. `step` returns false if it was the last
  // one; Run then returns false, and the caller ends what it writes.
  bool Run(absl::FunctionRef<bool()> step) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes the step that is running run once more.
  void Request() ABSL_LOCKS_EXCLUDED(mutex_);
  // Nothing runs afterwards, except for a step that is running.
  void End() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  base::Mutex mutex_;
  bool running_ ABSL_GUARDED_BY(mutex_) = true;
  bool requested_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_INTERNAL_STEP_RUNNER_H_
