#ifndef APIMACHINERY_CODEC_INTERNAL_JSON_ITEM_READER_H_
#define APIMACHINERY_CODEC_INTERNAL_JSON_ITEM_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/json_framer.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/types/internal/message.h"

namespace kube::codec::internal {

// JSON that arrives in pieces, and the objects in it. An object that is there as a whole is decoded
// without looking for its end first: each of its bytes is read once. Only one that arrives in parts
// is framed. Thread-compatible.
class JsonItemReader {
 public:
  explicit JsonItemReader(SharedDecoder& decoder) : decoder_(decoder) {}

  void Append(absl::string_view bytes);

  // What is not consumed yet; padded.
  absl::string_view rest() const { return buffer_.view().substr(consumed_); }
  void Consume(size_t bytes) { consumed_ += bytes; }
  // White space at the start of the rest.
  void ConsumeSpace();
  // Of the rest, in the whole stream.
  size_t offset() const { return offset_ + consumed_; }

  // The object that the rest begins with, from `at` on, decoded; nothing if it is not there as a
  // whole. An error is one of the object's. Consumes nothing: `size` is set to its size.
  absl::StatusOr<std::optional<std::shared_ptr<const void>>> Decode(
      const kube::internal::Message& message, size_t at, size_t& size);

  // The size of the value of any kind that begins at `at` in the rest; 0 if its end is not there
  // yet.
  size_t FindValueEnd(size_t at);

 private:
  // Whether all that is there is UTF-8, but for a last character that may be on its way.
  bool IsValidSoFar() const { return valid_ + 3 >= buffer_.size(); }

  SharedDecoder& decoder_;
  PaddedBuffer buffer_;
  size_t consumed_ = 0;       // of buffer_
  size_t offset_ = 0;         // of buffer_ in the stream
  size_t valid_ = 0;          // of buffer_: UTF-8
  size_t usual_size_ = 0;     // of an object
  JsonFramer framer_;         // of the value that began at framed_
  size_t framed_ = SIZE_MAX;  // in the stream
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_JSON_ITEM_READER_H_
