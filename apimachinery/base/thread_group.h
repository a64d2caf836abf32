#ifndef APIMACHINERY_BASE_THREAD_GROUP_H_
#define APIMACHINERY_BASE_THREAD_GROUP_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/source_location.h"
#include "apimachinery/base/thread.h"

namespace kube::base {

// A group of threads that succeed or fail together: the first error cancels the others and is the
// result. Go: `golang.org/x/sync/errgroup`.
//
// Go is thread-safe and may be called from the group's own threads; one owner calls Wait. The
// destructor cancels the threads and waits for them. The number of threads is not limited: a caller
// that starts one per item must bound it.
//
//   ThreadGroup group(parent);
//   for (int i = 0; i < workers; ++i) {
//     group.Go("worker", [&](const Context& ctx) { return Work(ctx, finished); });
//   }
//   return group.Wait();
class ThreadGroup {
 public:
  explicit ThreadGroup(const Context& parent);
  ~ThreadGroup();
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;

  // Returns the context that the threads receive. It is done when the parent is done, after the
  // first error and after Wait.
  const Context& context() const { return scope_.context(); }

  // Starts a thread that runs `body`. If the system cannot create it, that error is the group's
  // error.
  void Go(std::string name, absl::AnyInvocable<absl::Status(const Context&)> body)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Cancels the threads' context with `cause`. Does not block, and is not itself an error of the
  // group.
  void Cancel(absl::Status cause = absl::OkStatus()) { scope_.Cancel(std::move(cause)); }

  // Blocks until all threads have returned. Returns the first error, or OK.
  absl::Status Wait(SourceLocation where = SourceLocation::Current()) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Fail(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  CancelScope scope_;
  Mutex mutex_;
  absl::Status first_error_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Thread>> threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_THREAD_GROUP_H_
