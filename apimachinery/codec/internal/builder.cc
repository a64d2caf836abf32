#include "apimachinery/codec/internal/builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "apimachinery/base/check.h"

namespace kube::codec::internal {
namespace {

// An arena that one enormous object enlarged gives the memory back with the object.
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

// The next object probably needs as much.
void ScratchMemory::Enlarge() {
  memory_bytes_ = std::max(memory_bytes_, std::min(memory_bytes_ + extra_bytes_, kMaxBytesKept));
  extra_.clear();
  extra_bytes_ = 0;
  memory_ = NewPiece(memory_bytes_);
  next_ = memory_.get();
  end_ = next_ + memory_bytes_;
}

}  // namespace kube::codec::internal
