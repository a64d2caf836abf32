#include "controller/workqueue/internal/block_pool.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "apimachinery/base/check.h"

namespace kube::workqueue::internal {

namespace {
// As many, 4 MB, stay for queues that are empty again and again.
constexpr size_t kKeptChunks = 256;
}  // namespace

Ref BlockPool::AddChunk(size_t units) {
  size_t number = chunks_.size();
  if (unused_chunks_.empty()) {
    KUBE_CHECK_LT(number, std::numeric_limits<Ref>::max() / kChunkUnits) << "32 GB of keys";
    chunks_.emplace_back();
  } else {
    number = unused_chunks_.back();
    unused_chunks_.pop_back();
  }
  chunks_[number] = std::make_unique_for_overwrite<Unit[]>(units);
  return static_cast<Ref>(number * kChunkUnits);
}

Ref BlockPool::AllocateAnew(size_t units) {
  if (units >= kSharedUnits) {
    // Its Ref may not be 0, which is the first chunk's.
    if (chunks_.empty()) chunks_.emplace_back();
    return AddChunk(units);
  }
  if (left_ < units) {
    if (left_ > 0) AddFree(next_, left_);
    next_ = AddChunk(kChunkUnits);
    left_ = kChunkUnits;
    if (next_ == kNowhere) {
      ++next_;
      --left_;
    }
  }
  const Ref ref = next_;
  next_ += units;
  left_ -= units;
  return ref;
}

void BlockPool::FreeChunk(Ref ref) {
  chunks_[ref / kChunkUnits].reset();
  unused_chunks_.push_back(ref / kChunkUnits);
}

void BlockPool::Trim() {
  if (chunks_.size() > kKeptChunks) *this = BlockPool();
}

size_t BlockPool::MemoryUsage() const {
  return (chunks_.size() - unused_chunks_.size()) * kChunkUnits * sizeof(Unit);
}

}  // namespace kube::workqueue::internal
