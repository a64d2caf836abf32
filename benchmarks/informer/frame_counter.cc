#include "benchmarks/informer/frame_counter.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"

namespace kube::benchmarks {

void FrameCounter::Add(absl::string_view piece) {
  if (protobuf_) return AddProtobuf(piece);
  AddJson(piece);
}

void FrameCounter::AddProtobuf(absl::string_view piece) {
  while (!piece.empty()) {
    if (size_bytes_ < 4) {
      size_ = size_ << 8 | static_cast<unsigned char>(piece.front());
      piece.remove_prefix(1);
      ++size_bytes_;
    } else {
      const size_t more = std::min(size_ - have_, piece.size());
      piece.remove_prefix(more);
      have_ += more;
    }
    if (size_bytes_ == 4 && have_ == size_) End(size_);
  }
}

void FrameCounter::AddJson(absl::string_view piece) {
  while (!piece.empty()) {
    const size_t end = piece.find('\n');
    if (end == absl::string_view::npos) {
      have_ += piece.size();
      return;
    }
    End(have_ + end);
    piece.remove_prefix(end + 1);
  }
}

void FrameCounter::End(size_t size) {
  ++count_;
  last_size_ = size;
  size_ = have_ = 0;
  size_bytes_ = 0;
}

}  // namespace kube::benchmarks
