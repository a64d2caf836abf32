#ifndef CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/workqueue/internal/queue_metrics.h"

namespace kube::workqueue::internal {

// The keys of a work queue, with what has to be known of each. It takes no lock and reads no clock:
// callers pass the time. queue_state.cc tells the algorithm.
//
// Thread-compatible.
class QueueState {
 private:
  struct Entry;

 public:
  // A key that a worker has.
  struct Taken {
    Entry* entry = nullptr;
    absl::string_view key;  // valid until Done
    int16_t priority = 0;   // when it was taken; 0 without priorities
  };

  // `metrics` may be null. If not, it outlives this object.
  QueueState(bool by_priority, QueueMetrics* metrics)
      : by_priority_(by_priority), metrics_(metrics) {}
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;

  // Makes dirty the waiting keys that are due by `now`. Callers do so before any other call, so
  // that keys come in the order of time. `now` matters only if there are waiting keys or metrics.
  void MakeDueDirty(base::MonotonicTime now);

  // Adds a key, at once or when it is due. `priority` has no effect without priorities.
  void Add(absl::string_view key, int16_t priority, base::MonotonicTime now);
  void AddAt(absl::string_view key, int16_t priority, base::MonotonicTime due);

  // Takes the first ready key. There must be one.
  Taken Take(base::MonotonicTime now);
  // Ends the processing of a key that was taken.
  void Done(const Taken& taken, base::MonotonicTime now);

  // Drops all delays.
  void DropWaiting();

  size_t ready() const { return by_priority_ ? priority_queue_.size() : queue_.size(); }
  size_t processing() const { return processing_.size(); }
  size_t waiting() const { return waiting_.size(); }
  // When the first waiting key is due. Infinite if no key is waiting.
  base::MonotonicTime next_due() const;

  // Sets the metrics of unfinished work. There must be metrics.
  void UpdateUnfinished(base::MonotonicTime now);

  // For tests: how many keys there are, and for how many the hash table has memory.
  size_t size() const { return entries_.size(); }
  size_t capacity() const { return entries_.capacity(); }

 private:
  // A key that is dirty, processing or waiting, or several of these.
  struct Entry {
    absl::string_view key;  // of the node in entries_
    bool dirty = false;
    bool processing = false;
    bool waiting = false;
    int16_t priority = 0;
    uint64_t number = 0;        // orders entries of the same priority
    base::MonotonicTime due;    // if waiting: when it becomes dirty
    base::MonotonicTime added;  // if dirty: since when

    bool ready() const { return dirty && !processing; }
  };
  // The highest priority first; first in, first out within a priority.
  struct ByPriority {
    bool operator()(const Entry* a, const Entry* b) const {
      if (a->priority != b->priority) return a->priority > b->priority;
      return a->number < b->number;
    }
  };
  struct ByDue {
    bool operator()(const Entry* a, const Entry* b) const {
      return a->due != b->due ? a->due < b->due : ByPriority()(a, b);
    }
  };
  // Nodes, so that pointers to entries and views of keys stay valid.
  using Entries = absl::node_hash_map<std::string, Entry>;

  Entry& FindOrInsert(absl::string_view key);
  void EraseIfUnused(const Entry& entry);
  void MakeDirty(Entry& entry, base::MonotonicTime now);
  void PushReady(Entry& entry);
  Entry& PopReady();
  void SetPriority(Entry& entry, int16_t priority);

  const bool by_priority_;
  QueueMetrics* const metrics_;  // null: no metrics
  Entries entries_;
  // The ready entries are in one of these two.
  std::deque<Entry*> queue_;                     // without priorities
  std::set<Entry*, ByPriority> priority_queue_;  // with priorities
  // The processing set, with the times since when.
  absl::flat_hash_map<const Entry*, base::MonotonicTime> processing_;
  std::set<Entry*, ByDue> waiting_;
  uint64_t next_number_ = 0;
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_
