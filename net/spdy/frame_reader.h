#ifndef NET_SPDY_FRAME_READER_H_
#define NET_SPDY_FRAME_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/internal/header_block.h"
#include "net/spdy/internal/header_compression.h"

namespace kube::spdy {

// Takes the frames of one direction of a connection out of its bytes, which may be cut anywhere.
// All frames must go through one reader, since headers are compressed as one stream. Data comes in
// pieces as it arrives; other frames are kept until they are complete. (spdystream: `spdy.Framer`)
//
//   while (true) {
//     const absl::StatusOr<std::optional<Frame>> frame = reader.Next(bytes);
//     if (!frame.ok()) return frame.status();
//     if (!frame->has_value()) break;  // all bytes are read
//     Handle(**frame);
//   }
//
// Thread-compatible.
class FrameReader {
 public:
  explicit FrameReader(const Limits& limits = {});

  // Reads the next frame, or the next piece of data, from the front of `bytes` and removes from
  // them what it has read. Returns nullopt, and has removed all bytes, if they end before.
  //
  // An error is final, since frames that follow cannot be understood: DATA_LOSS if the peer breaks
  // the protocol, RESOURCE_EXHAUSTED if it exceeds a limit. As in spdystream, these are errors:
  // stream 0, a reset without a status, a type of frame that is not in frame.h, flags of PING,
  // GOAWAY and WINDOW_UPDATE, and headers that belong to the connection.
  //
  // Unlike spdystream, it also refuses other versions, lengths that do not fit the type of the
  // frame, and names that occur twice, which make spdystream lose its place or merge values.
  absl::StatusOr<std::optional<Frame>> Next(absl::string_view& bytes);

 private:
  // Returns whether the header of the frame is complete and valid, false if bytes are missing.
  absl::StatusOr<bool> ReadHeader(absl::string_view& bytes);
  absl::Status CheckControlHeader() const;
  DataPiece TakeData(absl::string_view& bytes);
  absl::StatusOr<std::optional<Frame>> ReadControl(absl::string_view& bytes);

  absl::StatusOr<Frame> Parse(absl::string_view payload);
  absl::StatusOr<Frame> ParseSynStream(absl::string_view payload);
  absl::StatusOr<Frame> ParseSynReply(absl::string_view payload);
  absl::StatusOr<Frame> ParseHeaders(absl::string_view payload);
  absl::StatusOr<http::Headers> ReadHeaders(absl::string_view compressed,
                                            internal::HeaderKind kind);

  const Limits limits_;
  internal::HeaderDecompressor decompressor_;

  std::array<char, 8> header_ = {};
  size_t header_size_ = 0;

  // The current frame, if in_payload_.
  bool in_payload_ = false;
  uint32_t word_ = 0;  // of its header
  int flags_ = 0;
  size_t remaining_ = 0;
  std::string payload_;  // what has arrived of a frame that is not of data

  absl::Status error_;
};

}  // namespace kube::spdy

#endif  // NET_SPDY_FRAME_READER_H_
