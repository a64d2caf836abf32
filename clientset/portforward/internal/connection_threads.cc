#include "clientset/portforward/internal/connection_threads.h"

#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"

namespace kube::portforward::internal {

ConnectionThreads::ConnectionThreads(const Context& ctx, size_t limit)
    : limit_(limit), scope_(WithCancel(ctx)) {}

ConnectionThreads::~ConnectionThreads() {
  scope_.Cancel();
  std::list<std::unique_ptr<Entry>> entries;
  {
    base::MutexLock lock(mutex_);
    entries.swap(entries_);
  }
  // Their destructors join, without the lock, which the threads take at their ends.
  entries.clear();
}

absl::Status ConnectionThreads::Start(const Context& ctx, std::string name,
                                      absl::AnyInvocable<void(const Context&)> body) {
  Entry* const entry = Add(ctx);
  if (entry == nullptr) return ctx.status();
  Reap();
  const absl::Status status =
      entry->thread.Start(scope_.context(), std::move(name),
                          [this, entry, body = std::move(body)](const Context& thread_ctx) mutable {
                            body(thread_ctx);
                            body = nullptr;  // ends what it holds
                            End(*entry);
                          });
  if (!status.ok()) End(*entry);
  base::MutexLock lock(mutex_);
  entry->started = true;
  return status;
}

size_t ConnectionThreads::running() const {
  base::MutexLock lock(mutex_);
  return running_;
}

ConnectionThreads::Entry* ConnectionThreads::Add(const Context& ctx) {
  base::MutexLock lock(mutex_);
  const absl::Status status = changed_.Wait(
      ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return running_ < limit_; });
  if (!status.ok()) return nullptr;
  ++running_;
  return entries_.emplace_back(std::make_unique<Entry>()).get();
}

void ConnectionThreads::End(Entry& entry) {
  base::MutexLock lock(mutex_);
  entry.ended = true;
  --running_;
  changed_.NotifyAll();
}

void ConnectionThreads::Reap() {
  std::list<std::unique_ptr<Entry>> ended;
  base::MutexLock lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if ((*entry)->started && (*entry)->ended) ended.splice(ended.end(), entries_, entry);
    entry = next;
  }
}

}  // namespace kube::portforward::internal
