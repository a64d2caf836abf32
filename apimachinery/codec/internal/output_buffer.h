#ifndef APIMACHINERY_CODEC_INTERNAL_OUTPUT_BUFFER_H_
#define APIMACHINERY_CODEC_INTERNAL_OUTPUT_BUFFER_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"

namespace kube::codec::internal {

// Memory that encoders write forwards through a raw pointer: the encoder keeps the position itself,
// in a register, and reserves space before it writes. In contrast, a std::string clears the memory
// by which it grows. Thread-compatible.
//
//   OutputBuffer buffer;
//   char* out = buffer.begin();
//   out = buffer.Reserve(out, 2);
//   *out++ = '{';
class OutputBuffer {
 public:
  OutputBuffer() : begin_(kube::table::Allocate(kFirst)), limit_(begin_ + kFirst) {}
  OutputBuffer(const OutputBuffer&) = delete;
  OutputBuffer& operator=(const OutputBuffer&) = delete;
  ~OutputBuffer() { kube::table::Free(begin_); }

  char* begin() const { return begin_; }

  // Makes sure that `bytes` can be written at `out`. Returns `out`, or the new position if the
  // memory had to grow and the written bytes were moved.
  [[nodiscard]] char* Reserve(char* out, size_t bytes) {
    return __builtin_expect(static_cast<size_t>(limit_ - out) >= bytes, 1) ? out : Grow(out, bytes);
  }

  // Returns the bytes that were written before `out`.
  absl::string_view Written(const char* out) const {
    return {begin_, static_cast<size_t>(out - begin_)};
  }

 private:
  // Enough for a pod, so that it is never moved.
  static constexpr size_t kFirst = 16384;

  [[gnu::noinline]] char* Grow(char* out, size_t bytes) {
    const size_t written = static_cast<size_t>(out - begin_);
    size_t capacity = 2 * static_cast<size_t>(limit_ - begin_);
    while (capacity - written < bytes) capacity *= 2;
    begin_ = kube::table::Reallocate(begin_, capacity);
    limit_ = begin_ + capacity;
    return begin_ + written;
  }

  char* begin_;
  char* limit_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_OUTPUT_BUFFER_H_
