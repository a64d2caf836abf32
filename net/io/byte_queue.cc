#include "net/io/byte_queue.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace kube::io {

namespace {

// Pieces that together are at most this long are joined even if that takes new memory.
constexpr size_t kSmallBytes = size_t{4} << 10;

// What is kept of recycled pieces.
constexpr size_t kMaxSpare = 2;
constexpr size_t kMaxSpareBytes = size_t{64} << 10;

}  // namespace

void ByteQueue::Append(absl::string_view bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  if (!pieces_.empty()) {
    std::string& last = pieces_.back();
    if (last.size() + bytes.size() <= std::max(kSmallBytes, last.capacity())) {
      last.append(bytes.data(), bytes.size());
      return;
    }
  }
  std::string piece;
  if (!spare_.empty()) {
    piece = std::move(spare_.back());
    spare_.pop_back();
  }
  piece.assign(bytes.data(), bytes.size());
  pieces_.push_back(std::move(piece));
}

std::string ByteQueue::Take() {
  if (pieces_.empty()) return {};
  std::string piece = std::move(pieces_.front());
  pieces_.pop_front();
  if (offset_ != 0) piece.erase(0, std::exchange(offset_, 0));
  size_ -= piece.size();
  return piece;
}

void ByteQueue::TakeInto(std::string& out, size_t most) {
  while (most > 0 && !pieces_.empty()) {
    std::string& first = pieces_.front();
    const size_t part = std::min(most, first.size() - offset_);
    offset_ += part;
    most -= part;
    size_ -= part;
    const bool used_up = offset_ == first.size();
    if (out.empty() && part == first.size()) {
      out.swap(first);
    } else {
      out.append(first, offset_ - part, part);
    }
    if (!used_up) return;
    offset_ = 0;
    Recycle(std::move(first));
    pieces_.pop_front();
  }
}

void ByteQueue::Recycle(std::string piece) {
  const bool has_memory = piece.capacity() > std::string().capacity();
  if (!has_memory || piece.capacity() > kMaxSpareBytes || spare_.size() >= kMaxSpare) return;
  piece.clear();
  spare_.push_back(std::move(piece));
}

void ByteQueue::Clear() {
  pieces_.clear();
  spare_.clear();
  offset_ = 0;
  size_ = 0;
}

}  // namespace kube::io
