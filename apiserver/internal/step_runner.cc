#include "apiserver/internal/step_runner.h"

#include "absl/functional/function_ref.h"
#include "apimachinery/base/mutex.h"

namespace kube::apiserver::internal {

void StepRunner::Release() {
  base::MutexLock lock(mutex_);
  running_ = false;
}

bool StepRunner::Run(absl::FunctionRef<bool()> step) {
  {
    base::MutexLock lock(mutex_);
    requested_ = true;
    if (running_ || ended_) return true;
    running_ = true;
  }
  while (true) {
    {
      base::MutexLock lock(mutex_);
      if (!requested_ || ended_) {
        running_ = false;
        return true;
      }
      requested_ = false;
    }
    if (!step()) break;
  }
  Release();
  return false;
}

void StepRunner::Request() {
  base::MutexLock lock(mutex_);
  requested_ = true;
}

void StepRunner::End() {
  base::MutexLock lock(mutex_);
  ended_ = true;
}

}  // namespace kube::apiserver::internal
