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

// Runs a check on its own thread, so that a check that hangs blocks nobody. There is one run at a
// time; requests that arrive during a run share its result. Results are delivered by callbacks, so
// no thread waits for them.
//
// Uses the Runtime of the thread that calls Start. Thread-safe after Start.
class CheckRunner {
 public:
  // `timeout` is the time after which a run counts as failed.
  CheckRunner(HealthCheck check, absl::Duration timeout);

  // Starts the thread. Returns RESOURCE_EXHAUSTED if the system cannot create one.
  absl::Status Start(const Context& ctx);

  // Receives the result of a run.
  using Callback = absl::AnyInvocable<void(const absl::Status& result)>;

  // Starts a run unless one is in progress, and calls `done` with its result. Calls it with
  // DEADLINE_EXCEEDED when the run exceeds the timeout, or at once if it already has. Does not
  // block. `done` is called once, without locks, on the check's thread, the timer thread or the
  // calling thread, and must not block. It is dropped if this object is destroyed first.
  void Ask(Callback done) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& name() const { return check_.name; }

 private:
  void Work(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Reports run number `run` as late if it is still in progress.
  void GiveUp(int64_t run) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Late() const;
  static void TellAll(std::vector<Callback>& waiting, const absl::Status& result);

  const HealthCheck check_;
  const absl::Duration timeout_;

  base::Mutex mutex_;
  base::CondVar changed_;
  int64_t begun_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t ended_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_late_ ABSL_GUARDED_BY(mutex_) = false;  // the present run has exceeded the timeout
  std::vector<Callback> waiting_ ABSL_GUARDED_BY(mutex_);

  base::Thread thread_;
};

}  // namespace kube::health::internal

#endif  // CONTROLLER_HEALTH_INTERNAL_CHECK_RUNNER_H_
