#include "apimachinery/watch/internal/broadcaster_core.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/status.h"
#include "apimachinery/watch/internal/any_event.h"

namespace kube::watch::internal {

// Actions run one at a time: BeginAction waits until `distributing_` is false, sets it and copies
// the list of queues; EndAction clears it and wakes the next. In between the event is pushed to
// each queue without the lock, since a push to a full queue may block. This gives all watchers the
// events in the same order. A watcher that is added meanwhile is not in the copy, and gets only
// later events. Remove and Shutdown close queues at any time, which also unblocks a push to them.
// The prefix of a watcher is pushed before its queue is listed, so that it precedes all other
// events.

namespace {

absl::Status AlreadyStopped() {
  return absl::FailedPreconditionError("broadcaster already stopped");
}

}  // namespace

BroadcasterCore::BroadcasterCore(size_t queue_length, bool wait_when_full)
    : queue_length_(std::max<size_t>(queue_length, 1)), wait_when_full_(wait_when_full) {}

absl::StatusOr<std::shared_ptr<EventQueue>> BroadcasterCore::Watch(
    std::vector<Event<void>> prefix) {
  const auto queue = std::make_shared<EventQueue>(
      std::max(queue_length_, prefix.size() + 1),
      wait_when_full_ ? base::WhenFull::kBlock : base::WhenFull::kDropNewest);
  for (Event<void>& event : prefix) {
    KUBE_RETURN_IF_ERROR(queue->Push(Context(), std::move(event)));
  }
  base::MutexLock lock(mutex_);
  if (stopped_) return AlreadyStopped();
  queues_.push_back(queue);
  return queue;
}

absl::StatusOr<std::vector<std::shared_ptr<EventQueue>>> BroadcasterCore::BeginAction(
    const Context& ctx) {
  base::MutexLock lock(mutex_);
  KUBE_RETURN_IF_ERROR(turn_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stopped_ || !distributing_;
  }));
  if (stopped_) return AlreadyStopped();
  distributing_ = true;
  return queues_;
}

void BroadcasterCore::EndAction() {
  base::MutexLock lock(mutex_);
  distributing_ = false;
  turn_.NotifyOne();
}

absl::Status BroadcasterCore::Action(const Context& ctx, const Event<void>& event) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<std::shared_ptr<EventQueue>> queues, BeginAction(ctx));
  absl::Status result;
  for (const std::shared_ptr<EventQueue>& queue : queues) {
    // A closed queue belongs to a watcher that has stopped meanwhile; it gets no event.
    const absl::Status pushed = queue->Push(ctx, event);
    if (!pushed.ok() && !absl::IsFailedPrecondition(pushed)) {
      result = pushed;
      break;
    }
  }
  EndAction();
  if (!result.ok()) return result;
  base::MutexLock lock(mutex_);
  return stopped_ ? AlreadyStopped() : absl::OkStatus();
}

void BroadcasterCore::Remove(const std::shared_ptr<EventQueue>& queue) {
  queue->Close();
  base::MutexLock lock(mutex_);
  std::erase(queues_, queue);
}

void BroadcasterCore::Shutdown() {
  std::vector<std::shared_ptr<EventQueue>> queues;
  {
    base::MutexLock lock(mutex_);
    stopped_ = true;
    queues.swap(queues_);
    turn_.NotifyAll();
  }
  for (const std::shared_ptr<EventQueue>& queue : queues) queue->Close();
}

}  // namespace kube::watch::internal
