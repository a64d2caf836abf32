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

// JSON that arrives in pieces, and the values in it. Of what is not consumed yet nothing is kept
// but the bytes. Thread-compatible.
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

  // The object that begins at `at` in the rest, decoded at once, and its size; null where that
  // is not to be had: the rest may be too short, or there is something wrong with it. An object
  // that is there as a whole is so read once, not once for its end and once more for what is in it.
  // `is_whole`: that it is so is more than a guess from the size of the rest.
  SharedDecoder::Prefix DecodeAtOnce(const kube::table::Message& message, size_t at,
                                     bool is_whole = false);

  // The size of the value of any kind that begins at `at` in the rest; 0 if its end is not there
  // yet. Each byte is looked at once, also when the value arrives in many pieces, as long as only
  // one value is asked for.
  size_t FindValueEnd(size_t at);

  // Whether the end of the value at `at` was looked for in vain before.
  bool IsFramed(size_t at) const { return framed_ == offset() + at; }

  // Decodes an object whose end was found.
  absl::StatusOr<std::shared_ptr<const void>> Decode(const kube::table::Message& message, size_t at,
                                                     size_t size);

 private:
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

#endif  // APIMACHINERY_CODEC_STREAM_JSON_ITEM_READER_H_
