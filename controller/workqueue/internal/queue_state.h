#ifndef CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/workqueue/internal/queue_metrics.h"
#include "controller/workqueue/queue_status.h"

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

  // `metrics` may be null. If not, it outlives this object. An `ageing` of zero or less, or without
  // priorities, is off.
  QueueState(bool by_priority, QueueMetrics* metrics, absl::Duration ageing = absl::ZeroDuration());
  // Takes the keys that are left out of the metrics.
  ~QueueState();
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;

  // Whether the times that callers pass matter even if no key is waiting.
  bool keeps_times() const { return metrics_ != nullptr || ageing_ > absl::ZeroDuration(); }

  // Makes dirty the waiting keys that are due by `now`. Callers do so before any other call, so
  // that keys come in the order of time. `now` matters only if keeps_times() or keys are waiting.
  void MakeDueDirty(base::MonotonicTime now);

  // Adds a key, at once or when it is due. `priority` has no effect without priorities.
  void Add(absl::string_view key, int16_t priority, base::MonotonicTime now);
  void AddAt(absl::string_view key, int16_t priority, base::MonotonicTime due);

  // Takes the next ready key. There must be one.
  Taken Take(base::MonotonicTime now);
  // Ends the processing of a key that was taken.
  void Done(const Taken& taken, base::MonotonicTime now);

  // Drops all delays.
  void DropWaiting();

  size_t ready() const { return ready_; }
  size_t processing() const { return processing_.size(); }
  size_t waiting() const { return waiting_.size(); }
  // When the first waiting key is due. Infinite if no key is waiting.
  base::MonotonicTime next_due() const;

  // Returns what the queue has, but not whether it is shutting down. Takes time for each priority
  // that keys have had, and not for each key.
  QueueStatus Status(base::MonotonicTime now) const;

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
    Entry* older = nullptr;     // if ready: neighbours in the list of ready entries
    Entry* newer = nullptr;

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
  Entry& NextReady(base::MonotonicTime now);
  void PushReady(Entry& entry);
  void RemoveReady(Entry& entry);
  void InsertByPriority(Entry& entry);
  void EraseByPriority(Entry& entry);
  void SetPriority(Entry& entry, int16_t priority);

  const bool by_priority_;
  const absl::Duration ageing_;  // zero: off
  QueueMetrics* const metrics_;  // null: no metrics
  Entries entries_;
  // The ready entries, in the order in which they became ready.
  Entry* oldest_ = nullptr;
  Entry* newest_ = nullptr;
  size_t ready_ = 0;
  // With priorities, the ready entries are in this set too.
  std::set<Entry*, ByPriority> priority_queue_;
  std::map<int16_t, size_t> ready_by_priority_;  // zeros stay, as priorities recur
  bool took_for_age_ = false;                    // the last entry was not the first by priority
  // The processing set, with the times since when.
  absl::flat_hash_map<const Entry*, base::MonotonicTime> processing_;
  std::set<Entry*, ByDue> waiting_;
  uint64_t next_number_ = 0;
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_
