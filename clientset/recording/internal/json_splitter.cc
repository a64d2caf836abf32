#include "clientset/recording/internal/json_splitter.h"

namespace kube::recording::internal {
namespace {

constexpr absl::string_view kSpace = " \t\r\n";

}  // namespace

std::optional<std::string> JsonSplitter::Next() {
  while (scanned_ < buffer_.size()) {
    const bool ends = EndsWith(buffer_[scanned_++]);
    if (!ends) continue;
    // The line break after an event of a watch arrives with it and belongs to it: a reader of lines
    // must not have to wait for the next event.
    const size_t next = absl::string_view(buffer_).find_first_not_of(kSpace, scanned_);
    return Take(next == absl::string_view::npos ? buffer_.size() : next);
  }
  if (!buffer_.empty() &&
      absl::string_view(buffer_).find_first_not_of(kSpace) == absl::string_view::npos) {
    return Take(buffer_.size());
  }
  return std::nullopt;
}

std::string JsonSplitter::Rest() {
  depth_ = 0;
  in_string_ = false;
  escaped_ = false;
  return Take(buffer_.size());
}

bool JsonSplitter::EndsWith(char byte) {
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (byte == '\\') {
      escaped_ = true;
    } else if (byte == '"') {
      in_string_ = false;
    }
    return false;
  }
  if (byte == '"') in_string_ = true;
  if (byte == '{' || byte == '[') ++depth_;
  if ((byte != '}' && byte != ']') || depth_ == 0) return false;
  return --depth_ == 0;
}

std::string JsonSplitter::Take(size_t size) {
  std::string taken = buffer_.substr(0, size);
  buffer_.erase(0, size);
  scanned_ = 0;
  return taken;
}

}  // namespace kube::recording::internal
