#ifndef INFORMERS_INTERNAL_DELTA_QUEUE_CORE_H_
#define INFORMERS_INTERNAL_DELTA_QUEUE_CORE_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "informers/delta.h"
#include "informers/internal/object_access.h"

namespace kube::informers::internal {

// DeltaQueue of any type: what is of one is behind a pointer. Thread-safe.
class DeltaQueueCore {
 public:
  struct Item {
    DeltaType type = DeltaType::kAdded;
    // Of kAdded, kUpdated, kDeleted: what it is about, as `object` says. Empty otherwise.
    ObjectKey key = {};
    std::shared_ptr<const void> object = {};
    std::vector<std::shared_ptr<const void>> objects = {};
    std::string resource_version = {};
  };
  using Process = absl::FunctionRef<absl::Status(std::vector<Item> items, bool is_initial)>;

  DeltaQueueCore(size_t max_length, size_t max_batch);

  absl::Status Push(const Context& ctx, Item item) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Pop(const Context& ctx, Process process) ABSL_LOCKS_EXCLUDED(mutex_);
  // The same without waiting. False: nothing was there.
  bool TryPop(absl::FunctionRef<void(std::vector<Item> items, bool is_initial)> process)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);
  size_t length() const ABSL_LOCKS_EXCLUDED(mutex_);
  const base::Event& synced() const { return synced_; }

 private:
  absl::Status ProcessBatch(Process process) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<Item> TakeBatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void UpdateSynced() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t max_length_;
  const size_t max_batch_;
  base::Event synced_;

  mutable base::Mutex mutex_;
  base::CondVar filled_;
  base::CondVar room_;
  std::deque<Item> items_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  // Something other than bookmarks and syncs has come.
  bool populated_ ABSL_GUARDED_BY(mutex_) = false;
  // Deltas up to and with the first list that are not processed yet; not those that were taken
  // before it came.
  size_t initial_count_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_DELTA_QUEUE_CORE_H_
