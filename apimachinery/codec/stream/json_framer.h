#ifndef APIMACHINERY_CODEC_STREAM_JSON_FRAMER_H_
#define APIMACHINERY_CODEC_STREAM_JSON_FRAMER_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/json/json_scan.h"

namespace kube::codec::internal {

// Finds the end of a JSON value that arrives in pieces, by brackets, quotes and commas alone. It
// looks at each byte once, except for up to 64 bytes at the end of a piece. Thread-compatible.
class JsonFramer {
 public:
  // Returns the size of the value at the start of `text`, or 0 if its end has not arrived yet. A
  // number or a literal ends where another character begins. `text` must be padded and not empty;
  // from call to call it must be the same text, extended at its end.
  size_t FindEnd(absl::string_view text);

  // Prepares for the next value.
  void Reset() { *this = JsonFramer(); }

 private:
  size_t NestedEnd(absl::string_view text);
  size_t StringEnd(absl::string_view text);

  size_t seen_ = 0;
  JsonScan::Nesting nesting_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_STREAM_JSON_FRAMER_H_
