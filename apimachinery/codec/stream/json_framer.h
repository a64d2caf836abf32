#ifndef APIMACHINERY_CODEC_STREAM_JSON_FRAMER_H_
#define APIMACHINERY_CODEC_STREAM_JSON_FRAMER_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/json/json_scan.h"

namespace kube::codec::internal {

// Finds the end of a JSON value that arrives in pieces. It looks at brackets, quotes and commas
// only, at each byte once, but for up to 64 at the end of a piece. Thread-compatible.
class JsonFramer {
 public:
  // `text` is the value from its first byte on, as far as it is there, and padded; it is not empty,
  // and only grows from call to call. The value's size, or 0 if its end is not there yet. Numbers
  // and literals end where something else begins.
  size_t FindEnd(absl::string_view text);

  // For the next value.
  void Reset() { *this = JsonFramer(); }

 private:
  size_t NestedEnd(absl::string_view text);
  size_t StringEnd(absl::string_view text);

  size_t seen_ = 0;
  JsonScan::Nesting nesting_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_STREAM_JSON_FRAMER_H_
