#include "apimachinery/types/map_edit.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::table {

void EraseMarkedFromMap(ListBlock*& block, Type type, const std::vector<bool>& gone) {
  if (block == nullptr || block->size == 0) return;
  if (!block->is_owned()) block = CopyMap(block, type);
  const size_t stride = EntrySize(type);
  char* to = block->elements();
  const char* from = to;
  for (size_t i = 0; i < gone.size(); ++i, from += stride) {
    if (gone[i]) {
      Load<StringRep>(from).Destroy();
      DestroyValue(const_cast<char*>(from) + sizeof(StringRep), type);
    } else {
      if (to != from) std::memcpy(to, from, stride);
      to += stride;
    }
  }
  block->size = static_cast<uint32_t>(static_cast<size_t>(to - block->elements()) / stride);
}

void MoveEntries(ListBlock*& from, ListBlock*& to, Type type) {
  ListBlock* taken = std::exchange(from, nullptr);
  if (taken == nullptr || taken->size == 0) return DestroyMap(taken, type);
  if (!taken->is_owned()) taken = CopyMap(taken, type);
  if (to == nullptr || to->size == 0) {
    DestroyMap(to, type);
    to = taken;
    return;
  }
  const size_t stride = EntrySize(type);
  const size_t left = to->size;
  const size_t added = taken->size;
  to = GrowMap(to, left + added, type);
  to->size = static_cast<uint32_t>(left + added);
  // Merges from the end, so that no entry is overwritten before it is moved.
  char* last = to->elements() + (left + added) * stride;
  const char* ours = to->elements() + left * stride;
  const char* theirs = taken->elements() + added * stride;
  while (theirs != taken->elements()) {
    const bool take_ours =
        ours != to->elements() && ViewAt(theirs - stride) < ViewAt(ours - stride);
    const char*& next = take_ours ? ours : theirs;
    next -= stride;
    last -= stride;
    std::memcpy(last, next, stride);
  }
  taken->size = 0;
  DestroyMap(taken, type);
}

}  // namespace kube::table
