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

// Why a thread waits: for reports of deadlocks and for traces.
struct WaitSite {
  const char* what = "";  // "Mutex", "CondVar", "sleep": a literal
  SourceLocation where;
};

// The other side of Runtime::Park: wakes one thread. A Waiter stays valid after its thread has
// ended: whoever keeps one forgets it when the wait is over, but an Unpark that is on its way may
// come late and then wakes some thread early.
class Waiter {
 public:
  virtual ~Waiter() = default;

  // Makes the thread's present Park return, or its next one when it is not parked. Never blocks.
  // Thread-safe.
  virtual void Unpark() = 0;
};

// A started thread. Destroy it only after Join.
class RunningThread {
 public:
  virtual ~RunningThread() = default;

  // Blocks until the thread's body has returned. Call it once, from another thread.
  virtual void Join(SourceLocation where) = 0;
};

// The one door to threads, waits, clocks, timers and randomness. Everything in this SDK that waits
// or asks for the time does it through a Runtime, so that the same code runs in production
// (Runtime::Real), on a hand-moved clock (FakeClock) and in a simulation that replays exactly from
// a seed (SimRuntime).
//
// Code does not pass a Runtime around. Each thread carries one: threads that Thread and ThreadGroup
// start inherit their starter's, every other thread has the real one. So a controller never
// mentions it: whoever starts the controller decides.
//
// Application code uses Thread, Mutex, CondVar, Event, BoundedQueue, Timer, SleepFor and Context,
// which stand on this class. Implement it only to bring another kind of time.
//
// Thread-safe. A Runtime outlives every thread and Context made in it.
class Runtime {
 public:
  virtual ~Runtime() = default;

  // The calling thread's runtime.
  static Runtime& Current();

  // Operating system threads and clocks. Lives for ever. A forked process has none of its parent's
  // threads and timers; timers that it starts run, also those of its contexts. What else a process
  // with several threads may do after fork, the operating system says.
  static Runtime& Real();

  // Never goes back. Not for showing to people: see WallNow.
  virtual MonotonicTime Now() = 0;

  // The time of day. May jump. Not for deadlines: see Now.
  virtual absl::Time WallNow() = 0;

  // 64 uniform bits; not for cryptography. A simulation's come from its seed. Prefer random.h.
  virtual uint64_t Random() = 0;

  // Starts a thread named `name` whose runtime is this one. ResourceExhausted when the operating
  // system has no thread left. Prefer Thread.
  virtual absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) = 0;

  // The handle by which others wake the calling thread.
  virtual Waiter& ThisThread() = 0;

  // Blocks the calling thread until its Waiter is unparked or `deadline` has come. May return
  // early: the caller looks at its own condition and parks again.
  virtual void Park(MonotonicTime deadline, const WaitSite& site) = 0;

  // Callbacks at a point in time. Prefer Timer.
  virtual internal::TimerQueue& timers() = 0;
};

// The time by the calling thread's runtime: Runtime::Current().Now() and WallNow().
inline MonotonicTime Now() { return Runtime::Current().Now(); }
inline absl::Time WallNow() { return Runtime::Current().WallNow(); }

// Makes `runtime` the calling thread's for as long as the scope lives. Scopes nest. For tests:
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
