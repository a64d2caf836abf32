#include "apimachinery/codec/internal/json_framer.h"

#include <cstddef>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

size_t JsonFramer::FindEnd(absl::string_view text) {
  for (; seen_ < text.size(); ++seen_) {
    const char c = text[seen_];
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
      continue;
    }
    switch (c) {
      case '"':
        in_string_ = true;
        break;
      case '{':
      case '[':
        ++depth_;
        break;
      case '}':
      case ']':
        if (depth_ <= 1) return seen_ + 1;
        --depth_;
        break;
      default:
        break;
    }
  }
  return 0;
}

}  // namespace kube::codec::internal
