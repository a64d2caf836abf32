#ifndef APIMACHINERY_BASE_TESTING_FAKE_CLOCK_H_
#define APIMACHINERY_BASE_TESTING_FAKE_CLOCK_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

// A Runtime whose clock moves only when the test moves it; its threads are real threads. Use it to
// test single parts, such as a back-off, an expiry or a timer. For whole systems use SimRuntime,
// which also decides which thread runs when. k8s.io/utils: `clock/testing.FakeClock`.
//
// It does not imitate time that passes by itself, nor an order among the threads that a step wakes.
//
// Thread-safe. Timer callbacks run on the thread that calls Step.
//
//   FakeClock clock;
//   RuntimeScope scope(clock);
//   poller.Start(ctx);
//   ASSERT_OK(clock.BlockUntil(1));  // it sleeps
//   clock.Step(absl::Seconds(10));
class FakeClock final : public Runtime {
 public:
  // Monotonic time starts at zero, the time of day at `wall`; random numbers come from `seed`.
  explicit FakeClock(absl::Time wall = absl::UnixEpoch() + absl::Hours(24 * 365 * 50),
                     uint64_t seed = 1);
  ~FakeClock() override;

  // Moves both clocks forward by `step`, which must be neither negative nor infinite. Runs each
  // timer that becomes due, at its own time, and wakes each thread whose deadline has come. Does
  // not wait until those threads have acted.
  void Step(absl::Duration step);

  // Sets the time of day only, as an operator or NTP does. Wakes no thread and runs no timer.
  void SetWallTime(absl::Time wall);

  // Blocks, in real time, until at least `n` timers and waits with a deadline are pending. Returns
  // DEADLINE_EXCEEDED after `patience`: the code under test did not reach its wait.
  absl::Status BlockUntil(size_t n, absl::Duration patience = absl::Seconds(30));

  // Returns the number of timers and waits with a deadline that are pending.
  size_t Pending() const;

  MonotonicTime Now() override;
  absl::Time WallNow() override;
  uint64_t Random() override;
  absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) override;
  Waiter& ThisThread() override;
  void Park(MonotonicTime deadline, const WaitSite& site) override;
  internal::TimerQueue& timers() override { return timers_; }

 private:
  void MoveTo(MonotonicTime now);

  mutable std::mutex mutex_;  // guards what follows
  MonotonicTime now_;
  absl::Duration wall_offset_;  // wall time - monotonic time since its epoch - Unix epoch
  std::mt19937_64 random_;
  std::multimap<MonotonicTime, Waiter*> sleepers_;
  std::condition_variable changed_;
  internal::TimerQueue timers_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TESTING_FAKE_CLOCK_H_
