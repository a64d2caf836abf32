#ifndef APIMACHINERY_BASE_TESTING_SIM_WALL_CLOCK_H_
#define APIMACHINERY_BASE_TESTING_SIM_WALL_CLOCK_H_

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

// Imitates a machine whose time of day jumps, as NTP or an operator makes it jump, while the
// monotonic time goes on. All threads that are started in it have it as their runtime, and so has
// code within a RuntimeScope of it. Everything else comes from the runtime below, usually a
// simulation, whose thread also runs the callbacks of timers: these see the time of day without
// jumps. Until the first jump, a run is the same as without it.
//
// It is no DriftingRuntime with one more setting, because it has no thread and no timers of its
// own: threads of a simulation that has come to no end may be left in it, and deadlines are those
// of the runtime below. For a monotonic clock that drifts, or a machine that is paused, take
// DriftingRuntime.
//
//   SimWallClock clock(Runtime::Current());
//   const RuntimeScope scope(clock);
//   ...
//   clock.Jump(absl::Hours(1));
//
// Its fields have no lock: only the threads of a simulation may use it.
class SimWallClock final : public Runtime {
 public:
  // `below` must outlive this object.
  explicit SimWallClock(Runtime& below) : below_(below) {}

  // Moves the time of day by `step`, which is negative if it goes back. Wakes no thread and runs no
  // timer. Jumps add up.
  void Jump(absl::Duration step) { offset_ += step; }
  // Returns the sum of all jumps.
  absl::Duration offset() const { return offset_; }

  MonotonicTime Now() override { return below_.Now(); }
  absl::Time WallNow() override { return below_.WallNow() + offset_; }
  uint64_t Random() override { return below_.Random(); }
  absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) override;
  Waiter& ThisThread() override { return below_.ThisThread(); }
  void Park(MonotonicTime deadline, const WaitSite& site) override { below_.Park(deadline, site); }
  internal::TimerQueue& timers() override { return below_.timers(); }

 private:
  Runtime& below_;
  absl::Duration offset_ = absl::ZeroDuration();
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TESTING_SIM_WALL_CLOCK_H_
