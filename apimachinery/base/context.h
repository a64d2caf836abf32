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

namespace log::internal {
class FieldList;
}  // namespace log::internal

class CancelScope;
class DoneCallback;

// Carries a cancellation, a deadline and log fields to a piece of work: Go's `context.Context`,
// whose only value is the logger. Each blocking call of this SDK takes one as its first argument.
//
// Log fields say what the work is about: WithLogFields (apimachinery/base/log/context_fields.h)
// adds them, all contexts below inherit them, and log lines written with the context show them.
// Nothing else reads them: what a function needs is its parameter.
//
// A Context is done when its CancelScope was cancelled, when its deadline has passed or when its
// parent is done. It then stays done, and status() says why. A deadline needs no thread and no
// timer: the calls that ask or wait compare it with the clock.
//
// Thread-safe and cheap to copy (one shared_ptr). A default-constructed Context is never done; Go:
// `context.Background()`. A Context with a deadline belongs to the Runtime of the thread that
// created it.
//
//   kube::CancelScope scope = kube::WithCancel(parent);
//   KUBE_RETURN_IF_ERROR(worker.Start(scope.context(), "worker", work));
//   KUBE_RETURN_IF_ERROR(synced.Wait(kube::WithTimeout(scope.context(), absl::Seconds(5))));
//   scope.Cancel();
class Context {
 public:
  Context() = default;

  // Returns whether the context is done. Never blocks. Go: `ctx.Err() != nil`.
  bool done() const;

  // Returns OK while the context is not done, afterwards CANCELLED or DEADLINE_EXCEEDED; the
  // message includes that of the cause if one was given. Go: `ctx.Err()`.
  absl::Status status() const;

  // Returns OK while the context is not done, afterwards the Status given to the
  // CancelScope::Cancel that ended it, be it its own or an ancestor's; without such a Status it
  // returns status(). Go: `context.Cause(ctx)`.
  absl::Status cause() const;

  // Returns the earliest deadline of the context and its parents, or MonotonicTime::Infinite().
  base::MonotonicTime deadline() const;

  // Returns the time until the deadline: never negative, absl::InfiniteDuration() without a
  // deadline.
  absl::Duration TimeLeft() const;

  // Calls `callback` once when the context becomes done, or immediately, on the calling thread, if
  // it is done already. The callback runs on the thread that cancels or, after a deadline, on the
  // timer thread of the runtime; never on a thread that only asks or waits. It must not block. The
  // result keeps the context alive; its destructor withdraws the callback. Go: `context.AfterFunc`.
  [[nodiscard]] DoneCallback OnDone(absl::AnyInvocable<void()> callback) const;

  // Returns a token whose stop is requested when the context becomes done, on the same threads as
  // the callbacks of OnDone. Keep a copy of the context as long as the token is used: if the last
  // copy is destroyed, no stop is requested.
  std::stop_token stop_token() const;

 private:
  friend class CancelScope;
  friend class DoneCallback;
  friend class ContextWaiter;
  friend CancelScope WithCancel(const Context& parent);
  friend class log::internal::FieldList;
  friend Context WithDeadline(const Context& parent, base::MonotonicTime deadline);
  friend Context WithoutCancel(const Context& ctx);
  struct State;

  // If `fields` is null, the child has those of the parent.
  static Context MakeChild(const Context& parent, base::MonotonicTime deadline,
                           std::shared_ptr<const log::internal::FieldList> fields = nullptr);
  // Returns null if there are no fields. They live as long as the context.
  const log::internal::FieldList* log_fields() const;
  explicit Context(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

// Owns the right to cancel one Context. The destructor cancels it, so the work below ends with the
// scope. Go: `ctx, cancel := context.WithCancel(parent); defer cancel()`.
//
// Movable. Cancel is thread-safe.
class CancelScope {
 public:
  ~CancelScope() { Cancel(); }
  CancelScope(CancelScope&&) = default;
  CancelScope& operator=(CancelScope&& other) noexcept;

  // Returns the context. Copies remain valid, and are done, after the scope was destroyed.
  const Context& context() const { return context_; }

  // Makes the context and all contexts below it done, wakes the threads that wait with them and
  // runs their callbacks on the calling thread. Only the first call has an effect. Context::cause()
  // returns `cause` afterwards; OK means no cause. Go: `CancelCauseFunc`.
  void Cancel(absl::Status cause = absl::OkStatus());

 private:
  friend CancelScope WithCancel(const Context& parent);
  explicit CancelScope(Context context) : context_(std::move(context)) {}

  Context context_;
};

// Returns the scope of a new context below `parent` that can be cancelled. Go:
// `context.WithCancelCause`.
[[nodiscard]] CancelScope WithCancel(const Context& parent);

// Owns a context below `parent` that is also cancelled when a stop is requested through `token`.
// The callbacks then run on the thread that requests the stop.
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

// Returns a context below `parent` that is done after `timeout` at the latest; immediately if
// `timeout` is zero or negative. No timer runs for it, so there is nothing to release. Go:
// `context.WithTimeout`, whose cancel function frees a timer.
[[nodiscard]] Context WithTimeout(const Context& parent, absl::Duration timeout);

// Return a context below `parent` that is done at `deadline` at the latest. A time of day is
// converted once, with the current readings of both clocks, as in Go. Go: `context.WithDeadline`.
[[nodiscard]] Context WithDeadline(const Context& parent, base::MonotonicTime deadline);
[[nodiscard]] Context WithDeadline(const Context& parent, absl::Time deadline);

// Returns a context that is never done and has the log fields of `ctx`: for work that must end
// although `ctx` is done, such as the release of a lease. Go: `context.WithoutCancel`.
[[nodiscard]] Context WithoutCancel(const Context& ctx);

// Holds the registration of a callback with a Context; see Context::OnDone. Movable,
// thread-compatible.
//
// The destructor withdraws the callback; if it runs on another thread, the destructor blocks until
// it has returned.
class [[nodiscard]] DoneCallback {
 public:
  DoneCallback() = default;
  ~DoneCallback() { Withdraw(); }
  DoneCallback(DoneCallback&&) = default;
  DoneCallback& operator=(DoneCallback&& other) noexcept;

  // Removes the callback and returns true if it will never run. Returns false if it has run (blocks
  // until it has returned, if it runs on another thread) or if there is no callback. Go: the `stop`
  // function of `context.AfterFunc`.
  bool Withdraw();

 private:
  friend class Context;
  struct Node;
  std::shared_ptr<Context::State> state_;
  std::shared_ptr<Node> node_;
};

// Unparks a thread when a Context becomes done. For implementers of waits, such as CondVar and
// Event: construct it, then check your condition, then park until Context::deadline() at the
// latest.
class ContextWaiter {
 public:
  // `waiter` is the calling thread's; `context` must outlive this object.
  ContextWaiter(const Context& context, base::Waiter& waiter);
  ~ContextWaiter();
  ContextWaiter(const ContextWaiter&) = delete;
  ContextWaiter& operator=(const ContextWaiter&) = delete;

 private:
  friend class Context;
  Context::State* const state_;
  base::Waiter& waiter_;
  ContextWaiter* previous_ = nullptr;  // links of the state's list, guarded by its lock
  ContextWaiter* next_ = nullptr;
};

}  // namespace kube

#endif  // APIMACHINERY_BASE_CONTEXT_H_
