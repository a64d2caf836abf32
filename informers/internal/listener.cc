#include "informers/internal/listener.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "informers/internal/merge_notifications.h"

// The queue `entries_` holds ranges of notification batches. The handler's thread runs Loop: it
// takes the whole queue under the lock and calls the handler for each notification without the
// lock, until the listener is closed. An entry without a batch is the mark of PushSynced.
//
// pending(), which `max_pending` bounds, counts the notifications in the queue (`queued_`) and
// those that the thread has taken but not delivered yet (`taken_` - `told_`).
//
// With kWait, Push appends a batch piece by piece, each as large as there is room, and waits on
// `room_`, which the thread signals after each call. With kMerge, Push appends the batch and merges
// the queue to one notification per object if `queued_` exceeds `merge_above_`; notifications that
// the thread has already taken are not merged. A merge reads the whole queue, so the next one is
// delayed until the queue has doubled, or until the thread has emptied it.
//
// `ended_` is set by the thread when Loop ends, or by Close if the thread was never started.

namespace kube::informers::internal {
namespace {

thread_local const Listener* listener_of_this_thread = nullptr;

int64_t NowNanos() { return absl::ToInt64Nanoseconds(base::Now().since_epoch()); }

}  // namespace

Listener::Listener(const void* informer, AnyHandler handler, HandlerOptions options,
                   const meta::ObjectAccess& access, ListenerMetrics metrics)
    : informer_(informer),
      handler_(std::move(handler)),
      options_(std::move(options)),
      access_(access),
      metrics_(std::move(metrics)),
      merge_above_(options_.max_pending) {}

const Listener* Listener::OfThisThread() { return listener_of_this_thread; }

absl::Status Listener::Start() {
  {
    base::MutexLock lock(mutex_);
    if (closed()) return absl::OkStatus();
    started_ = true;
  }
  // The context is not the informer's: the thread ends through Close, not with the context of Run.
  absl::Status status = thread_.Start(Context(), "handler", [this](const Context&) { Loop(); });
  if (!status.ok()) {
    {
      base::MutexLock lock(mutex_);
      started_ = false;
    }
    Close();
  }
  return status;
}

size_t Listener::pending() const {
  return queued_ + static_cast<size_t>(taken_ - told_.load(std::memory_order_relaxed));
}

void Listener::Append(Entry entry) {
  queued_ += entry.count;
  entries_.push_back(std::move(entry));
  max_pending_ = std::max(max_pending_, pending());
}

Listener::Entry Listener::Split(Entry& rest) const {
  const size_t waiting = pending();
  const size_t room = options_.max_pending > waiting ? options_.max_pending - waiting : 0;
  if (rest.count <= room) return std::exchange(rest, Entry());
  Entry first = rest;
  first.end = first.begin;
  first.count = 0;
  while (first.count < room) {
    first.count += first.Tells(rest.batch->all[first.end]) ? 1 : 0;
    ++first.end;
  }
  rest.begin = first.end;
  rest.count -= first.count;
  return first;
}

bool Listener::WaitForRoom(const Context& ctx) {
  const auto has_room = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return closed() || pending() < options_.max_pending;
  };
  if (!has_room()) {
    filled_.NotifyOne();  // wakes the thread, which makes room
    const base::MonotonicTime begin = base::Now();
    room_.Wait(ctx, mutex_, has_room).IgnoreError();
    waited_ += base::Now() - begin;
  }
  return !closed() && pending() < options_.max_pending;
}

void Listener::Push(const Context& ctx, const NotificationBatch& batch, bool with_resyncs) {
  const size_t size = batch->all.size();
  const size_t left_out = with_resyncs ? 0 : batch->resyncs;
  {
    base::MutexLock lock(mutex_);
    if (closed()) return;
    suppressed_ += static_cast<int64_t>(left_out);
    metrics_.suppressed.Increment(left_out);
    Entry rest = {.batch = batch,
                  .begin = 0,
                  .end = size,
                  .with_resyncs = with_resyncs,
                  .count = size - left_out};
    if (waits()) {
      while (rest.count > 0) {
        if (!WaitForRoom(ctx)) return;
        Append(Split(rest));
      }
    } else if (rest.count > 0) {
      Append(std::move(rest));
      if (merges() && queued_ > merge_above_) Merge();
    }
  }
  filled_.NotifyOne();  // not under the lock, which the woken thread takes at once
}

void Listener::PushInitial(const NotificationBatch& batch) {
  if (batch->all.empty()) return;
  const size_t size = batch->all.size();
  base::MutexLock lock(mutex_);
  if (!closed()) Append({.batch = batch, .begin = 0, .end = size, .count = size});
  filled_.NotifyOne();
}

void Listener::PushSynced() {
  base::MutexLock lock(mutex_);
  if (!closed()) Append({.batch = nullptr});
  filled_.NotifyOne();
}

void Listener::Merge() {
  NotificationMerger merger(access_);
  bool has_mark = false;
  for (const Entry& entry : entries_) {
    has_mark = has_mark || entry.batch == nullptr;
    for (size_t i = entry.begin; i < entry.end; ++i) {
      if (entry.Tells(entry.batch->all[i])) merger.Add(entry.batch->all[i]);
    }
  }
  auto batch = std::make_shared<const Notifications>(merger.Take());
  const size_t size = batch->all.size();
  merged_ += static_cast<int64_t>(queued_ - size);
  metrics_.merged.Increment(queued_ - size);
  entries_.clear();
  queued_ = size;
  if (size > 0) entries_.push_back({.batch = std::move(batch), .end = size, .count = size});
  // Everything that was queued before the mark is still delivered before it.
  if (has_mark) entries_.push_back({.batch = nullptr});
  // Prevents a merge for each following batch, which would read the whole queue every time.
  merge_above_ = std::max(options_.max_pending, 2 * size);
}

void Listener::Close() {
  std::deque<Entry> dropped;
  base::MutexLock lock(mutex_);
  closed_.store(true, std::memory_order_release);
  dropped.swap(entries_);
  queued_ = 0;
  if (!started_) ended_.Set();
  filled_.NotifyAll();
  room_.NotifyAll();
}

bool Listener::Take(std::deque<Entry>& entries) {
  entries.clear();
  base::MutexLock lock(mutex_);
  const auto is_filled = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return closed() || !entries_.empty();
  };
  filled_.Wait(Context(), mutex_, is_filled).IgnoreError();  // ends with Close
  entries.swap(entries_);
  taken_ += static_cast<int64_t>(std::exchange(queued_, 0));
  merge_above_ = options_.max_pending;
  return !closed();
}

void Listener::Tell(const Entry& entry) {
  uint64_t delivered = 0;
  for (size_t i = entry.begin; i < entry.end && !closed(); ++i) {
    const AnyNotification& notification = entry.batch->all[i];
    if (!entry.Tells(notification)) continue;
    call_began_.store(NowNanos(), std::memory_order_relaxed);
    handler_(notification);
    call_began_.store(-1, std::memory_order_relaxed);
    told_.fetch_add(1, std::memory_order_relaxed);
    ++delivered;
    if (!waits()) continue;
    base::MutexLock lock(mutex_);
    room_.NotifyOne();
  }
  metrics_.delivered.Increment(delivered);
}

void Listener::Loop() {
  listener_of_this_thread = this;
  std::deque<Entry> entries;
  while (Take(entries)) {
    for (Entry& entry : entries) {
      if (closed()) break;
      if (entry.batch == nullptr) {
        synced_.Set();
      } else {
        Tell(entry);
        entry.batch = nullptr;  // releases the objects
      }
    }
  }
  ended_.Set();
}

HandlerStatus Listener::status() const {
  HandlerStatus status = {.name = options_.name, .synced = synced_.IsSet()};
  const int64_t began = call_began_.load(std::memory_order_relaxed);
  if (began >= 0) status.running = absl::Nanoseconds(std::max<int64_t>(NowNanos() - began, 0));
  status.delivered = told_.load(std::memory_order_relaxed);
  base::MutexLock lock(mutex_);
  status.pending = closed() ? 0 : pending();
  status.max_pending = max_pending_;
  status.suppressed = suppressed_;
  status.merged = merged_;
  status.waited = waited_;
  return status;
}

}  // namespace kube::informers::internal
