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

// A Runtime whose clock moves only when the test says so; its threads are real ones. For tests of
// single parts: a back-off, an expiry, a timer. For whole systems take SimRuntime, which also
// decides who runs when.
//
// What it does not imitate: time passing by itself, and any order among threads that a step wakes.
//
// Thread-safe. Timers run on the thread that steps. Go: k8s.io/utils/clock/testing.FakeClock.
//
//   FakeClock clock;
//   RuntimeScope scope(clock);
//   poller.Start(ctx);
//   ASSERT_OK(clock.BlockUntil(1));  // it sleeps
//   clock.Step(absl::Seconds(10));
class FakeClock final : public Runtime {
 public:
  // Monotonic time begins at zero, wall time at `wall`; random numbers come from `seed`.
  explicit FakeClock(absl::Time wall = absl::UnixEpoch() + absl::Hours(24 * 365 * 50),
                     uint64_t seed = 1);
  ~FakeClock() override;

  // Moves both clocks on by `step`, neither negative nor infinite: runs each timer that comes due
  // at its own time, then wakes each sleeper whose deadline has come. Does not wait for what they
  // do.
  void Step(absl::Duration step);

  // Sets the time of day only, as an operator or NTP does. Nothing wakes.
  void SetWallTime(absl::Time wall);

  // Blocks, in real time, until at least `n` waits with a deadline and timers are pending.
  // DeadlineExceeded after `patience`: the code under test does not come to its wait.
  absl::Status BlockUntil(size_t n, absl::Duration patience = absl::Seconds(30));

  // How many waits with a deadline and timers are pending now.
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
