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
// All ready entries are in a list, in the order in which they became ready. Without priorities it
// is the FIFO queue, and an entry may be waiting besides being dirty: its key then comes twice, as
// with client-go. With priorities the rules are those of controller-runtime's priorityqueue: an
// entry that is dirty is not waiting, and of all that was said of a key since it was taken last,
// the earliest time and the highest priority count.
//
// Ageing, which controller-runtime does not have: if the first entry of the list was added `ageing`
// ago or more, it is taken, whatever its priority, unless the entry taken last was taken so. Hence,
// if k entries became ready before one that has been ready for `ageing`, at most 2k + 1 others are
// taken before it: those k are at least as old, so every second Take takes the first of the list.
// And an entry that is behind k others by priority waits for 2k + 1 at most, however many entries
// have aged: without turns, a long initial list that has aged would be in front of all news.

#include "controller/workqueue/internal/queue_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/workqueue/internal/queue_metrics.h"
#include "controller/workqueue/queue_status.h"

namespace kube::workqueue::internal {

namespace {
// A hash table does not shrink when keys are erased. When it becomes empty it is replaced, if its
// capacity is larger than this, about a megabyte. A smaller one is kept, as bursts of keys recur.
constexpr size_t kKeptCapacity = 131'072;
}  // namespace

QueueState::QueueState(bool by_priority, QueueMetrics* metrics, absl::Duration ageing)
    : by_priority_(by_priority),
      ageing_(by_priority ? std::max(ageing, absl::ZeroDuration()) : absl::ZeroDuration()),
      metrics_(metrics) {}

QueueState::~QueueState() {
  if (metrics_ == nullptr) return;
  for (const auto& [key, entry] : entries_) {
    if (entry.dirty) metrics_->Dropped(entry.priority);
  }
  metrics_->Unfinished(absl::ZeroDuration(), absl::ZeroDuration());
}

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
  if (entry.ready()) EraseByPriority(entry);
  if (entry.dirty && metrics_ != nullptr) metrics_->Raised(entry.priority, priority);
  entry.priority = priority;
  entry.number = next_number_++;
  if (entry.waiting) waiting_.insert(&entry);
  if (entry.ready()) InsertByPriority(entry);
}

void QueueState::MakeDirty(Entry& entry, base::MonotonicTime now) {
  entry.dirty = true;
  entry.added = now;
  if (metrics_ != nullptr) metrics_->Added(entry.priority);
  if (entry.ready()) PushReady(entry);
}

// Appends an entry that has become ready to the list.
void QueueState::PushReady(Entry& entry) {
  entry.older = newest_;
  (newest_ == nullptr ? oldest_ : newest_->newer) = &entry;
  newest_ = &entry;
  ++ready_;
  if (by_priority_) InsertByPriority(entry);
}

void QueueState::RemoveReady(Entry& entry) {
  (entry.older == nullptr ? oldest_ : entry.older->newer) = entry.newer;
  (entry.newer == nullptr ? newest_ : entry.newer->older) = entry.older;
  entry.older = nullptr;
  entry.newer = nullptr;
  --ready_;
  if (by_priority_) EraseByPriority(entry);
}

void QueueState::InsertByPriority(Entry& entry) {
  priority_queue_.insert(&entry);
  ++ready_by_priority_[entry.priority];
}

void QueueState::EraseByPriority(Entry& entry) {
  const auto first = priority_queue_.begin();
  priority_queue_.erase(*first == &entry ? first : priority_queue_.find(&entry));
  --ready_by_priority_[entry.priority];
}

QueueState::Entry& QueueState::NextReady(base::MonotonicTime now) {
  if (!by_priority_) return *oldest_;
  Entry& first = **priority_queue_.begin();
  const bool has_aged = ageing_ > absl::ZeroDuration() && now - oldest_->added >= ageing_;
  took_for_age_ = has_aged && !took_for_age_ && oldest_ != &first;
  return took_for_age_ ? *oldest_ : first;
}

QueueState::Taken QueueState::Take(base::MonotonicTime now) {
  Entry& entry = NextReady(now);
  RemoveReady(entry);
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

QueueStatus QueueState::Status(base::MonotonicTime now) const {
  QueueStatus status = {.delayed = waiting(), .processing = processing()};
  if (by_priority_) {
    for (const auto& [priority, keys] : ready_by_priority_) {
      if (keys > 0) status.ready[priority] = keys;
    }
  } else if (ready_ > 0) {
    status.ready[0] = ready_;
  }
  if (oldest_ != nullptr) {
    status.oldest_key = std::string(oldest_->key);
    if (keeps_times()) status.oldest_age = now - oldest_->added;
  }
  for (const Entry* entry = oldest_;
       entry != nullptr && status.oldest_keys.size() < kMostOldestKeys; entry = entry->newer) {
    ReadyKey& key = status.oldest_keys.emplace_back();
    key.key = std::string(entry->key);
    if (keeps_times()) key.age = now - entry->added;
  }
  if (!waiting_.empty()) status.next_due_in = next_due() - now;
  return status;
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
