// In production a Mutex is its std::mutex. In a simulation the thread's lock hook takes over, so
// that SimRuntime decides who gets the lock.
//
// A CondVar is a doubly linked list of waiting threads, in the order of their arrival; each node is
// on the stack of its thread. A thread adds its node before it releases the caller's Mutex, so no
// notification after that is lost, and then parks. A notification takes nodes out of the list, sets
// `notified`, and unparks their threads. A thread whose wait ends by its context or deadline
// removes its node itself. The CondVar's own mutex guards the list, and no other lock is taken
// under it.

#include "apimachinery/base/mutex.h"

#include <algorithm>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "apimachinery/base/internal/lock_hook.h"

namespace kube::base {

using internal::current_lock_hook;

void Mutex::Lock(SourceLocation where) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (ABSL_PREDICT_FALSE(current_lock_hook != nullptr)) {
    current_lock_hook->Lock(mutex_, {"Mutex", where});
  } else {
    mutex_.lock();
  }
}

void Mutex::Unlock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (ABSL_PREDICT_FALSE(current_lock_hook != nullptr)) {
    current_lock_hook->Unlock(mutex_);
  } else {
    mutex_.unlock();
  }
}

bool Mutex::TryLock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (ABSL_PREDICT_FALSE(current_lock_hook != nullptr)) return current_lock_hook->TryLock(mutex_);
  return mutex_.try_lock();
}

void CondVar::WaitOnce(const Context& ctx, Mutex& mutex, MonotonicTime deadline,
                       SourceLocation where) {
  Runtime& runtime = Runtime::Current();
  Node node{.waiter = &runtime.ThisThread()};
  {
    // Added before the Mutex is released, so that a notification after the caller's last check of
    // its condition finds this thread. An Unpark before the Park is not lost.
    std::lock_guard<std::mutex> lock(mutex_);
    node.previous = last_;
    (last_ != nullptr ? last_->next : first_) = &node;
    last_ = &node;
  }
  {
    ContextWaiter context_waiter(ctx, *node.waiter);
    mutex.Unlock();
    const MonotonicTime until = std::min(deadline, ctx.deadline());
    for (bool waiting = true; waiting;) {
      if (ctx.done() || (!until.is_infinite() && runtime.Now() >= until)) break;
      runtime.Park(until, {"CondVar", where});
      std::lock_guard<std::mutex> lock(mutex_);
      waiting = !node.notified;
    }
  }
  Remove(&node);
  mutex.Lock(where);
}

void CondVar::Remove(Node* node) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (node->notified) {
    return;  // the notifier removed it
  }
  (node->previous != nullptr ? node->previous->next : first_) = node->next;
  (node->next != nullptr ? node->next->previous : last_) = node->previous;
}

void CondVar::NotifyOne() {
  Waiter* waiter;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (first_ == nullptr) return;
    Node* node = first_;
    first_ = node->next;
    (first_ != nullptr ? first_->previous : last_) = nullptr;
    node->notified = true;
    waiter = node->waiter;  // the node may be gone once the lock is released
  }
  waiter->Unpark();  // without the lock, which the woken thread takes at once
}

void CondVar::NotifyAll() {
  absl::InlinedVector<Waiter*, 16> waiters;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Node* node = first_; node != nullptr; node = node->next) {
      node->notified = true;
      waiters.push_back(node->waiter);
    }
    first_ = last_ = nullptr;
  }
  for (Waiter* waiter : waiters) waiter->Unpark();
}

}  // namespace kube::base
