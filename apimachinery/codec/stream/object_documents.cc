#include "apimachinery/codec/stream/object_documents.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/stream/json_framer.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/types/envelope_prefix.h"

namespace kube::codec {

namespace {

constexpr size_t kSizeBytes = 4;

size_t SizeOfFrame(absl::string_view stream) {
  size_t size = 0;
  for (size_t i = 0; i < kSizeBytes; ++i) {
    size = size << 8 | static_cast<unsigned char>(stream[i]);
  }
  return size;
}

}  // namespace

ObjectDocuments::ObjectDocuments(const PaddedBuffer& stream) : rest_(stream.view()) {
  is_framed_ =
      rest_.size() > kSizeBytes && absl::StartsWith(rest_.substr(kSizeBytes), kEnvelopePrefix);
}

absl::StatusOr<std::optional<ObjectDocument>> ObjectDocuments::Next() {
  if (is_framed_) return NextFrame();
  if (yaml_.has_value()) return NextYaml();
  if (absl::StartsWith(rest_, kEnvelopePrefix)) {
    const absl::string_view body = rest_;
    rest_ = {};
    return ObjectDocument{.text = body, .is_protobuf = true};
  }
  if (std::optional<ObjectDocument> json = NextJson(); json.has_value()) return json;
  yaml_.emplace(rest_);
  yaml_first_line_ = line_;
  return NextYaml();
}

absl::StatusOr<std::optional<ObjectDocument>> ObjectDocuments::NextFrame() {
  if (rest_.empty()) return std::nullopt;
  const size_t size = rest_.size() < kSizeBytes ? 0 : SizeOfFrame(rest_);
  if (size == 0 || size > rest_.size() - kSizeBytes) {
    const size_t left = rest_.size();
    rest_ = {};
    return absl::InvalidArgumentError(
        absl::StrCat("read frame: unexpected EOF, ", left, " bytes left in the stream"));
  }
  const absl::string_view body = rest_.substr(kSizeBytes, size);
  rest_.remove_prefix(kSizeBytes + size);
  return ObjectDocument{.text = body, .is_protobuf = true};
}

absl::StatusOr<std::optional<ObjectDocument>> ObjectDocuments::NextYaml() {
  KUBE_ASSIGN_OR_RETURN(const std::optional<YamlDocument> document, yaml_->Next());
  if (!document.has_value()) return std::nullopt;
  return ObjectDocument{.text = document->text,
                        .first_line = document->first_line + yaml_first_line_ - 1};
}

// Returns nullopt if the text does not begin with a JSON object, or the object has no end.
std::optional<ObjectDocument> ObjectDocuments::NextJson() {
  const size_t begin = rest_.find_first_not_of(" \t\r\n");
  if (begin == absl::string_view::npos || rest_[begin] != '{') return std::nullopt;
  const size_t size = internal::JsonFramer().FindEnd(rest_.substr(begin));
  if (size == 0) return std::nullopt;
  Take(begin);
  const ObjectDocument document{
      .text = rest_.substr(0, size), .first_line = line_, .first_column = column_};
  Take(size);
  // White space after the last object is not another document.
  if (rest_.find_first_not_of(" \t\r\n") == absl::string_view::npos) Take(rest_.size());
  return document;
}

void ObjectDocuments::Take(size_t bytes) {
  for (const char c : rest_.substr(0, bytes)) {
    column_ = c == '\n' ? 1 : column_ + 1;
    line_ += c == '\n';
  }
  rest_.remove_prefix(bytes);
}

}  // namespace kube::codec
