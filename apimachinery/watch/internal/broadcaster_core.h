#ifndef APIMACHINERY_WATCH_INTERNAL_BROADCASTER_CORE_H_
#define APIMACHINERY_WATCH_INTERNAL_BROADCASTER_CORE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/watch/internal/any_event.h"

namespace kube::watch::internal {

// The part of Broadcaster that does not depend on the type of the objects. A watcher is a queue,
// which is closed when its watch ends. Thread-safe.
class BroadcasterCore {
 public:
  BroadcasterCore(size_t queue_length, bool wait_when_full);

  absl::StatusOr<std::shared_ptr<EventQueue>> Watch(std::vector<Event<void>> prefix)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Action(const Context& ctx, const Event<void>& event) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(const std::shared_ptr<EventQueue>& queue) ABSL_LOCKS_EXCLUDED(mutex_);
  void Shutdown() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Waits until no other Action runs, and returns the queues of the current watchers.
  absl::StatusOr<std::vector<std::shared_ptr<EventQueue>>> BeginAction(const Context& ctx)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void EndAction() ABSL_LOCKS_EXCLUDED(mutex_);

  const size_t queue_length_;
  const bool wait_when_full_;
  base::Mutex mutex_;
  base::CondVar turn_;
  // Whether an Action runs. It pushes its event without holding the lock, since a push may block.
  bool distributing_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  // Sorted by the time of Watch.
  std::vector<std::shared_ptr<EventQueue>> queues_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::watch::internal

#endif  // APIMACHINERY_WATCH_INTERNAL_BROADCASTER_CORE_H_
