#include "controller/workqueue/internal/key_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kube::workqueue::internal {

namespace {
constexpr size_t kSmallest = 16;
// A table of more, 1 MB, is given back when it is empty. Bursts of fewer than 100,000 keys come
// again and again, and to make it anew takes as long as all else that is done to add them.
constexpr size_t kKept = 131'072;
}  // namespace

void KeyTable::Grow() {
  std::vector<Slot> old(std::max(kSmallest, slots_.size() * 2));
  std::swap(old, slots_);
  for (const Slot& slot : old) {
    if (slot.ref == kNowhere) continue;
    size_t i = slot.hash & mask();
    while (slots_[i].ref != kNowhere) i = (i + 1) & mask();
    slots_[i] = slot;
  }
}

void KeyTable::Erase(uint32_t hash, Ref ref) {
  if (--size_ == 0 && slots_.size() > kKept) {
    slots_ = std::vector<Slot>();
    return;
  }
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
}

}  // namespace kube::workqueue::internal
