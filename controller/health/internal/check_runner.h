#ifndef CONTROLLER_HEALTH_INTERNAL_CHECK_RUNNER_H_
#define CONTROLLER_HEALTH_INTERNAL_CHECK_RUNNER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "controller/health/health_check.h"

namespace kube::health::internal {

// Runs a check on a thread of its own, so that one that hangs holds nobody up. Those who ask while
// it runs share its result: there is one run at a time, however many ask. Nobody waits on a thread:
// results are delivered by calls.
//
// Its time is that of the thread that starts it. Thread-safe after Start.
class CheckRunner {
 public:
  // `timeout` is how long a run may take until it counts as failed.
  CheckRunner(HealthCheck check, absl::Duration timeout);

  // RESOURCE_EXHAUSTED when the system has no thread left.
  absl::Status Start(const Context& ctx);

  // Receives the result of a run.
  using Callback = absl::AnyInvocable<void(const absl::Status& result)>;

  // Begins a run, unless one is under way, and calls `done` with its result when it is over;
  // with DEADLINE_EXCEEDED when it has taken longer than the timeout, at once if it has already.
  // Does not block. `done` is called once, without locks, by the check's thread, the thread of
  // timers or this one, and must not block; it is dropped where this object goes first.
  void Ask(Callback done) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& name() const { return check_.name; }

 private:
  void Work(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // The run of this number has taken too long.
  void GiveUp(int64_t run) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Late() const;
  static void TellAll(std::vector<Callback>& waiting, const absl::Status& result);

  const HealthCheck check_;
  const absl::Duration timeout_;

  base::Mutex mutex_;
  base::CondVar changed_;
  int64_t begun_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t ended_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_late_ ABSL_GUARDED_BY(mutex_) = false;  // the run that is under way
  std::vector<Callback> waiting_ ABSL_GUARDED_BY(mutex_);

  base::Thread thread_;
};

}  // namespace kube::health::internal

#endif  // CONTROLLER_HEALTH_INTERNAL_CHECK_RUNNER_H_
