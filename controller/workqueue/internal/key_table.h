#ifndef CONTROLLER_WORKQUEUE_INTERNAL_KEY_TABLE_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_KEY_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller/workqueue/internal/block_pool.h"

namespace kube::workqueue::internal {

// A hash table of Refs, eight bytes a slot, that does not know what they refer to. Linear probing;
// erasing moves what follows back, so there are no tombstones.
//
// Thread-compatible.
class KeyTable {
 public:
  // The Ref of this hash for which `equal(ref)`; if there is none it is what `make()` returns.
  template <typename Equal, typename Make>
  Ref FindOrInsert(uint32_t hash, Equal equal, Make make) {
    if (size_ >= slots_.size() - slots_.size() / 4) Grow();
    size_t i = hash & mask();
    for (; slots_[i].ref != kNowhere; i = (i + 1) & mask()) {
      if (slots_[i].hash == hash && equal(slots_[i].ref)) return slots_[i].ref;
    }
    slots_[i] = {hash, make()};
    ++size_;
    return slots_[i].ref;
  }

  // Something of this hash is there. Erase will be here, where perhaps another core wrote last.
  void Prefetch(uint32_t hash) const { __builtin_prefetch(&slots_[hash & mask()], 1); }

  // It is there.
  void Erase(uint32_t hash, Ref ref) {
    size_t hole = hash & mask();
    while (slots_[hole].ref != ref) hole = (hole + 1) & mask();
    // What stands behind the hole, and is not nearer to its place than that, moves into it.
    for (size_t i = (hole + 1) & mask(); slots_[i].ref != kNowhere; i = (i + 1) & mask()) {
      const size_t from_home = (i - slots_[i].hash) & mask();
      if (from_home < ((i - hole) & mask())) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].ref = kNowhere;
    if (--size_ == 0) Trim();
  }

  size_t size() const { return size_; }
  size_t MemoryUsage() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    uint32_t hash = 0;
    Ref ref = kNowhere;
  };
  size_t mask() const { return slots_.size() - 1; }
  void Grow();
  void Trim();

  std::vector<Slot> slots_;  // none, or a power of two
  size_t size_ = 0;
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_KEY_TABLE_H_
