#include "apimachinery/codec/stream/json_framer.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/json/json_scan.h"

namespace kube::codec::internal {

size_t JsonFramer::FindEnd(absl::string_view text) {
  switch (text[0]) {
    case '{':
    case '[':
      return NestedEnd(text);
    case '"':
      return StringEnd(text);
    default: {
      // The first byte is part of the value, whatever it is.
      const size_t size = text.find_first_of(",]} \t\r\n", std::max<size_t>(seen_, 1));
      seen_ = text.size();
      return size == absl::string_view::npos ? 0 : size;
    }
  }
}

size_t JsonFramer::NestedEnd(absl::string_view text) {
  // The scan state is kept only at multiples of 64 bytes; the bytes after the last multiple are
  // scanned again when more text has arrived.
  constexpr size_t kBlock = 64;
  const char* const end = text.data() + text.size();
  const char* const whole = text.data() + text.size() / kBlock * kBlock;
  const char* after = JsonScan::SkipNested(nesting_, text.data() + seen_, whole);
  if (after == nullptr) {
    seen_ = static_cast<size_t>(whole - text.data());
    JsonScan::Nesting nesting = nesting_;
    after = JsonScan::SkipNested(nesting, whole, end);
  }
  return after == nullptr ? 0 : static_cast<size_t>(after - text.data());
}

size_t JsonFramer::StringEnd(absl::string_view text) {
  if (seen_ == 0) seen_ = 1;
  while (seen_ < text.size()) {
    if (text[seen_] == '"') return seen_ + 1;
    const size_t size = text[seen_] == '\\' ? 2 : 1;
    if (seen_ + size > text.size()) return 0;
    seen_ += size;
  }
  return 0;
}

}  // namespace kube::codec::internal
