#ifndef INFORMERS_INTERNAL_STORE_CALLBACKS_H_
#define INFORMERS_INTERNAL_STORE_CALLBACKS_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"

namespace kube::informers::internal {

// The functions that an informer calls when its store has advanced. Thread-safe.
class StoreCallbacks {
 public:
  using Callback = std::function<void()>;

  // Adds a function, which must not be null. The result identifies it to Remove.
  std::shared_ptr<Callback> Add(Callback callback) ABSL_LOCKS_EXCLUDED(mutex_);

  // Removes a function, which is not called afterwards, and destroys it. Blocks while it is running
  // on another thread. If it is itself the caller, does not block: this call is then its last one,
  // and it is destroyed when it has returned.
  void Remove(std::shared_ptr<Callback> callback) ABSL_LOCKS_EXCLUDED(mutex_);

  // Calls all functions, in the order in which they were added. Those that are added meanwhile are
  // called the next time. Calls of this method must not overlap.
  void Call() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Returns whether the function is still to be called, and notes that it is running.
  bool Begin(const Callback* callback) ABSL_LOCKS_EXCLUDED(mutex_);
  void End() ABSL_LOCKS_EXCLUDED(mutex_);

  base::Mutex mutex_;
  // Signalled when a function has returned.
  base::CondVar returned_;
  std::vector<std::shared_ptr<Callback>> callbacks_ ABSL_GUARDED_BY(mutex_);
  const Callback* running_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_STORE_CALLBACKS_H_
