#ifndef APIMACHINERY_CODEC_INTERNAL_BACK_BUFFER_H_
#define APIMACHINERY_CODEC_INTERNAL_BACK_BUFFER_H_

#include <cstddef>
#include <cstring>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"

namespace kube::codec::internal {

// Memory that is written from its end to its start, so that a protobuf encoder knows the length of
// each message when it writes the length in front of it. It is used like an OutputBuffer, with a
// position that decreases. An object has over 16 KiB and belongs on the stack. Thread-compatible.
class BackBuffer {
 public:
  BackBuffer() = default;
  BackBuffer(const BackBuffer&) = delete;
  BackBuffer& operator=(const BackBuffer&) = delete;
  ~BackBuffer() {
    if (begin_ != first_) kube::table::Free(begin_);
  }

  char* end() const { return end_; }

  // Makes sure that `bytes` can be written before `out`. Returns `out`, or the new position if the
  // memory had to grow and the written bytes were moved.
  [[nodiscard]] char* Reserve(char* out, size_t bytes) {
    return __builtin_expect(static_cast<size_t>(out - begin_) >= bytes, 1) ? out : Grow(out, bytes);
  }

  // Return the size of what was written, and the bytes themselves; it begins at `out`.
  size_t SizeFrom(const char* out) const { return static_cast<size_t>(end_ - out); }
  absl::string_view Written(const char* out) const { return {out, SizeFrom(out)}; }

 private:
  // Enough for most objects, so that what was written is copied only once, to its destination.
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
