#include "apimachinery/base/thread_group.h"

#include <utility>

namespace kube::base {

ThreadGroup::ThreadGroup(const Context& parent) : scope_(WithCancel(parent)) {}

ThreadGroup::~ThreadGroup() {
  scope_.Cancel();
  Wait().IgnoreError();  // the caller did not ask for the result
}

void ThreadGroup::Go(std::string name, absl::AnyInvocable<absl::Status(const Context&)> body) {
  auto thread = std::make_unique<Thread>();
  const absl::Status started =
      thread->Start(scope_.context(), std::move(name),
                    [this, body = std::move(body)](const Context& ctx) mutable {
                      const absl::Status status = body(ctx);
                      if (!status.ok()) Fail(status);
                    });
  if (!started.ok()) {
    Fail(started);
    return;
  }
  MutexLock lock(mutex_);
  threads_.push_back(std::move(thread));
}

absl::Status ThreadGroup::Wait(SourceLocation where) {
  for (;;) {
    std::vector<std::unique_ptr<Thread>> threads;
    {
      MutexLock lock(mutex_);
      threads.swap(threads_);
    }
    if (threads.empty()) break;
    // The next round joins the threads that these have started.
    for (const std::unique_ptr<Thread>& thread : threads) thread->Join(where);
  }
  scope_.Cancel();
  MutexLock lock(mutex_);
  return first_error_;
}

void ThreadGroup::Fail(const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    if (!first_error_.ok()) return;
    first_error_ = status;
  }
  scope_.Cancel(status);
}

}  // namespace kube::base
