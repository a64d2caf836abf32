#ifndef APIMACHINERY_CODEC_STREAM_JSON_ITEM_READER_H_
#define APIMACHINERY_CODEC_STREAM_JSON_ITEM_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/json_framer.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// A buffer for JSON that arrives in pieces, and a reader of the values in it. Only the bytes that
// are not consumed yet are kept. Thread-compatible.
class JsonItemReader {
 public:
  explicit JsonItemReader(SharedDecoder& decoder) : decoder_(decoder) {}

  // Adds the next piece, and drops the bytes that are consumed.
  void Append(absl::string_view bytes);

  // Returns the bytes that are not consumed yet. They are padded.
  absl::string_view rest() const { return buffer_.view().substr(consumed_); }
  void Consume(size_t bytes) { consumed_ += bytes; }
  // Consumes white space at the start of rest().
  void ConsumeSpace();
  // Returns the position of rest() in the whole stream.
  size_t offset() const { return offset_ + consumed_; }

  // Tries to decode the object that begins at `at` in rest() without looking for its end first, so
  // that a complete object is read once instead of twice. Returns the object and its size, or null
  // if the object is probably not complete yet, or is malformed. `is_whole` means that the caller
  // knows it to be probably complete; otherwise this is guessed from the size of rest().
  SharedDecoder::Prefix DecodeAtOnce(const kube::table::Message& message, size_t at,
                                     bool is_whole = false);

  // Returns the size of the value of any type that begins at `at` in rest(), or 0 if its end has
  // not arrived yet. Each byte is looked at once even if the value arrives in many pieces, as long
  // as the calls are for one value.
  size_t FindValueEnd(size_t at);

  // Returns whether FindValueEnd has looked for the end of the value at `at` before, without
  // success.
  bool IsFramed(size_t at) const { return framed_ == offset() + at; }

  // Decodes the object of `size` bytes at `at`.
  absl::StatusOr<std::shared_ptr<const void>> Decode(const kube::table::Message& message, size_t at,
                                                     size_t size);

 private:
  SharedDecoder& decoder_;
  PaddedBuffer buffer_;
  size_t consumed_ = 0;       // of buffer_
  size_t offset_ = 0;         // of buffer_ in the stream
  size_t valid_ = 0;          // UTF-8 prefix of buffer_
  size_t usual_size_ = 0;     // of the last object
  JsonFramer framer_;         // of the value that began at framed_
  size_t framed_ = SIZE_MAX;  // in the stream
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_STREAM_JSON_ITEM_READER_H_
