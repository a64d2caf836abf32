#ifndef APIMACHINERY_BASE_SIM_RUNTIME_H_
#define APIMACHINERY_BASE_SIM_RUNTIME_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/lock_hook.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

struct SimOptions {
  // Decides every choice: who runs next, and what Random answers. Print it when a test fails.
  uint64_t seed = 1;

  // How likely another thread runs before a free Mutex is taken, between 0 and 1. Threads also hand
  // over wherever they wait, so 0 still interleaves, but finds fewer mistakes between two locks.
  double preempt_at_lock = 0.3;

  // More hand-overs than this without time moving on are reported as a livelock.
  int64_t max_steps_without_time = 200'000;

  // More hand-overs than this in all are reported as a run without end: threads that are stuck
  // while others tick on for ever. The default takes minutes.
  int64_t max_steps = 100'000'000;

  // Real time that one thread may run without waiting, before the process is aborted with a report.
  // It catches endless loops; it is no part of the simulation. Infinite: a year, for debuggers.
  absl::Duration max_real_time_of_a_step = absl::Seconds(60);

  // Keep the text of the trace; otherwise only its fingerprint.
  bool keep_trace = false;

  // The time of day at the beginning. Monotonic time begins at zero.
  absl::Time wall_start = absl::UnixEpoch() + absl::Hours(24 * 365 * 50);
};

// Runs unmodified blocking, threaded code deterministically, in virtual time: the same seed gives
// the same run, byte for byte of its trace.
//
// The threads are real ones, under a baton. Exactly one runs; it hands over only where it waits
// (Mutex, CondVar, Event, queues, sleeps, joins) or starts a thread; the seed chooses who is next.
// When all wait, time jumps to the next deadline, so an hour takes milliseconds. When all wait and
// there is no deadline, that is a deadlock, and the report names each thread's wait and who holds
// what it waits for.
//
// What it does not see: waits and clocks that bypass Runtime (the style test forbids them here;
// your sockets and std::mutexes it cannot know), atomics used to signal in a loop, and order that
// comes from addresses or from hash seeds. Code between two waits is never interrupted: data races
// are ThreadSanitizer's work, mistakes of order are this class's.
//
// One run an object. Nobody outside the run may use what it uses while it runs.
//
//   for (uint64_t seed = 1; seed <= 1000; ++seed) {
//     SimRuntime sim({.seed = seed});
//     const absl::Status status = sim.Run([] { RunMyController(); });
//     ASSERT_THAT(status, IsOk());  // the message has the seed
//   }
class SimRuntime final : public Runtime, private internal::LockHook {
 public:
  explicit SimRuntime(SimOptions options = {});
  ~SimRuntime() override;

  // Runs `main` as the first thread and blocks until it and every thread below it have ended.
  // Aborted, with the seed and every thread's wait, after a deadlock, a livelock or too many steps.
  // The threads of such a run stay where they are until the process ends, and what they refer to
  // must stay too: give up the test, or start the next seed in fresh objects.
  absl::Status Run(absl::AnyInvocable<void()> main);

  // That of its options: for programs that do something else with each seed.
  uint64_t seed() const;

  // One line a decision: number, virtual time, thread, what it did. Empty without keep_trace.
  // Call it after Run.
  std::string trace() const;

  // A hash of the whole trace, kept or not: two runs that differ anywhere differ here.
  uint64_t fingerprint() const;

  // Hand-overs so far.
  int64_t steps() const;

  // For the calling simulated thread: lets another one run here if the seed says so. Put it where
  // your own code signals through atomics.
  void Yield(SourceLocation where = SourceLocation::Current());

  // Adds a line to the trace; no effect on threads that are not simulated.
  void Trace(const std::string& text);

  MonotonicTime Now() override;
  absl::Time WallNow() override;
  uint64_t Random() override;
  absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) override;
  Waiter& ThisThread() override;
  void Park(MonotonicTime deadline, const WaitSite& site) override;
  internal::TimerQueue& timers() override;

 private:
  class Core;
  struct Fiber;
  class Handle;

  void Lock(std::mutex& mutex, const WaitSite& site) override;
  bool TryLock(std::mutex& mutex) override;
  void Unlock(std::mutex& mutex) override;

  absl::StatusOr<std::unique_ptr<RunningThread>> StartFiber(std::string name,
                                                            absl::AnyInvocable<void()> body,
                                                            bool daemon);
  void RunTimers();

  // Outlives this object if a stuck run left threads behind.
  std::shared_ptr<Core> core_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SIM_RUNTIME_H_
