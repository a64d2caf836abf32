#ifndef INFORMERS_INTERNAL_RETRY_WATCHER_CORE_H_
#define INFORMERS_INTERNAL_RETRY_WATCHER_CORE_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "informers/lister_watcher.h"

namespace kube::informers::internal {

// The part of RetryWatcher that does not depend on the object type.
class RetryWatcherCore {
 public:
  // `access` must outlive the watcher.
  RetryWatcherCore(std::shared_ptr<ListerWatcher> source, const meta::ObjectAccess& access,
                   std::string resource_version);

  absl::StatusOr<std::optional<watch::Event<void>>> Next(const Context& ctx)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Process an event or an error. Return nothing if the watch continues, or the event to pass on.
  std::optional<watch::Event<void>> OnEvent(watch::Event<void> event);
  std::optional<watch::Event<void>> OnError(const absl::Status& error, bool is_final);
  // Waits until a new watch may be opened, and opens it. Returns an event only if it is the last
  // one.
  absl::StatusOr<std::optional<watch::Event<void>>> Open(const Context& ctx)
      ABSL_LOCKS_EXCLUDED(mutex_);
  watch::Event<void> End(absl::Status error);
  void Restart(absl::Duration after) ABSL_LOCKS_EXCLUDED(mutex_);
  bool stopped() const { return stop_.context().done(); }

  const std::shared_ptr<ListerWatcher> source_;
  const meta::ObjectAccess& access_;

  // Used only by the thread that calls Next:
  std::string resource_version_;
  bool ended_ = false;
  base::MonotonicTime opened_;
  base::MonotonicTime open_at_;

  CancelScope stop_;
  base::Mutex mutex_;
  // Written only by the thread that calls Next, which therefore reads it without the lock.
  std::unique_ptr<watch::Watcher<void>> watcher_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_RETRY_WATCHER_CORE_H_
