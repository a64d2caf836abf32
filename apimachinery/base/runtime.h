#ifndef APIMACHINERY_BASE_RUNTIME_H_
#define APIMACHINERY_BASE_RUNTIME_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

// Says why a thread waits, for reports of deadlocks and for traces.
struct WaitSite {
  const char* what = "";  // a literal: "Mutex", "CondVar", "sleep"
  SourceLocation where;
};

// Wakes one thread from Runtime::Park.
//
// A Waiter stays valid after its thread has ended, and another thread may then use it. Drop the
// pointer when the wait is over; an Unpark that comes too late is harmless, because it only makes a
// Park return early.
class Waiter {
 public:
  virtual ~Waiter() = default;

  // Makes the thread's current Park return or, if the thread is not parked, its next one. Never
  // blocks. Thread-safe.
  virtual void Unpark() = 0;
};

// A started thread. Destroy it only after Join has returned.
class RunningThread {
 public:
  virtual ~RunningThread() = default;

  // Blocks until the thread's body has returned. Call it once, from another thread.
  virtual void Join(SourceLocation where) = 0;
};

// The interface to threads, waits, clocks, timers and randomness. All code of this SDK that waits
// or reads a clock does so through a Runtime, so that the same code runs in production
// (Runtime::Real), with a clock that the test moves (FakeClock), and in a simulation that a seed
// replays exactly (SimRuntime).
//
// A Runtime is not passed as an argument. Each thread has a current one: threads started by Thread
// and ThreadGroup inherit it from the thread that starts them, all others have Runtime::Real(). A
// controller therefore never mentions it; the thread that starts the controller decides.
//
// Application code uses Thread, Mutex, CondVar, Event, BoundedQueue, Timer, SleepFor and Context,
// which are built on this class. Implement Runtime only to add another kind of time.
//
// Thread-safe. A Runtime must outlive every thread and Context that was created in it.
class Runtime {
 public:
  virtual ~Runtime() = default;

  // Returns the calling thread's runtime.
  static Runtime& Current();

  // Returns the runtime of the operating system's threads and clocks, which is never destroyed.
  // After fork() the child process has none of the parent's threads and timers; timers and context
  // deadlines that the child creates work. For everything else that a multi-threaded process may do
  // after fork(), the rules of the operating system apply.
  static Runtime& Real();

  // Returns the monotonic time, which never goes back. Use WallNow for times that people read.
  virtual MonotonicTime Now() = 0;

  // Returns the time of day. It may jump, so do not compute deadlines from it.
  virtual absl::Time WallNow() = 0;

  // Returns 64 uniformly distributed bits, not for cryptography. In a simulation they come from its
  // seed. Prefer the functions of random.h.
  virtual uint64_t Random() = 0;

  // Starts a thread named `name` whose current runtime is this one. Returns RESOURCE_EXHAUSTED if
  // the operating system cannot create a thread. Prefer Thread.
  virtual absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) = 0;

  // Returns the handle with which other threads wake the calling thread.
  virtual Waiter& ThisThread() = 0;

  // Blocks the calling thread until its Waiter is unparked or `deadline` has passed. It may return
  // early: check your condition and park again.
  virtual void Park(MonotonicTime deadline, const WaitSite& site) = 0;

  // Returns the runtime's timers. Prefer Timer.
  virtual internal::TimerQueue& timers() = 0;
};

// Return the time of the calling thread's runtime.
inline MonotonicTime Now() { return Runtime::Current().Now(); }
inline absl::Time WallNow() { return Runtime::Current().WallNow(); }

// Makes `runtime` the calling thread's current runtime as long as the scope exists. Scopes nest.
// `runtime` must outlive the scope. For tests:
//
//   FakeClock clock;
//   RuntimeScope scope(clock);
class RuntimeScope {
 public:
  explicit RuntimeScope(Runtime& runtime);
  ~RuntimeScope();
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  Runtime* previous_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_RUNTIME_H_
