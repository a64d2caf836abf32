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

char* ScratchMemory::GetExtra(size_t bytes) {
  Piece piece(static_cast<char*>(std::calloc(bytes, 1)));
  KUBE_CHECK(piece != nullptr) << "out of memory: " << bytes << " bytes";
  extra_bytes_ += bytes;
  return extra_.emplace_back(std::move(piece)).get();
}

void ScratchMemory::Enlarge() {
  const auto now = static_cast<size_t>(end_ - memory_.get());
  const size_t bytes = std::min(std::max(now * 2, now + extra_bytes_), kMaxBytesKept);
  extra_bytes_ = 0;
  if (bytes <= now) return;
  memory_.reset(static_cast<char*>(std::calloc(bytes, 1)));
  KUBE_CHECK(memory_ != nullptr) << "out of memory: " << bytes << " bytes";
  next_ = memory_.get();
  end_ = next_ + bytes;
}

}  // namespace kube::codec::internal
