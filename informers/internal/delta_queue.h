#ifndef INFORMERS_INTERNAL_DELTA_QUEUE_H_
#define INFORMERS_INTERNAL_DELTA_QUEUE_H_

#include <cstddef>
#include <deque>
#include <vector>

#include "absl/functional/function_ref.h"
#include "apimachinery/base/event.h"
#include "apimachinery/meta/object_access.h"
#include "informers/delta.h"

namespace kube::informers::internal {

// The queue between a reflector and a store: the deltas that the store does not have yet, in order.
// (cache.RealFIFO as informers of client-go 1.36 use it: AtomicEvents, UnlockWhileProcessing,
// EmitDeltaTypeBookmark)
//
// Every delta comes out, in the order in which it went in, and none is merged with another. Pop
// hands over batches in which no key occurs twice; a list, a sync and a bookmark are about all
// objects, and each is a batch of its own. What came after the first list is in no batch with what
// came before it.
//
// client-go's queue stands between two goroutines. This one is a value of the informer's thread,
// which pushes and pops: thread-compatible, without a lock; only synced() may be read and waited
// for on any thread. It has no bound: the informer pops when it has a batch, or nothing more is
// there to read.
class DeltaQueue {
 public:
  // `access` lives for ever. `max_batch` is client-go's.
  explicit DeltaQueue(const meta::ObjectAccess& access, size_t max_batch = 1000);

  void Push(Delta<void> delta);

  // Calls `process` with the next batch; `is_initial` says that synced() is not set yet. Returns
  // false if the queue is empty. (RealFIFO.PopBatch)
  bool Pop(absl::FunctionRef<void(std::vector<Delta<void>> batch, bool is_initial)> process);

  size_t length() const { return deltas_.size(); }
  size_t max_batch() const { return max_batch_; }

  // Set when the first list, and what came before it, has been processed; or at once, if the first
  // delta is an event of one object. Bookmarks and syncs do not count. (Queue.HasSynced)
  const base::Event& synced() const { return synced_; }

 private:
  std::vector<Delta<void>> TakeBatch();
  void UpdateSynced();

  const meta::ObjectAccess& access_;
  const size_t max_batch_;
  base::Event synced_;
  std::deque<Delta<void>> deltas_;
  // A delta other than a bookmark or a sync has come.
  bool populated_ = false;
  // The deltas up to and with the first list that are not processed yet; not those that were taken
  // before it came.
  size_t initial_count_ = 0;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_DELTA_QUEUE_H_
