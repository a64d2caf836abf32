#include "informers/internal/delta_queue.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"

namespace kube::informers::internal {
namespace {

// Deltas of other types concern all objects and form batches of their own. (client-go: `batchable`
// in the_real_fifo.go)
bool IsAboutOneObject(DeltaType type) {
  return type == DeltaType::kAdded || type == DeltaType::kUpdated || type == DeltaType::kDeleted;
}

}  // namespace

DeltaQueue::DeltaQueue(const meta::ObjectAccess& access, size_t max_batch)
    : access_(access), max_batch_(max_batch) {
  KUBE_CHECK(max_batch > 0) << "max_batch must be at least 1";
}

void DeltaQueue::Push(Delta<void> delta) {
  const DeltaType type = delta.type;
  deltas_.push_back(std::move(delta));
  // Bookmarks and syncs do not show whether there was a list.
  if (populated_ || type == DeltaType::kSync || type == DeltaType::kBookmark) return;
  populated_ = true;
  if (type == DeltaType::kReplaced) initial_count_ = deltas_.size();
  UpdateSynced();
}

std::vector<Delta<void>> DeltaQueue::TakeBatch() {
  size_t limit = std::min(deltas_.size(), max_batch_);
  // Deltas after the first list are not initial.
  if (initial_count_ > 0) limit = std::min(limit, initial_count_);
  std::vector<Delta<void>> batch;
  batch.reserve(limit);
  absl::flat_hash_set<std::pair<absl::string_view, absl::string_view>> keys;
  while (batch.size() < limit) {
    Delta<void>& next = deltas_.front();
    const bool batchable = IsAboutOneObject(next.type);
    if (!batch.empty() && !batchable) break;
    if (batchable && limit > 1) {
      const meta::ObjectKey key = access_.key(next.object.get());
      if (!keys.emplace(key.namespace_name, key.name).second) break;
    }
    batch.push_back(std::move(next));
    deltas_.pop_front();
    if (!batchable) break;
  }
  return batch;
}

bool DeltaQueue::Pop(
    absl::FunctionRef<void(std::vector<Delta<void>> batch, bool is_initial)> process) {
  if (deltas_.empty()) return false;
  const bool is_initial = !synced_.IsSet();
  std::vector<Delta<void>> batch = TakeBatch();
  // Counted before `process`: if the first list arrives while syncs or bookmarks are being
  // processed, none of that batch is initial.
  const size_t initial = std::min(initial_count_, batch.size());
  process(std::move(batch), is_initial);
  if (initial == 0) return true;
  // After `process`, so that the objects are in the store when synced() is set.
  initial_count_ -= initial;
  UpdateSynced();
  return true;
}

void DeltaQueue::UpdateSynced() {
  if (populated_ && initial_count_ == 0) synced_.Set();
}

}  // namespace kube::informers::internal
