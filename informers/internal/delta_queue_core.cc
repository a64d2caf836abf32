#include "informers/internal/delta_queue_core.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"

namespace kube::informers::internal {
namespace {

// Others are a batch of their own: they are about all objects. (batchable of the_real_fifo.go)
bool IsAboutOneObject(DeltaType type) {
  return type == DeltaType::kAdded || type == DeltaType::kUpdated || type == DeltaType::kDeleted;
}

}  // namespace

DeltaQueueCore::DeltaQueueCore(size_t max_length, size_t max_batch)
    : max_length_(max_length), max_batch_(max_batch) {
  KUBE_CHECK(max_length > 0 && max_batch > 0) << "a queue without room";
}

absl::Status DeltaQueueCore::Push(const Context& ctx, Item item) {
  {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(room_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return closed_ || items_.size() < max_length_;
    }));
    if (closed_) return absl::FailedPreconditionError("push delta: queue is closed");
    const DeltaType type = item.type;
    items_.push_back(std::move(item));
    // Bookmarks and syncs say nothing of whether there was a list.
    if (!populated_ && type != DeltaType::kSync && type != DeltaType::kBookmark) {
      populated_ = true;
      if (type == DeltaType::kReplaced) initial_count_ = items_.size();
      UpdateSynced();
    }
  }
  filled_.NotifyOne();
  return absl::OkStatus();
}

std::vector<DeltaQueueCore::Item> DeltaQueueCore::TakeBatch() {
  size_t limit = std::min(items_.size(), max_batch_);
  // What came after the first list is not initial.
  if (initial_count_ > 0) limit = std::min(limit, initial_count_);
  std::vector<Item> batch;
  batch.reserve(limit);
  absl::flat_hash_set<std::pair<absl::string_view, absl::string_view>> keys;
  while (batch.size() < limit) {
    Item& next = items_.front();
    const bool batchable = IsAboutOneObject(next.type);
    if (!batch.empty() && !batchable) break;
    if (batchable && !keys.emplace(next.key.namespace_name, next.key.name).second) break;
    batch.push_back(std::move(next));
    items_.pop_front();
    if (!batchable) break;
  }
  return batch;
}

absl::Status DeltaQueueCore::Pop(const Context& ctx, Process process) {
  {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(filled_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return closed_ || !items_.empty();
    }));
    if (items_.empty()) return absl::OutOfRangeError("pop deltas: queue is closed");
  }
  return ProcessBatch(process);
}

bool DeltaQueueCore::TryPop(
    absl::FunctionRef<void(std::vector<Item> items, bool is_initial)> process) {
  if (length() == 0) return false;
  const absl::Status status = ProcessBatch([&](std::vector<Item> items, bool is_initial) {
    process(std::move(items), is_initial);
    return absl::OkStatus();
  });
  return status.ok();
}

absl::Status DeltaQueueCore::ProcessBatch(Process process) {
  std::vector<Item> batch;
  bool is_initial = false;
  // Of the batch. If the first list comes while syncs or bookmarks are processed, none are.
  size_t initial = 0;
  {
    base::MutexLock lock(mutex_);
    is_initial = !synced_.IsSet();
    batch = TakeBatch();
    initial = std::min(initial_count_, batch.size());
    room_.NotifyAll();
  }
  absl::Status result = process(std::move(batch), is_initial);
  if (initial == 0) return result;
  base::MutexLock lock(mutex_);
  // Only now: whoever sees that it has synced finds the objects in the store.
  initial_count_ -= initial;
  UpdateSynced();
  return result;
}

void DeltaQueueCore::UpdateSynced() {
  if (populated_ && initial_count_ == 0) synced_.Set();
}

void DeltaQueueCore::Close() {
  base::MutexLock lock(mutex_);
  closed_ = true;
  filled_.NotifyAll();
  room_.NotifyAll();
}

size_t DeltaQueueCore::length() const {
  base::MutexLock lock(mutex_);
  return items_.size();
}

}  // namespace kube::informers::internal
