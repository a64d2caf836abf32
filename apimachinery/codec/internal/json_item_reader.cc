#include "apimachinery/codec/internal/json_item_reader.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/decode.h"
#include "apimachinery/codec/internal/json_scan.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/internal/utf8.h"

namespace kube::codec::internal {

void JsonItemReader::Append(absl::string_view bytes) {
  buffer_.RemovePrefix(consumed_);
  offset_ += consumed_;
  valid_ -= std::min(valid_, consumed_);
  consumed_ = 0;
  buffer_.Append(bytes);
  valid_ += kube::internal::ValidUtf8Prefix(buffer_.view().substr(valid_));
}

void JsonItemReader::ConsumeSpace() {
  const absl::string_view text = rest();
  size_t size = 0;
  while (size < text.size() && IsJsonSpace(text[size])) ++size;
  Consume(size);
}

size_t JsonItemReader::FindValueEnd(size_t at) {
  const absl::string_view text = rest().substr(at);
  if (text.empty()) return 0;
  if (text[0] == '{' || text[0] == '[') {
    if (framed_ != offset() + at) framer_.Reset();
    framed_ = offset() + at;
    return framer_.FindEnd(text);
  }
  if (text[0] == '"') {
    const char* quote = JsonScan::FindStringEnd(text.data() + 1).quote;
    const auto size = static_cast<size_t>(quote - text.data()) + 1;
    return size <= text.size() ? size : 0;
  }
  // A number or a literal ends where something else begins.
  const size_t size = text.find_first_of(",]} \t\r\n");
  return size == absl::string_view::npos ? 0 : size;
}

absl::StatusOr<std::optional<std::shared_ptr<const void>>> JsonItemReader::Decode(
    const kube::internal::Message& message, size_t at, size_t& size) {
  const absl::string_view text = rest().substr(at);
  const bool is_framed = framed_ == offset() + at;
  if (IsValidSoFar() && !is_framed && text.size() >= usual_size_) {
    absl::StatusOr<SharedDecoder::Prefix> prefix =
        decoder_.DecodeJsonPrefix(message, text, /*valid_utf8=*/true);
    if (prefix.ok() && prefix->size <= text.size() && consumed_ + at + prefix->size <= valid_) {
      size = usual_size_ = prefix->size;
      return std::optional(std::move(prefix->object));
    }
  }
  // It is not there as a whole, or there is something wrong with it.
  size = FindValueEnd(at);
  if (size == 0) return std::optional<std::shared_ptr<const void>>();
  usual_size_ = size;
  absl::StatusOr<std::shared_ptr<const void>> object =
      decoder_.DecodeAny(message, Encoding::kJson, text.substr(0, size));
  if (!object.ok()) return std::move(object).status();
  return std::optional(*std::move(object));
}

}  // namespace kube::codec::internal
