#ifndef NET_SPDY_FRAME_WRITER_H_
#define NET_SPDY_FRAME_WRITER_H_

#include <string>

#include "absl/status/status.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/internal/header_block.h"
#include "net/spdy/internal/header_compression.h"

namespace kube::spdy {

// Writes the frames of one direction of a connection: all of them, in the order in which they are
// sent, since headers are compressed as one stream. (spdystream: `spdy.Framer`) Thread-compatible.
class FrameWriter {
 public:
  explicit FrameWriter(const Limits& limits = {});

  // Append a frame to `out`. Return INVALID_ARGUMENT, and append nothing, if the headers have a
  // name that is not one of HTTP or that belongs to the connection (such as "keep-alive"), a value
  // with NUL, or more than the limits allow.
  absl::Status Write(const SynStreamFrame& frame, std::string& out);
  absl::Status Write(const SynReplyFrame& frame, std::string& out);
  absl::Status Write(const HeadersFrame& frame, std::string& out);

 private:
  absl::Status WriteHeaders(int type, int flags, std::string payload, const http::Headers& headers,
                            internal::HeaderKind kind, std::string& out);

  const Limits limits_;
  internal::HeaderCompressor compressor_;
};

// Append a frame without headers to `out`. A piece of data becomes a frame of at most
// kMaxFrameBytes.
void AppendFrame(const RstStreamFrame& frame, std::string& out);
void AppendFrame(const SettingsFrame& frame, std::string& out);
void AppendFrame(const PingFrame& frame, std::string& out);
void AppendFrame(const GoAwayFrame& frame, std::string& out);
void AppendFrame(const WindowUpdateFrame& frame, std::string& out);
void AppendFrame(const DataPiece& piece, std::string& out);

}  // namespace kube::spdy

#endif  // NET_SPDY_FRAME_WRITER_H_
