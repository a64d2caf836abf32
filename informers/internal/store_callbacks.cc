#include "informers/internal/store_callbacks.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"

// Call works on a copy of the list, because functions run without the lock and may add and remove
// functions. Before each call it looks again whether the function is still in the list, in the same
// critical section that sets `running_`. So Remove, which takes the function off the list first,
// needs to wait only for the call that is running.
//
// The lock is taken even if there are no functions. A thread that adds a function and then finds
// the store too old may rely on the call: either Call sees the function, or the thread sees what
// was stored before Call.

namespace kube::informers::internal {
namespace {

// The object whose functions this thread is calling.
thread_local const StoreCallbacks* callbacks_of_this_thread = nullptr;

}  // namespace

std::shared_ptr<StoreCallbacks::Callback> StoreCallbacks::Add(Callback callback) {
  auto added = std::make_shared<Callback>(std::move(callback));
  base::MutexLock lock(mutex_);
  callbacks_.push_back(added);
  return added;
}

void StoreCallbacks::Remove(std::shared_ptr<Callback> callback) {
  {
    base::MutexLock lock(mutex_);
    std::erase(callbacks_, callback);
    // A function cannot wait for itself.
    if (callbacks_of_this_thread == this && running_ == callback.get()) return;
    returned_
        .Wait(Context(), mutex_,
              [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return running_ != callback.get(); })
        .IgnoreError();
  }
  // Call may hold the function for a while, but no longer uses it. Its captures end here, on the
  // thread of its owner and without the lock.
  *callback = nullptr;
}

void StoreCallbacks::Call() {
  std::vector<std::shared_ptr<Callback>> callbacks;
  {
    base::MutexLock lock(mutex_);
    callbacks = callbacks_;
  }
  const StoreCallbacks* const outer = std::exchange(callbacks_of_this_thread, this);
  for (const std::shared_ptr<Callback>& callback : callbacks) {
    if (!Begin(callback.get())) continue;
    (*callback)();
    End();
  }
  callbacks_of_this_thread = outer;
}

bool StoreCallbacks::Begin(const Callback* callback) {
  base::MutexLock lock(mutex_);
  const bool is_in_list =
      std::any_of(callbacks_.begin(), callbacks_.end(),
                  [&](const std::shared_ptr<Callback>& each) { return each.get() == callback; });
  if (is_in_list) running_ = callback;
  return is_in_list;
}

void StoreCallbacks::End() {
  base::MutexLock lock(mutex_);
  running_ = nullptr;
  returned_.NotifyAll();
}

}  // namespace kube::informers::internal
