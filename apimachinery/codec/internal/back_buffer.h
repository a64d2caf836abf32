#ifndef APIMACHINERY_CODEC_INTERNAL_BACK_BUFFER_H_
#define APIMACHINERY_CODEC_INTERNAL_BACK_BUFFER_H_

#include <cstddef>
#include <cstring>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"

namespace kube::codec::internal {

// Memory that is written from its end to its start: so a protobuf encoder knows the size of each
// message when it comes to the place where that stands, before it. Used as OutputBuffer is, with a
// position that falls. Large: for the stack. Thread-compatible.
class BackBuffer {
 public:
  BackBuffer() = default;
  BackBuffer(const BackBuffer&) = delete;
  BackBuffer& operator=(const BackBuffer&) = delete;
  ~BackBuffer() {
    if (begin_ != first_) kube::table::Free(begin_);
  }

  char* end() const { return end_; }

  // `out`, moved with what was written where the memory had to grow: `bytes` may be written before
  // it.
  [[nodiscard]] char* Reserve(char* out, size_t bytes) {
    return __builtin_expect(static_cast<size_t>(out - begin_) >= bytes, 1) ? out : Grow(out, bytes);
  }

  // How much is written from `out` on.
  size_t SizeFrom(const char* out) const { return static_cast<size_t>(end_ - out); }
  absl::string_view Written(const char* out) const { return {out, SizeFrom(out)}; }

 private:
  // Enough for most objects, which so cost no more than the one copy of what was written.
  static constexpr size_t kFirst = size_t{16} << 10;

  [[gnu::noinline]] char* Grow(char* out, size_t bytes) {
    const size_t written = SizeFrom(out);
    size_t capacity = 2 * static_cast<size_t>(end_ - begin_);
    while (capacity - written < bytes) capacity *= 2;
    char* const begin = kube::table::Allocate(capacity);
    char* const moved = begin + capacity - written;
    std::memcpy(moved, out, written);
    if (begin_ != first_) kube::table::Free(begin_);
    begin_ = begin;
    end_ = begin + capacity;
    return moved;
  }

  char first_[kFirst];
  char* begin_ = first_;
  char* end_ = first_ + kFirst;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_BACK_BUFFER_H_
