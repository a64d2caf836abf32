#ifndef APIMACHINERY_BASE_QUEUE_H_
#define APIMACHINERY_BASE_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

// What BoundedQueue::Push does if the queue is full.
enum class WhenFull {
  kBlock,       // waits for room
  kReject,      // returns RESOURCE_EXHAUSTED
  kDropNewest,  // drops the pushed item and counts it
  kDropOldest,  // drops the item at the front and counts it
};

// A bounded queue between threads, with a policy for the case that it is full. It is a Go channel
// with a buffer, plus the four policies and a Close after which the consumer drains the queue.
//
// Thread-safe, for any number of producers and one consumer. More consumers are possible, but then
// the order in which two items are handled is not defined. Items come out in the order in which
// they went in. A producer that arrives just as room becomes free may overtake one that is blocked.
//
//   BoundedQueue<std::string> queue(1000, WhenFull::kDropNewest);
//   KUBE_RETURN_IF_ERROR(queue.Push(ctx, "web-0"));
//   queue.Close();
//   for (auto pod = queue.Pop(ctx); pod.ok(); pod = queue.Pop(ctx)) synced.push_back(*pod);
template <typename T>
class BoundedQueue {
 public:
  // Creates an empty queue. `capacity` must be at least 1.
  BoundedQueue(size_t capacity, WhenFull when_full) : capacity_(capacity), when_full_(when_full) {
    KUBE_CHECK(capacity > 0) << "queue capacity must be at least 1";
  }

  // Adds an item at the end. Blocks only with kBlock, until there is room. If it returns an error,
  // the item is lost: the status of `ctx` if that is done, even if there is room;
  // RESOURCE_EXHAUSTED if the queue is full, with kReject; FAILED_PRECONDITION after Close.
  absl::Status Push(const Context& ctx, T item, SourceLocation where = SourceLocation::Current())
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::optional<T> dropped;  // destroyed after the lock is released
    MutexLock lock(mutex_, where);
    if (ctx.done()) return ctx.status();
    if (when_full_ == WhenFull::kBlock) {
      absl::Status status = room_.Wait(
          ctx, mutex_,
          [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
            return closed_ || items_.size() < capacity_;
          },
          where);
      if (!status.ok()) return status;
    }
    if (closed_) return absl::FailedPreconditionError("push to queue: closed");
    if (items_.size() == capacity_) {
      if (when_full_ == WhenFull::kReject) {
        return absl::ResourceExhaustedError("push to queue: full");
      }
      ++dropped_;
      if (when_full_ == WhenFull::kDropNewest) return absl::OkStatus();
      dropped = std::move(items_.front());
      items_.pop_front();
    }
    items_.push_back(std::move(item));
    filled_.NotifyOne();
    return absl::OkStatus();
  }

  // Removes and returns the item at the front; blocks until there is one. Returns the status of
  // `ctx` if that is done, even if there are items, and OUT_OF_RANGE if the queue is closed and
  // empty.
  absl::StatusOr<T> Pop(const Context& ctx, SourceLocation where = SourceLocation::Current())
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_, where);
    if (ctx.done()) return ctx.status();
    absl::Status status = filled_.Wait(
        ctx, mutex_,
        [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return closed_ || !items_.empty(); },
        where);
    if (!status.ok()) return status;
    if (items_.empty()) return absl::OutOfRangeError("pop from queue: closed and drained");
    return TakeFront();
  }

  // Removes and returns the item at the front, or returns nullopt if the queue is empty. Never
  // blocks.
  std::optional<T> TryPop() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    if (items_.empty()) return std::nullopt;
    return TakeFront();
  }

  // Closes the queue: Push fails from now on, Pop still returns the remaining items. Wakes all
  // waiters.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    closed_ = true;
    room_.NotifyAll();
    filled_.NotifyAll();
  }

  size_t size() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return items_.size();
  }

  // Returns the number of items that kDropNewest or kDropOldest has dropped.
  uint64_t dropped() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return dropped_;
  }

 private:
  T TakeFront() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    T item = std::move(items_.front());
    items_.pop_front();
    room_.NotifyOne();
    return item;
  }

  const size_t capacity_;
  const WhenFull when_full_;
  mutable Mutex mutex_;
  CondVar filled_;
  CondVar room_;
  std::deque<T> items_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t dropped_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_QUEUE_H_
