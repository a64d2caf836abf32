#include "apimachinery/codec/stream/json_item_reader.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

void JsonItemReader::Append(absl::string_view bytes) {
  buffer_.RemovePrefix(consumed_);
  offset_ += consumed_;
  valid_ -= std::min(valid_, consumed_);
  consumed_ = 0;
  buffer_.Append(bytes);
  valid_ += kube::text::ValidUtf8Prefix(buffer_.view().substr(valid_));
}

void JsonItemReader::ConsumeSpace() {
  const absl::string_view text = rest();
  size_t size = 0;
  while (size < text.size() && IsJsonSpace(text[size])) ++size;
  Consume(size);
}

SharedDecoder::Prefix JsonItemReader::DecodeAtOnce(const kube::table::Message& message, size_t at,
                                                   bool is_whole) {
  // Only if all of the text is valid UTF-8: the decoder expects padding after the text, not invalid
  // bytes.
  if (valid_ < buffer_.size()) return {};
  const absl::string_view text = rest().substr(at);
  // Decoding an incomplete object is wasted work. Objects of one list have similar sizes.
  if (!is_whole && (IsFramed(at) || text.size() < 2 * usual_size_ + 1)) return {};
  // The end of a null depends on the text after it.
  if (text[0] != '{') return {};
  absl::StatusOr<SharedDecoder::Prefix> prefix = decoder_.DecodeJsonPrefix(message, text);
  if (!prefix.ok()) return {};
  usual_size_ = prefix->size;
  return *std::move(prefix);
}

size_t JsonItemReader::FindValueEnd(size_t at) {
  const absl::string_view text = rest().substr(at);
  if (text.empty()) return 0;
  if (framed_ != offset() + at) framer_.Reset();
  framed_ = offset() + at;
  return framer_.FindEnd(text);
}

absl::StatusOr<std::shared_ptr<const void>> JsonItemReader::Decode(
    const kube::table::Message& message, size_t at, size_t size) {
  usual_size_ = size;
  return decoder_.DecodeAny(message, codec::Encoding::kJson, rest().substr(at, size));
}

}  // namespace kube::codec::internal
