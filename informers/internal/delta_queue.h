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

// The queue between a reflector and a store: holds the deltas that are not stored yet, in order.
// (client-go: `cache.RealFIFO` as informers of 1.36 use it, with AtomicEvents,
// UnlockWhileProcessing and EmitDeltaTypeBookmark)
//
// Every delta comes out in the order in which it was pushed; none is merged with another. Pop
// returns batches in which no key occurs twice. A list, a sync or a bookmark concerns all objects
// and forms a batch of its own. Deltas after the first list are never in one batch with deltas
// before it.
//
// client-go's queue connects two goroutines. This one belongs to the thread of the informer, which
// both pushes and pops: it is thread-compatible and has no lock, except that any thread may read
// synced() and wait for it. It has no bound, because the informer pops as soon as it has a full
// batch or there is nothing more to read.
class DeltaQueue {
 public:
  // `access` must live as long as the queue. The default of `max_batch` is client-go's.
  explicit DeltaQueue(const meta::ObjectAccess& access, size_t max_batch = 1000);

  void Push(Delta<void> delta);

  // Calls `process` with the next batch; `is_initial` is true if synced() was not set before.
  // Returns false if the queue is empty. (client-go: `RealFIFO.PopBatch`)
  bool Pop(absl::FunctionRef<void(std::vector<Delta<void>> batch, bool is_initial)> process);

  size_t length() const { return deltas_.size(); }
  size_t max_batch() const { return max_batch_; }

  // Returns an event that is set when the first list and the deltas before it have been processed,
  // or at once if the first delta concerns a single object. Bookmarks and syncs do not count.
  // (client-go: `Queue.HasSynced`)
  const base::Event& synced() const { return synced_; }

 private:
  std::vector<Delta<void>> TakeBatch();
  void UpdateSynced();

  const meta::ObjectAccess& access_;
  const size_t max_batch_;
  base::Event synced_;
  std::deque<Delta<void>> deltas_;
  // Set by the first delta that is not a bookmark or a sync.
  bool populated_ = false;
  // Number of unprocessed deltas up to and including the first list, without those that were taken
  // before the list arrived.
  size_t initial_count_ = 0;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_DELTA_QUEUE_H_
