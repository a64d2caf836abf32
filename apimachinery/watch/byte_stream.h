#ifndef APIMACHINERY_WATCH_BYTE_STREAM_H_
#define APIMACHINERY_WATCH_BYTE_STREAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"

namespace kube::watch {

// The bytes of a watch, which are the body of a response. (Go: `io.ReadCloser`)
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Returns the next bytes, or an empty string at the end of the stream. Blocks until there are
  // bytes. Returns ctx.status() if `ctx` ends first; no bytes are lost then. Any other error ends
  // the stream.
  virtual absl::StatusOr<std::string> Read(const Context& ctx) = 0;

  // Takes back a string that Read returned, so that the stream can reuse its memory. Calling it is
  // optional. Only the thread that calls Read may call it.
  virtual void Recycle(std::string bytes) { bytes.clear(); }

  // Ends the stream and wakes a Read that blocks. Thread-safe; never blocks.
  virtual void Close() = 0;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_BYTE_STREAM_H_
