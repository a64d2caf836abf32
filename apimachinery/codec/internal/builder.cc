#include "apimachinery/codec/internal/builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"

namespace kube::codec::internal {
namespace {

// Limits what an arena keeps after one enormous object.
constexpr size_t kMaxBytesKept = size_t{8} << 20;

}  // namespace

ScratchMemory::Piece ScratchMemory::NewPiece(size_t bytes) {
  Piece piece(static_cast<char*>(std::calloc(bytes, 1)));
  KUBE_CHECK(piece != nullptr) << "out of memory: " << bytes << " bytes";
  return piece;
}

ScratchMemory::ScratchMemory(size_t bytes)
    : memory_(NewPiece(bytes)), memory_bytes_(bytes), next_(memory_.get()), end_(next_ + bytes) {}

void ScratchMemory::AddPiece(size_t bytes) {
  bytes = std::max(bytes, memory_bytes_);
  next_ = extra_.emplace_back(NewPiece(bytes)).get();
  end_ = next_ + bytes;
  extra_bytes_ += bytes;
}

// The next object probably needs as much memory as this one.
void ScratchMemory::Enlarge() {
  memory_bytes_ = std::max(memory_bytes_, std::min(memory_bytes_ + extra_bytes_, kMaxBytesKept));
  extra_.clear();
  extra_bytes_ = 0;
  memory_ = NewPiece(memory_bytes_);
  next_ = memory_.get();
  end_ = next_ + memory_bytes_;
}

void SortEntries(ListBlock* block, Type type, absl::FunctionRef<void(char* entry)> drop) {
  const size_t entry_size = kube::table::EntrySize(type);
  char* const entries = block->elements();
  const auto key_of = [&](size_t i) {
    const auto* key = reinterpret_cast<const StringRep*>(entries + i * entry_size);
    return absl::string_view(key->data(), key->size());
  };
  bool is_sorted = true;
  for (size_t i = 1; i < block->size && is_sorted; ++i) is_sorted = key_of(i - 1) < key_of(i);
  if (is_sorted) return;
  std::vector<uint32_t> order(block->size);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return key_of(a) < key_of(b); });
  const std::string unsorted(entries, block->size * entry_size);
  size_t count = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool is_last = i + 1 == order.size() || key_of(order[i]) != key_of(order[i + 1]);
    if (is_last) {
      order[count++] = order[i];
    } else {
      drop(entries + order[i] * entry_size);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(entries + i * entry_size, unsorted.data() + order[i] * entry_size, entry_size);
  }
  block->size = static_cast<uint32_t>(count);
}

}  // namespace kube::codec::internal
