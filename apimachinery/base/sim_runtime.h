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
  // Decides every choice: which thread runs next, and what Random returns. Print it if a test
  // fails.
  uint64_t seed = 1;

  // The probability, between 0 and 1, that another thread runs before a free Mutex is locked.
  // Threads are also switched wherever they wait, so 0 still interleaves them, but finds fewer bugs
  // between two critical sections.
  double preempt_at_lock = 0.3;

  // The number of switches without progress of time after which a run is reported as a livelock.
  int64_t max_steps_without_time = 200'000;

  // The number of switches after which a run is reported as endless: some threads are stuck while
  // others are woken by timers for ever. The default takes minutes.
  int64_t max_steps = 100'000'000;

  // The real time that one thread may run without waiting; after it the process aborts with a
  // report. It catches endless loops and does not affect the simulation. An infinite duration means
  // a year; use it with a debugger.
  absl::Duration max_real_time_of_a_step = absl::Seconds(60);

  // Keeps the text of the trace, not only its fingerprint.
  bool keep_trace = false;

  // The time of day at the start. Monotonic time starts at zero.
  absl::Time wall_start = absl::UnixEpoch() + absl::Hours(24 * 365 * 50);
};

// Runs unmodified blocking, multi-threaded code deterministically in virtual time: equal seeds give
// equal runs, with byte-for-byte equal traces.
//
// The threads are real threads, but only one runs at a time. Another one runs only when that waits
// (Mutex, CondVar, Event, queues, sleeps, joins) or starts a thread; the seed decides which. When
// all threads wait, time jumps to the earliest deadline, so an hour takes milliseconds. If there is
// no deadline, that is a deadlock: the report names what each thread waits for, and which thread
// holds it.
//
// It cannot see waits and clocks that bypass Runtime (in this repository a test forbids them; it
// does not know your sockets and std::mutexes), loops that poll an atomic, and orders that depend
// on addresses or hash seeds. Code between two waits is never interrupted, so this class finds
// mistakes of order; use ThreadSanitizer for data races.
//
// Run may be called once per object. While it runs, threads outside the simulation must not use the
// objects that the simulated program uses.
//
//   for (uint64_t seed = 1; seed <= 100; ++seed) {
//     SimRuntime sim({.seed = seed});
//     const absl::Status status = sim.Run([] { RunMyController(); });
//     ASSERT_THAT(status, IsOk());  // the message has the seed
//   }
class SimRuntime final : public Runtime, private internal::LockHook {
 public:
  explicit SimRuntime(SimOptions options = {});
  ~SimRuntime() override;

  // Runs `main` as the first thread, and blocks until it and all threads started below it have
  // ended. Returns ABORTED, with the seed and what each thread waits for, after a deadlock, a
  // livelock or too many steps. The threads of such a run remain blocked until the process ends,
  // and do not use their objects again: end the test, or try the next seed with new objects. The
  // objects outside `main` may be destroyed if their destructors take no lock, which a blocked
  // thread may hold; otherwise leak them.
  absl::Status Run(absl::AnyInvocable<void()> main);

  // Returns SimOptions::seed, for programs that derive their input from it.
  uint64_t seed() const;

  // Returns one line per decision: step, virtual time, thread and action. Empty without keep_trace.
  // Call it after Run.
  std::string trace() const;

  // Returns a hash of the trace, which is computed even without keep_trace. Runs that differ have
  // different fingerprints.
  uint64_t fingerprint() const;

  // Returns the number of switches so far.
  int64_t steps() const;

  // Lets another thread run here if the seed says so. Only simulated threads may call it. Use it
  // where your own code signals through atomics.
  void Yield(SourceLocation where = SourceLocation::Current());

  // Adds a line to the trace. Has no effect if the calling thread is not simulated.
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

  // The threads of a stuck run share it, so it may outlive this object.
  std::shared_ptr<Core> core_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SIM_RUNTIME_H_
