#include "apimachinery/base/context.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/internal/timer_queue.h"

namespace kube {

using base::MonotonicTime;
using base::Runtime;
using base::internal::CallbackSlot;

// A Context is a handle on a State, and the states form a tree. A child owns its parent; a parent
// only lists its children. All lists here are intrusive, so linking and unlinking take constant
// time.
//
// * A state becomes done once, in End(), which walks the states below it. It locks one state at a
//   time: locks of two states are never held together. Under a state's lock only waiters are
//   unparked and timers added or removed.
// * Callbacks run without a lock, after the whole tree below is done. Cancel() runs them itself.
// * A deadline is passive: IsDone() compares it with the clock, and the first caller that sees it
//   passed ends the tree. That caller may hold locks that a callback takes, so it runs no
//   callbacks. Instead each state with a deadline that has callbacks or a stop source has armed a
//   timer, which runs them. A child's deadline is never later than its parent's.
//
// Link and Unlink work on a list that runs through the `previous` and `next` members of its nodes;
// the lock of the list's owner guards it.
namespace {

template <typename T>
void Link(T*& head, T* node, T* T::*previous, T* T::*next) {
  node->*previous = nullptr;
  node->*next = head;
  if (head != nullptr) head->*previous = node;
  head = node;
}

template <typename T>
void Unlink(T*& head, T* node, T* T::*previous, T* T::*next) {
  if (node->*previous != nullptr) (node->*previous)->*next = node->*next;
  if (node->*next != nullptr) (node->*next)->*previous = node->*previous;
  if (head == node) head = node->*next;
  node->*previous = nullptr;
  node->*next = nullptr;
}

}  // namespace

struct DoneCallback::Node : CallbackSlot {
  using CallbackSlot::CallbackSlot;
  std::shared_ptr<Node> self;  // keeps a linked node alive; guarded by the state's lock
  Node* previous = nullptr;
  Node* next = nullptr;
};

struct Context::State : std::enable_shared_from_this<Context::State> {
  ~State();

  // The callbacks and stop sources of states that have become done; run without a lock.
  struct ToRun {
    std::vector<std::shared_ptr<DoneCallback::Node>> nodes;
    std::vector<std::stop_source> stops;
    void Run();
  };

  // Makes this state and all below it done, then runs their callbacks.
  void Cancel(const absl::Status& why, const absl::Status& why_cause);

  // Returns whether the state is done; ends it if its deadline has passed. Runs no callbacks (see
  // above).
  bool IsDone();

  // Makes this state and all below it done, and wakes their waiters. Moves their callbacks to
  // `to_run`, or leaves them to the timers if `to_run` is null.
  void End(const absl::Status& why, const absl::Status& why_cause, ToRun* to_run);

  // The lock must be held for both.
  void ArmDeadline();
  void TakeCallbacks(ToRun& to);

  std::shared_ptr<State> parent;  // only destructors read it or move from it
  Runtime& runtime;
  const MonotonicTime deadline;
  const std::shared_ptr<const log::internal::FieldList> fields;  // null if there are none
  std::atomic<bool> done = false;

  std::mutex mutex;  // guards all below; see above for what may be called with it held
  absl::Status status;
  absl::Status cause;
  State* children = nullptr;
  ContextWaiter* waiters = nullptr;
  DoneCallback::Node* callbacks = nullptr;
  std::optional<std::stop_source> stop_source;
  std::optional<base::internal::TimerQueue::Key> timer;

  // Links of the parent's list of children, guarded by the parent's lock.
  State* previous_sibling = nullptr;
  State* next_sibling = nullptr;
  bool linked = false;

  State(std::shared_ptr<State> above, Runtime& own_runtime, MonotonicTime own_deadline,
        std::shared_ptr<const log::internal::FieldList> own_fields)
      : parent(std::move(above)),
        runtime(own_runtime),
        deadline(own_deadline),
        fields(std::move(own_fields)) {}
  void UnlinkFromParent();
};

void Context::State::UnlinkFromParent() {
  if (parent == nullptr) return;
  std::lock_guard<std::mutex> lock(parent->mutex);
  if (!linked) return;
  Unlink(parent->children, this, &State::previous_sibling, &State::next_sibling);
  linked = false;
}

Context::State::~State() {
  if (timer.has_value()) runtime.timers().Remove(*timer);
  UnlinkFromParent();
  // Releases a chain of contexts in a loop: destroying it recursively could overflow the stack.
  std::shared_ptr<State> above = std::move(parent);
  while (above != nullptr && above.use_count() == 1) {
    above->UnlinkFromParent();
    std::shared_ptr<State> next = std::move(above->parent);
    above = std::move(next);
  }
}

void Context::State::ToRun::Run() {
  for (std::stop_source& stop : stops) stop.request_stop();
  for (const auto& node : nodes) node->Run();
}

void Context::State::Cancel(const absl::Status& why, const absl::Status& why_cause) {
  ToRun to_run;
  End(why, why_cause, &to_run);
  to_run.Run();  // only now: each callback sees the whole tree done
}

void Context::State::End(const absl::Status& why, const absl::Status& why_cause, ToRun* to_run) {
  std::vector<std::shared_ptr<State>> todo = {shared_from_this()};
  std::vector<std::shared_ptr<State>> ended;  // keeps them alive: none may go under a lock
  while (!todo.empty()) {
    std::shared_ptr<State> state = std::move(todo.back());
    todo.pop_back();
    std::lock_guard<std::mutex> lock(state->mutex);
    if (state->done.load(std::memory_order_relaxed)) continue;
    state->status = why;
    state->cause = why_cause;
    state->done.store(true, std::memory_order_release);
    for (State* child = state->children; child != nullptr; child = child->next_sibling) {
      // Null if the child is being destroyed: its destructor waits for our lock to unlink it.
      if (auto strong = child->weak_from_this().lock()) todo.push_back(std::move(strong));
    }
    for (ContextWaiter* w = state->waiters; w != nullptr; w = w->next_) w->waiter_.Unpark();
    if (to_run != nullptr) state->TakeCallbacks(*to_run);
    ended.push_back(std::move(state));
  }
}

bool Context::State::IsDone() {
  if (done.load(std::memory_order_acquire)) return true;
  if (deadline.is_infinite() || runtime.Now() < deadline) return false;
  const absl::Status passed = absl::DeadlineExceededError("context deadline exceeded");
  End(passed, passed, nullptr);
  return true;
}

void Context::State::ArmDeadline() {
  if (deadline.is_infinite()) return;
  // After a fork the child process does not run the timers of its parent: add the timer again.
  if (timer.has_value() && !runtime.timers().IsForgotten(*timer)) return;
  timer = runtime.timers().Add(deadline, [weak = weak_from_this()] {
    std::shared_ptr<State> state = weak.lock();
    if (state == nullptr) return;
    state->IsDone();
    ToRun own;
    {
      std::lock_guard<std::mutex> lock(state->mutex);
      state->TakeCallbacks(own);
    }
    own.Run();
  });
}

void Context::State::TakeCallbacks(ToRun& to) {
  if (timer.has_value()) runtime.timers().Remove(*timer);
  timer.reset();
  while (callbacks != nullptr) {
    DoneCallback::Node* node = callbacks;
    Unlink(callbacks, node, &DoneCallback::Node::previous, &DoneCallback::Node::next);
    to.nodes.push_back(std::move(node->self));
  }
  if (stop_source.has_value()) to.stops.push_back(*stop_source);
}

bool Context::done() const { return state_ != nullptr && state_->IsDone(); }

absl::Status Context::status() const {
  if (!done()) return absl::OkStatus();
  std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->status;
}

absl::Status Context::cause() const {
  if (!done()) return absl::OkStatus();
  std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->cause;
}

MonotonicTime Context::deadline() const {
  return state_ == nullptr ? MonotonicTime::Infinite() : state_->deadline;
}

absl::Duration Context::TimeLeft() const {
  if (deadline().is_infinite()) return absl::InfiniteDuration();
  return std::max(deadline() - state_->runtime.Now(), absl::ZeroDuration());
}

DoneCallback Context::OnDone(absl::AnyInvocable<void()> callback) const {
  DoneCallback result;
  if (state_ == nullptr) return result;
  auto node = std::make_shared<DoneCallback::Node>(std::move(callback));
  result.state_ = state_;
  result.node_ = node;
  if (!done()) {
    std::lock_guard<std::mutex> lock(state_->mutex);
    if (!state_->done.load(std::memory_order_relaxed)) {
      Link(state_->callbacks, node.get(), &DoneCallback::Node::previous, &DoneCallback::Node::next);
      node->self = std::move(node);
      state_->ArmDeadline();
    }
  }
  if (node != nullptr) node->Run();
  return result;
}

std::stop_token Context::stop_token() const {
  if (state_ == nullptr) return std::stop_token();
  std::stop_source source(std::nostopstate);
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    if (!state_->stop_source.has_value()) state_->stop_source.emplace();
    source = *state_->stop_source;
    if (!state_->done.load(std::memory_order_relaxed)) state_->ArmDeadline();
  }
  // Without the lock, because this may run callbacks that other users of the token have registered.
  if (done()) source.request_stop();
  return source.get_token();
}

const log::internal::FieldList* Context::log_fields() const {
  return state_ == nullptr ? nullptr : state_->fields.get();
}

Context Context::MakeChild(const Context& parent, MonotonicTime deadline,
                           std::shared_ptr<const log::internal::FieldList> fields) {
  State* above = parent.state_.get();
  Runtime& runtime = Runtime::Current();
  KUBE_CHECK(parent.deadline().is_infinite() || &above->runtime == &runtime)
      << "context with a deadline used under a different runtime than it was created in";
  if (fields == nullptr && above != nullptr) fields = above->fields;
  auto state = std::make_shared<State>(parent.state_, runtime,
                                       std::min(deadline, parent.deadline()), std::move(fields));
  if (above != nullptr) {
    std::unique_lock<std::mutex> lock(above->mutex);
    if (!above->done.load(std::memory_order_relaxed)) {
      Link(above->children, state.get(), &State::previous_sibling, &State::next_sibling);
      state->linked = true;
    } else {
      const absl::Status status = above->status;
      const absl::Status cause = above->cause;
      lock.unlock();
      state->Cancel(status, cause);
    }
  }
  return Context(std::move(state));
}

CancelScope& CancelScope::operator=(CancelScope&& other) noexcept {
  if (this != &other) {
    Cancel();
    context_ = std::move(other.context_);
  }
  return *this;
}

void CancelScope::Cancel(absl::Status cause) {
  if (context_.state_ == nullptr) return;  // moved from
  if (context_.done()) return;
  const absl::Status status = absl::CancelledError(
      cause.ok() || cause.message().empty() ? std::string("context canceled")
                                            : absl::StrCat("context canceled: ", cause.message()));
  context_.state_->Cancel(status, cause.ok() ? status : cause);
}

CancelScope WithCancel(const Context& parent) {
  return CancelScope(Context::MakeChild(parent, MonotonicTime::Infinite()));
}

StopTokenScope::StopTokenScope(const Context& parent, std::stop_token token)
    : scope_(WithCancel(parent)), callback_(std::move(token), Canceller{&scope_}) {}

Context WithTimeout(const Context& parent, absl::Duration timeout) {
  return WithDeadline(parent, base::Now() + timeout);
}

Context WithDeadline(const Context& parent, MonotonicTime deadline) {
  return Context::MakeChild(parent, deadline);
}

Context WithDeadline(const Context& parent, absl::Time deadline) {
  Runtime& runtime = Runtime::Current();
  return WithDeadline(parent, runtime.Now() + (deadline - runtime.WallNow()));
}

Context WithoutCancel(const Context& ctx) {
  if (ctx.log_fields() == nullptr) return Context();
  return Context::MakeChild(Context(), MonotonicTime::Infinite(), ctx.state_->fields);
}

DoneCallback& DoneCallback::operator=(DoneCallback&& other) noexcept {
  if (this != &other) {
    Withdraw();
    state_ = std::move(other.state_);
    node_ = std::move(other.node_);
  }
  return *this;
}

bool DoneCallback::Withdraw() {
  if (node_ == nullptr) return false;
  std::shared_ptr<Node> node = std::move(node_);
  std::shared_ptr<Context::State> state = std::move(state_);
  std::shared_ptr<Node> self;
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    if (node->self != nullptr) {
      Unlink(state->callbacks, node.get(), &Node::previous, &Node::next);
      self = std::move(node->self);
    }
  }
  return node->Withdraw();
}

ContextWaiter::ContextWaiter(const Context& context, base::Waiter& waiter)
    : state_(context.state_.get()), waiter_(waiter) {
  if (state_ == nullptr) return;
  KUBE_CHECK(state_->deadline.is_infinite() || &state_->runtime == &Runtime::Current())
      << "context with a deadline used under a different runtime than it was created in";
  std::lock_guard<std::mutex> lock(state_->mutex);
  Link(state_->waiters, this, &ContextWaiter::previous_, &ContextWaiter::next_);
}

ContextWaiter::~ContextWaiter() {
  if (state_ == nullptr) return;
  std::lock_guard<std::mutex> lock(state_->mutex);
  Unlink(state_->waiters, this, &ContextWaiter::previous_, &ContextWaiter::next_);
}

}  // namespace kube
