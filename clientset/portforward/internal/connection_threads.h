#ifndef CLIENTSET_PORTFORWARD_INTERNAL_CONNECTION_THREADS_H_
#define CLIENTSET_PORTFORWARD_INTERNAL_CONNECTION_THREADS_H_

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"

namespace kube::portforward::internal {

// Threads that come and go, one for each connection, up to a limit. Threads that have ended are
// joined when the next one starts, and all of them by the destructor. (base::ThreadGroup keeps its
// threads to the end.)
//
// Thread-safe. The destructor must not run while a thread is in Start.
class ConnectionThreads {
 public:
  // The threads are cancelled when `ctx` is done.
  ConnectionThreads(const Context& ctx, size_t limit);
  // Cancels the threads and joins them.
  ~ConnectionThreads();
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  // Starts a thread that runs `body`. Blocks while as many threads as the limit run. Returns
  // ctx.status() if `ctx` is done, and RESOURCE_EXHAUSTED if the system cannot create a thread.
  absl::Status Start(const Context& ctx, std::string name,
                     absl::AnyInvocable<void(const Context&)> body) ABSL_LOCKS_EXCLUDED(mutex_);

  // Cancels the threads. Does not block.
  void Cancel() { scope_.Cancel(); }

  // The number of threads that run.
  size_t running() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Its fields are guarded by the mutex, but for the thread, which belongs to the thread in Start
  // until `started` is set.
  struct Entry {
    bool started = false;
    bool ended = false;
    base::Thread thread;
  };

  // Waits for room and adds an entry. Returns null if `ctx` is done.
  Entry* Add(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void End(Entry& entry) ABSL_LOCKS_EXCLUDED(mutex_);
  // Joins the threads that have ended.
  void Reap() ABSL_LOCKS_EXCLUDED(mutex_);

  const size_t limit_;
  CancelScope scope_;
  mutable base::Mutex mutex_;
  base::CondVar changed_;
  size_t running_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<std::unique_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::portforward::internal

#endif  // CLIENTSET_PORTFORWARD_INTERNAL_CONNECTION_THREADS_H_
