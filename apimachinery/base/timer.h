#ifndef APIMACHINERY_BASE_TIMER_H_
#define APIMACHINERY_BASE_TIMER_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/callback_slot.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

// Calls a function once, after a delay. Go: `time.AfterFunc`.
//
// The callback runs on the timer thread of the runtime, which all its timers share; with FakeClock,
// on the thread that moves the clock. It must not block: let it set an Event, push to a queue or
// start work on another thread.
//
// Thread-compatible. The destructor stops the timer and blocks until a running callback has
// returned, so the callback may use everything that outlives the Timer.
//
//   Event idle;
//   Timer timer;  // declared after what its callback uses
//   timer.Start(absl::Seconds(30), [&] { idle.Set(); });
class Timer {
 public:
  Timer() = default;
  ~Timer() { Stop(); }
  Timer(Timer&&) = default;
  Timer& operator=(Timer&& other) noexcept;

  // Calls `callback` after `delay` on the clock of the calling thread's runtime, or as soon as
  // possible if `delay` is zero or negative. Stops the timer first if it was started before.
  void Start(absl::Duration delay, absl::AnyInvocable<void()> callback);

  // Stops the timer and returns true if the callback will never run. Returns false if it has run or
  // the timer was not started; if the callback is running on another thread, Stop blocks until it
  // has returned. A callback may stop its own timer, but must not start or move it.
  bool Stop();

 private:
  std::shared_ptr<internal::CallbackSlot> slot_;
  Runtime* runtime_ = nullptr;
  internal::TimerQueue::Key key_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TIMER_H_
