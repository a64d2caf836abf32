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
  // Seconds of this runtime in one of the other.
  double rate = 1.0;
  // How far the time of day is off.
  absl::Duration wall_skew = absl::ZeroDuration();
};

// A machine of its own in a simulation: its clocks go wrong, and it stands still when told to. All
// threads that are started in it live by it, and so does whatever they call: a RuntimeScope enters.
//
// Everything else is that of the runtime below, so that the run stays one of its seed. Code that is
// not waiting goes on during a pause, until it waits: in a simulation that takes no time.
//
// Create, use and destroy it within the simulation. Thread-safe as far as simulated threads are.
class DriftingRuntime final : public base::Runtime {
 public:
  // `below` outlives this.
  DriftingRuntime(base::Runtime& below, DriftingOptions options);
  ~DriftingRuntime() override;

  // All its threads stand still from their next wait on until then, by the clock below.
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
  const base::MonotonicTime start_;  // below; here it is zero
  const absl::Time wall_start_;
  base::MonotonicTime paused_until_;

  base::internal::TimerQueue timers_;
  bool stopping_ = false;
  base::Waiter* timer_waiter_ = nullptr;
  std::unique_ptr<base::RunningThread> timer_thread_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TESTING_DRIFTING_RUNTIME_H_
