// An entry is in up to three states, those of client-go:
//
//   dirty       The key has to be processed. (The dirty set of client-go's queue.)
//   processing  A worker has the key. (Its processing set.)
//   waiting     The key becomes dirty when it is due. (client-go's delaying queue.)
//
// An entry that is dirty and not processing is ready: workers can take it. Take makes it processing
// and no longer dirty. If its key is added while it is processing it becomes dirty, but ready only
// by Done, so that two workers never have the same key. An entry in none of the states is erased.
//
// Without priorities ready entries are a FIFO queue, and an entry may be waiting besides being
// dirty: its key then comes twice, as with client-go. With priorities the rules are those of
// controller-runtime's priorityqueue: an entry that is dirty is not waiting, and of all that was
// said of a key since it was taken last, the earliest time and the highest priority count.

#include "controller/workqueue/internal/queue_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::workqueue::internal {

namespace {
// A hash table does not shrink when keys are erased. When it becomes empty it is replaced, if its
// capacity is larger than this, about a megabyte. A smaller one is kept, as bursts of keys recur.
constexpr size_t kKeptCapacity = 131'072;
}  // namespace

QueueState::Entry& QueueState::FindOrInsert(absl::string_view key) {
  const auto [it, inserted] = entries_.try_emplace(key);
  if (inserted) it->second.key = it->first;
  return it->second;
}

void QueueState::EraseIfUnused(const Entry& entry) {
  if (entry.dirty || entry.processing || entry.waiting) return;
  entries_.erase(entry.key);
  if (entries_.empty() && entries_.capacity() > kKeptCapacity) entries_ = Entries();
}

void QueueState::MakeDueDirty(base::MonotonicTime now) {
  while (!waiting_.empty() && next_due() <= now) {
    Entry& entry = **waiting_.begin();
    waiting_.erase(waiting_.begin());
    entry.waiting = false;
    entry.number = next_number_++;
    // It counts as added when it was due, even if nobody called until now.
    if (!entry.dirty) MakeDirty(entry, entry.due);
  }
}

void QueueState::Add(absl::string_view key, int16_t priority, base::MonotonicTime now) {
  Entry& entry = FindOrInsert(key);
  if (by_priority_) {
    SetPriority(entry, priority);
    if (entry.waiting) {
      waiting_.erase(&entry);
      entry.waiting = false;
    }
  }
  if (!entry.dirty) MakeDirty(entry, now);
}

void QueueState::AddAt(absl::string_view key, int16_t priority, base::MonotonicTime due) {
  if (metrics_ != nullptr) metrics_->Retried();
  Entry& entry = FindOrInsert(key);
  if (by_priority_) {
    SetPriority(entry, priority);
    if (entry.dirty) return;
  }
  if (entry.waiting) {
    if (entry.due <= due) return;
    waiting_.erase(&entry);
  }
  entry.waiting = true;
  entry.due = due;
  // Without priorities, delays of the same time end in the order in which they were added.
  if (!by_priority_) entry.number = next_number_++;
  waiting_.insert(&entry);
}

// Gives the entry this priority, unless it has a higher one already, or the same. With a new
// priority it comes behind the other entries of that priority.
void QueueState::SetPriority(Entry& entry, int16_t priority) {
  const bool has_priority = entry.dirty || entry.waiting;
  if (has_priority && priority <= entry.priority) return;
  // What orders a set must not change while the entry is in it.
  if (entry.waiting) waiting_.erase(&entry);
  if (entry.ready()) priority_queue_.erase(&entry);
  if (entry.dirty && metrics_ != nullptr) metrics_->Raised(entry.priority, priority);
  entry.priority = priority;
  entry.number = next_number_++;
  if (entry.waiting) waiting_.insert(&entry);
  if (entry.ready()) priority_queue_.insert(&entry);
}

void QueueState::MakeDirty(Entry& entry, base::MonotonicTime now) {
  entry.dirty = true;
  entry.added = now;
  if (metrics_ != nullptr) metrics_->Added(entry.priority);
  if (entry.ready()) PushReady(entry);
}

void QueueState::PushReady(Entry& entry) {
  if (by_priority_) {
    priority_queue_.insert(&entry);
  } else {
    queue_.push_back(&entry);
  }
}

QueueState::Entry& QueueState::PopReady() {
  Entry* entry = nullptr;
  if (by_priority_) {
    entry = *priority_queue_.begin();
    priority_queue_.erase(priority_queue_.begin());
  } else {
    entry = queue_.front();
    queue_.pop_front();
  }
  return *entry;
}

QueueState::Taken QueueState::Take(base::MonotonicTime now) {
  Entry& entry = PopReady();
  entry.dirty = false;
  entry.processing = true;
  processing_.emplace(&entry, now);
  if (metrics_ != nullptr) metrics_->Taken(entry.priority, now - entry.added);
  return {.entry = &entry, .key = entry.key, .priority = entry.priority};
}

void QueueState::Done(const Taken& taken, base::MonotonicTime now) {
  Entry& entry = *taken.entry;
  const auto started = processing_.find(&entry);
  if (metrics_ != nullptr) metrics_->Done(now - started->second);
  processing_.erase(started);
  entry.processing = false;
  if (entry.ready()) {
    PushReady(entry);
  } else {
    EraseIfUnused(entry);
  }
}

void QueueState::DropWaiting() {
  while (!waiting_.empty()) {
    Entry& entry = **waiting_.begin();
    waiting_.erase(waiting_.begin());
    entry.waiting = false;
    EraseIfUnused(entry);
  }
}

base::MonotonicTime QueueState::next_due() const {
  return waiting_.empty() ? base::MonotonicTime::Infinite() : (*waiting_.begin())->due;
}

void QueueState::UpdateUnfinished(base::MonotonicTime now) {
  absl::Duration total;
  absl::Duration longest;
  for (const auto& [entry, started] : processing_) {
    total += now - started;
    longest = std::max(longest, now - started);
  }
  metrics_->Unfinished(total, longest);
}

}  // namespace kube::workqueue::internal
