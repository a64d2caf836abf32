#ifndef APIMACHINERY_BASE_TIMER_H_
#define APIMACHINERY_BASE_TIMER_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/callback_slot.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

// Calls a function once, after a while: Go's time.AfterFunc.
//
// The callback runs on the clock's timer thread, which all timers of a runtime share (with
// FakeClock: on the thread that steps the clock). It must not block: let it set an Event, push to a
// queue or start something elsewhere.
//
// Thread-compatible. The destructor stops the timer and waits for a callback that is running, so
// the callback may use whatever outlives the Timer.
//
//   Timer timer;
//   timer.Start(absl::Seconds(30), [this] { idle_.Set(); });
class Timer {
 public:
  Timer() = default;
  ~Timer() { Stop(); }
  Timer(Timer&&) = default;
  Timer& operator=(Timer&& other) noexcept;

  // Calls `callback` once `delay` has passed on the calling thread's clock; zero and less mean as
  // soon as the timer thread comes to it. A timer that was started before is stopped first.
  void Start(absl::Duration delay, absl::AnyInvocable<void()> callback);

  // True: the callback will not run. False: it ran (a run on another thread has ended when this
  // returns), or there is none. A callback may stop its own timer, but not start or move it.
  bool Stop();

 private:
  std::shared_ptr<internal::CallbackSlot> slot_;
  Runtime* runtime_ = nullptr;
  internal::TimerQueue::Key key_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TIMER_H_
