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

// Threads that succeed or fail together: the first error cancels the others and is the result.
// Go: golang.org/x/sync/errgroup.
//
// One owner calls Wait; Go is thread-safe, also from the group's own threads. The destructor
// cancels and waits. There is no limit to the number of threads: a caller that starts one per item
// bounds it.
//
//   ThreadGroup group(ctx);
//   for (int i = 0; i < workers; ++i) group.Go("worker", [&](const Context& ctx) { return Run(ctx);
//   }); return group.Wait();
class ThreadGroup {
 public:
  explicit ThreadGroup(const Context& parent);
  ~ThreadGroup();
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;

  // What the group's threads get: done when the parent is, at the first error, and after Wait.
  const Context& context() const { return scope_.context(); }

  // Starts a thread. If the system has none left, that is the group's error.
  void Go(std::string name, absl::AnyInvocable<absl::Status(const Context&)> body)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Cancels all threads; does not wait. Not an error in itself.
  void Cancel(absl::Status cause = absl::OkStatus()) { scope_.Cancel(std::move(cause)); }

  // Blocks until every thread has returned; answers the first error, or OK.
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
