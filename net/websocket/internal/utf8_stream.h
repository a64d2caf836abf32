#ifndef NET_WEBSOCKET_INTERNAL_UTF8_STREAM_H_
#define NET_WEBSOCKET_INTERNAL_UTF8_STREAM_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::websocket::internal {

// Checks a text that arrives in pieces, whose ends may cut characters. Thread-compatible.
class Utf8Stream {
 public:
  // Checks the next piece. Returns false as soon as no continuation can make the text valid UTF-8.
  bool Append(absl::string_view piece);

  // Returns whether the text may end here, which it may not inside a character.
  bool complete() const { return cut_.empty(); }

 private:
  // The first bytes of a character whose rest has not arrived; at most three.
  std::string cut_;
};

}  // namespace kube::websocket::internal

#endif  // NET_WEBSOCKET_INTERNAL_UTF8_STREAM_H_
