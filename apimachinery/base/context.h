#ifndef APIMACHINERY_BASE_CONTEXT_H_
#define APIMACHINERY_BASE_CONTEXT_H_

#include <memory>
#include <stop_token>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/callback_slot.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"

namespace kube {

class CancelScope;
class DoneCallback;

// What ends a piece of work early: a cancellation, a deadline, or the end of the work above it.
// Go's context.Context without values. Every blocking call of this SDK takes one first.
//
// A Context is done when its scope was cancelled, its deadline has passed or its parent is done;
// then it stays done, and status() says why. The deadline needs no thread and no timer: it is
// looked at by whoever asks or waits.
//
// Cheap to copy (one shared_ptr). Thread-safe. A default-constructed one is never done: Go's
// context.Background(). One with a deadline belongs to the Runtime of the thread that made it.
//
//   kube::CancelScope scope = kube::WithCancel(parent);
//   worker.Start(scope.context(), "worker", Work);
//   auto pods = client.List(kube::WithTimeout(scope.context(), absl::Seconds(5)));
//   scope.Cancel();
class Context {
 public:
  Context() = default;

  // Never blocks. Go: ctx.Err() != nil.
  bool done() const;

  // OK while not done; then Cancelled or DeadlineExceeded, with the cause's message if one was
  // given. Go: ctx.Err().
  absl::Status status() const;

  // OK while not done; then the Status given to CancelScope::Cancel, by whichever context of the
  // chain ended first, or else status(). Go: context.Cause(ctx).
  absl::Status cause() const;

  // Infinite when there is none. Includes the parents' deadlines.
  base::MonotonicTime deadline() const;

  // Until the deadline; never negative, absl::InfiniteDuration() when there is none.
  absl::Duration TimeLeft() const;

  // Calls `callback` once when the context becomes done (at once, on this thread, if it is): on the
  // thread that cancels, or on the clock's timer thread for a deadline; never on one that merely
  // asks or waits. It must not block. The result keeps the context, and its destructor withdraws
  // the callback. Go: context.AfterFunc.
  [[nodiscard]] DoneCallback OnDone(absl::AnyInvocable<void()> callback) const;

  // For code that takes a std::stop_token: a stop is requested when the context becomes done, by
  // the same threads as OnDone's callbacks. Keep a copy of the context beside the token: a context
  // that nobody holds any more ends without a word.
  std::stop_token stop_token() const;

 private:
  friend class CancelScope;
  friend class DoneCallback;
  friend class ContextWaiter;
  friend CancelScope WithCancel(const Context& parent);
  friend Context WithDeadline(const Context& parent, base::MonotonicTime deadline);
  struct State;

  static Context MakeChild(const Context& parent, base::MonotonicTime deadline);
  explicit Context(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

// Owns the right to cancel one Context. Its destructor cancels, so nothing below outlives it:
// Go's `ctx, cancel := context.WithCancel(parent); defer cancel()`.
//
// Movable. Cancel is thread-safe.
class CancelScope {
 public:
  ~CancelScope() { Cancel(); }
  CancelScope(CancelScope&&) = default;
  CancelScope& operator=(CancelScope&& other) noexcept;

  // Stays valid, and done, after the scope has gone.
  const Context& context() const { return context_; }

  // Makes the context and all below it done, and wakes whoever waits with them. Callbacks run here.
  // The first call decides; later ones do nothing. `cause` is what Context::cause() answers; OK
  // means none. Go: CancelCauseFunc.
  void Cancel(absl::Status cause = absl::OkStatus());

 private:
  friend CancelScope WithCancel(const Context& parent);
  explicit CancelScope(Context context) : context_(std::move(context)) {}

  Context context_;
};

// A context below `parent` that can be cancelled. Go: context.WithCancelCause.
[[nodiscard]] CancelScope WithCancel(const Context& parent);

// A context below `parent` that is also cancelled when a stop is requested through `token`.
// The first request may come from any thread; callbacks then run on that thread.
class StopTokenScope {
 public:
  StopTokenScope(const Context& parent, std::stop_token token);
  const Context& context() const { return scope_.context(); }

 private:
  struct Canceller {
    CancelScope* scope;
    void operator()() const { scope->Cancel(); }
  };
  CancelScope scope_;
  std::stop_callback<Canceller> callback_;
};

// A context below `parent` that is done after `timeout` at the latest; zero and less: at once.
// Nothing has to be released: no timer runs for it. Go: context.WithTimeout, without the cancel
// function, which Go needs to free its timer.
[[nodiscard]] Context WithTimeout(const Context& parent, absl::Duration timeout);

// The same with a point on the monotonic clock, or of the day (translated once, by both clocks'
// present readings, as Go does). Go: context.WithDeadline.
[[nodiscard]] Context WithDeadline(const Context& parent, base::MonotonicTime deadline);
[[nodiscard]] Context WithDeadline(const Context& parent, absl::Time deadline);

// Registration of a callback with a Context; see Context::OnDone. Movable.
//
// The destructor withdraws the callback and waits while it runs on another thread.
class [[nodiscard]] DoneCallback {
 public:
  DoneCallback() = default;
  ~DoneCallback() { Withdraw(); }
  DoneCallback(DoneCallback&&) = default;
  DoneCallback& operator=(DoneCallback&& other) noexcept;

  // True: the callback never runs. False: it ran, or there is none. Go: AfterFunc's stop.
  bool Withdraw();

 private:
  friend class Context;
  struct Node;
  std::shared_ptr<Context::State> state_;
  std::shared_ptr<Node> node_;
};

// Wakes a parked thread when a Context becomes done: for the authors of waits (CondVar, Event).
// Construct it before the last look at one's own condition, park until deadline() at most.
class ContextWaiter {
 public:
  // `waiter` is the calling thread's; `context` outlives this.
  ContextWaiter(const Context& context, base::Waiter& waiter);
  ~ContextWaiter();
  ContextWaiter(const ContextWaiter&) = delete;
  ContextWaiter& operator=(const ContextWaiter&) = delete;

 private:
  friend class Context;
  Context::State* const state_;
  base::Waiter& waiter_;
  ContextWaiter* previous_ = nullptr;  // the state's list, guarded by its lock
  ContextWaiter* next_ = nullptr;
};

}  // namespace kube

#endif  // APIMACHINERY_BASE_CONTEXT_H_
