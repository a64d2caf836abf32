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

void KeyTable::Trim() {
  if (slots_.size() > kKept) slots_ = std::vector<Slot>();
}

}  // namespace kube::workqueue::internal
