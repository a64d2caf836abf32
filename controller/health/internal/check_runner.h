#ifndef CONTROLLER_HEALTH_INTERNAL_CHECK_RUNNER_H_
#define CONTROLLER_HEALTH_INTERNAL_CHECK_RUNNER_H_

#include <cstdint>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "controller/health/health_check.h"

namespace kube::health::internal {

// Runs a check on a thread of its own, so that one that hangs holds nobody up. Those who ask while
// it runs share what comes of it: there is one run at a time, however many ask.
//
// Thread-safe after Start.
class CheckRunner {
 public:
  // `timeout` is how long a run may take until it counts as failed.
  CheckRunner(HealthCheck check, absl::Duration timeout);

  // RESOURCE_EXHAUSTED when the system has no thread left.
  absl::Status Start(const Context& ctx);

  // Begins a run, unless one is under way, and names it. Does not block.
  int64_t Begin() ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks until that run is over, and answers what came of it; DEADLINE_EXCEEDED if it takes
  // longer than the timeout, all that while or since before; ctx.status().
  absl::Status Await(const Context& ctx, int64_t run) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& name() const { return check_.name; }

 private:
  void Work(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  const HealthCheck check_;
  const absl::Duration timeout_;

  base::Mutex mutex_;
  base::CondVar changed_;
  int64_t begun_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t ended_ ABSL_GUARDED_BY(mutex_) = 0;
  base::MonotonicTime began_at_ ABSL_GUARDED_BY(mutex_);
  absl::Status result_ ABSL_GUARDED_BY(mutex_);  // of the run that ended last

  base::Thread thread_;
};

}  // namespace kube::health::internal

#endif  // CONTROLLER_HEALTH_INTERNAL_CHECK_RUNNER_H_
