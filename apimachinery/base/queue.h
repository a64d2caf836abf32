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

// What BoundedQueue::Push does when the queue is full.
enum class WhenFull {
  kBlock,       // wait for room: the producer slows down
  kReject,      // answer ResourceExhausted: the producer decides
  kDropNewest,  // throw the pushed item away and count it
  kDropOldest,  // throw the item at the front away and count it
};

// A queue between threads with a bound and a stated policy when full: many producers, one consumer
// (more than one works too, but then the order of two items tells nothing). A Go channel with a
// buffer, except for its four policies and Close, which drains.
//
// Thread-safe. Items come out in the order in which they went in. A producer that comes just when
// there is room may overtake one that blocks.
//
//   BoundedQueue<Event> queue(1000, WhenFull::kDropNewest);
//   KUBE_RETURN_IF_ERROR(queue.Push(ctx, std::move(event)));
//   for (auto event = queue.Pop(ctx); event.ok(); event = queue.Pop(ctx)) Handle(*event);
template <typename T>
class BoundedQueue {
 public:
  // `capacity` is at least 1.
  BoundedQueue(size_t capacity, WhenFull when_full) : capacity_(capacity), when_full_(when_full) {
    KUBE_CHECK(capacity > 0) << "a queue without room";
  }

  // Blocks only with kBlock, until there is room. Errors, after which the item is gone: the
  // context's, even if there is room; ResourceExhausted with kReject; FailedPrecondition after
  // Close.
  absl::Status Push(const Context& ctx, T item, SourceLocation where = SourceLocation::Current())
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::optional<T> dropped;  // destroyed without the lock
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

  // Blocks until there is an item. Errors: the context's, even if there are items; OutOfRange when
  // the queue is closed and drained.
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

  // The item at the front if there is one; never blocks.
  std::optional<T> TryPop() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    if (items_.empty()) return std::nullopt;
    return TakeFront();
  }

  // Refuses further items; those inside can still be popped. Wakes everybody.
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

  // How many items a policy has thrown away so far.
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
