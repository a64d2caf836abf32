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

// Broadcaster of any type; its watchers' queues are closed when they have ended. Thread-safe.
class BroadcasterCore {
 public:
  BroadcasterCore(size_t queue_length, bool wait_when_full);

  absl::StatusOr<std::shared_ptr<EventQueue>> Watch(std::vector<Event<void>> prefix)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Action(const Context& ctx, const Event<void>& event) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(const std::shared_ptr<EventQueue>& queue) ABSL_LOCKS_EXCLUDED(mutex_);
  void Shutdown() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Waits for this Action's turn, and answers who watches.
  absl::StatusOr<std::vector<std::shared_ptr<EventQueue>>> BeginAction(const Context& ctx)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void EndAction() ABSL_LOCKS_EXCLUDED(mutex_);

  const size_t queue_length_;
  const bool wait_when_full_;
  base::Mutex mutex_;
  base::CondVar turn_;
  // Whether an Action is on its way: it hands its event over without the lock, since that may
  // block.
  bool distributing_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::shared_ptr<EventQueue>> queues_ ABSL_GUARDED_BY(mutex_);  // in their order
};

}  // namespace kube::watch::internal

#endif  // APIMACHINERY_WATCH_INTERNAL_BROADCASTER_CORE_H_
