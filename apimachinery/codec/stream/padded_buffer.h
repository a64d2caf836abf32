#ifndef APIMACHINERY_CODEC_STREAM_PADDED_BUFFER_H_
#define APIMACHINERY_CODEC_STREAM_PADDED_BUFFER_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/string_view.h"

namespace kube::codec {

// A buffer of bytes to decode, followed by kPadding readable bytes, because decoders load sixteen
// bytes and more at a time. Decoding from a PaddedBuffer copies nothing; decoding from a view
// copies all of it first.
//
//   codec::PaddedBuffer body;
//   for (const absl::string_view chunk : chunks) body.Append(chunk);
//   const absl::StatusOr<corev1::Pod> pod = codec::DecodeJson<corev1::Pod>(body);
//
// Append grows the memory as std::string does, and Clear keeps it. Thread-compatible.
class PaddedBuffer {
 public:
  static constexpr size_t kPadding = 64;

  PaddedBuffer() = default;
  explicit PaddedBuffer(absl::string_view bytes) { Append(bytes); }

  PaddedBuffer(PaddedBuffer&& other) noexcept { *this = std::move(other); }
  PaddedBuffer& operator=(PaddedBuffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  void Append(absl::string_view bytes) {
    if (bytes.empty()) return;
    if (memory_ == nullptr || capacity_ - size_ < bytes.size()) Grow(size_ + bytes.size());
    std::memcpy(memory_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
    Pad();
  }

  // Removes the first `bytes`, at most size(), and moves the rest to the start.
  void RemovePrefix(size_t bytes) {
    if (bytes == 0) return;
    std::memmove(memory_.get(), memory_.get() + bytes, size_ - bytes);
    size_ -= bytes;
    Pad();
  }

  // Makes the buffer empty and keeps the memory.
  void Clear() { RemovePrefix(size_); }

  const char* data() const { return memory_ == nullptr ? kEmpty : memory_.get(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  absl::string_view view() const { return {data(), size_}; }

 private:
  // Quotes end every scan for the end of a string; the zeros after them are not valid JSON.
  static constexpr char kEmpty[kPadding + 1] = "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"";

  void Pad() { std::memcpy(memory_.get() + size_, kEmpty, kPadding); }

  void Grow(size_t least) {
    size_t capacity = capacity_ * 2 < 256 ? 256 : capacity_ * 2;
    if (capacity < least) capacity = least;
    auto memory = std::make_unique_for_overwrite<char[]>(capacity + kPadding);
    std::memcpy(memory.get(), data(), size_);
    memory_ = std::move(memory);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> memory_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_PADDED_BUFFER_H_
