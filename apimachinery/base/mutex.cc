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
    // Listed before the Mutex is released: a notification after the caller's last look at its
    // condition finds us, and an Unpark before the Park is kept.
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
    return;  // the notifier took it out
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
    waiter = node->waiter;  // the node may go with the lock
  }
  waiter->Unpark();  // not under the lock, which the woken thread takes at once
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
