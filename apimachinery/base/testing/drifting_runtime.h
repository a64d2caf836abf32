#ifndef APIMACHINERY_BASE_TESTING_DRIFTING_RUNTIME_H_
#define APIMACHINERY_BASE_TESTING_DRIFTING_RUNTIME_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

struct DriftingOptions {
  // How many seconds pass in this runtime per second of the runtime below.
  double rate = 1.0;
  // The offset of the time of day.
  absl::Duration wall_skew = absl::ZeroDuration();
};

// Imitates a machine in a simulation whose clocks drift and that can be paused. All threads that
// are started in it use its clocks, and so does code within a RuntimeScope of it.
//
// Everything else comes from the runtime below, so that the run still depends on the seed alone. A
// pause begins at a thread's next wait; code that does not wait goes on, which takes no time in a
// simulation.
//
// As its monotonic clock is not that of the runtime below, it needs timers and a thread for them,
// which the destructor joins. For a time of day that jumps, and nothing else, take SimWallClock,
// which needs neither.
//
// Create, use and destroy it within the simulation. Its fields have no lock: only simulated threads
// may use it.
class DriftingRuntime final : public base::Runtime {
 public:
  // `below` must outlive this object.
  DriftingRuntime(base::Runtime& below, DriftingOptions options);
  ~DriftingRuntime() override;

  // Pauses all its threads, from their next wait until `time_below` on the clock of the runtime
  // below.
  void PauseUntil(base::MonotonicTime time_below) { paused_until_ = time_below; }

  base::MonotonicTime Now() override;
  absl::Time WallNow() override;
  uint64_t Random() override { return below_.Random(); }
  absl::StatusOr<std::unique_ptr<base::RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) override;
  base::Waiter& ThisThread() override { return below_.ThisThread(); }
  void Park(base::MonotonicTime deadline, const base::WaitSite& site) override;
  base::internal::TimerQueue& timers() override { return timers_; }

 private:
  base::MonotonicTime ToBelow(base::MonotonicTime own) const;
  void OnTimerAdded();
  void RunTimers();

  base::Runtime& below_;
  const DriftingOptions options_;
  const base::MonotonicTime start_;  // on the clock below; here it is zero
  const absl::Time wall_start_;
  base::MonotonicTime paused_until_;

  base::internal::TimerQueue timers_;
  bool stopping_ = false;
  base::Waiter* timer_waiter_ = nullptr;
  std::unique_ptr<base::RunningThread> timer_thread_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TESTING_DRIFTING_RUNTIME_H_
