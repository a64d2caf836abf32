#ifndef APIMACHINERY_WATCH_BYTE_STREAM_H_
#define APIMACHINERY_WATCH_BYTE_STREAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"

namespace kube::watch {

// Where the bytes of a watch come from: the body of a response. (io.ReadCloser)
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // The next bytes, of any number; none at the end. Blocks until there are some. ctx.status() if
  // that ends first, and then nothing is lost; any other error is the stream's end.
  virtual absl::StatusOr<std::string> Read(const Context& ctx) = 0;

  // Gives back what Read returned, for its memory, which the stream may use again. Nobody has to.
  // Of the thread that reads.
  virtual void Recycle(std::string bytes) { bytes.clear(); }

  // Ends it, and makes a Read that blocks return. Thread-safe; never blocks.
  virtual void Close() = 0;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_BYTE_STREAM_H_
