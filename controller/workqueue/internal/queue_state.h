#ifndef CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "controller/workqueue/internal/block_pool.h"
#include "controller/workqueue/internal/indexed_heap.h"
#include "controller/workqueue/internal/key_table.h"
#include "controller/workqueue/internal/queue_metrics.h"

namespace kube::workqueue::internal {

// What a queue knows, without a lock and without a clock: who calls says what time it is, in
// nanoseconds of the runtime's clock.
//
// A key is one block, as long as it is anything of these:
//   dirty       there is something to be done
//   processing  a worker has it
//   waiting     it will be dirty at some time; by priority not both this and dirty
// What is dirty and not processing is ready. Ready keys are a list, or a heap by priority; waiting
// ones a heap by time.
//
// Thread-compatible.
class QueueState {
 public:
  static constexpr uint64_t kNever = INT64_MAX;

  struct Taken {
    Ref ref = kNowhere;
    uint32_t hash = 0;
    absl::string_view text;  // stays until Done
    int16_t priority = 0;
  };

  // `metrics` may be null; it outlives this.
  QueueState(bool by_priority, QueueMetrics* metrics);
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;

  static uint32_t Hash(absl::string_view text);

  // What is due by `now` must have been made ready before each of these.
  void Add(absl::string_view text, uint32_t hash, int16_t priority, uint64_t now);
  void AddAt(absl::string_view text, uint32_t hash, int16_t priority, uint64_t when, uint64_t now);
  // Something is ready. Into `taken`: to copy what was written just now makes the processor wait.
  void Take(uint64_t now, Taken& taken);
  void Done(Ref ref, uint32_t hash, uint64_t now);

  // What waits for a time up to `now` becomes ready.
  void MakeReady(uint64_t now);
  // Nothing waits any more.
  void DropWaiting();

  size_t ready() const { return by_priority_ ? ready_heap_.size() : ready_; }
  size_t processing() const { return processing_; }
  size_t waiting() const { return waiting_.size(); }
  // When the first one is due; kNever: none is.
  uint64_t next_due() const { return waiting_.empty() ? kNever : waiting_.top().key; }

  void UpdateUnfinished(uint64_t now);

 private:
  enum Flag : uint32_t { kDirty = 1u << 31, kProcessing = 1u << 30, kWaiting = 1u << 29 };
  static constexpr uint32_t kFlags = kDirty | kProcessing | kWaiting;

  // Behind Extra, if there is one, and before the text.
  struct Entry {
    Ref next = kNowhere;  // of the ready ones; with metrics of those in processing
    uint32_t heap_index = 0;
    uint32_t size_and_flags = 0;

    bool Has(Flag flag) const { return (size_and_flags & flag) != 0; }
    void Set(Flag flag) { size_and_flags |= flag; }
    void Clear(Flag flag) { size_and_flags &= ~flag; }
    size_t size() const { return size_and_flags & ~kFlags; }
    absl::string_view text() const { return {reinterpret_cast<const char*>(this + 1), size()}; }
  };
  // With metrics, or by priority.
  struct Extra {
    uint64_t rank = 0;     // the lower the earlier: priority, then number
    uint64_t added = 0;    // when it became dirty
    uint64_t started = 0;  // when it was taken
    Ref previous = kNowhere;
  };
  struct ByTime {
    QueueState* state;
    template <typename Node>
    bool Less(const Node& a, const Node& b) const;
    void Moved(Ref ref, uint32_t index) const { state->At(ref).heap_index = index; }
  };
  struct ByRank {
    QueueState* state;
    template <typename Node>
    bool Less(const Node& a, const Node& b) const {
      return a.key < b.key;
    }
    void Moved(Ref ref, uint32_t index) const { state->At(ref).heap_index = index; }
  };

  Entry& At(Ref ref) {
    return *reinterpret_cast<Entry*>(static_cast<char*>(blocks_.At(ref)) + extra_size_);
  }
  Extra& ExtraAt(Ref ref) { return *static_cast<Extra*>(blocks_.At(ref)); }
  int16_t PriorityAt(Ref ref);
  uint64_t NewRank(int16_t priority) { return RankOf(priority) | next_number_++; }
  static uint64_t RankOf(int16_t priority);

  Ref FindOrMake(absl::string_view text, uint32_t hash);
  void EraseIfUnused(Ref ref, const Entry& entry, uint32_t hash);
  void BecomeDirty(Ref ref, Entry& entry, uint64_t now);
  void PushReady(Ref ref, Entry& entry);
  Ref PopReady();
  void Raise(Ref ref, int16_t priority);
  void StartWork(Ref ref, uint64_t now);
  void EndWork(Ref ref);

  const bool by_priority_;
  QueueMetrics* const metrics_;
  const size_t extra_size_;
  BlockPool blocks_;
  KeyTable table_;
  IndexedHeap<ByTime> waiting_;
  IndexedHeap<ByRank> ready_heap_;  // by priority
  size_t ready_ = 0;                // otherwise; if not 0:
  Ref first_ready_ = kNowhere;
  Entry* last_ready_ = nullptr;
  size_t processing_ = 0;
  uint64_t next_number_ = 0;
  uint32_t next_tie_ = 0;

  // With metrics: those in processing, in the order in which they were taken.
  Ref first_taken_ = kNowhere;
  Ref last_taken_ = kNowhere;
  uint64_t sum_of_starts_ = 0;  // wraps around
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_STATE_H_
