#ifndef NET_WEBSOCKET_FRAME_READER_H_
#define NET_WEBSOCKET_FRAME_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/websocket/frame.h"

namespace kube::websocket {

// Limits for what a peer sends. A frame that exceeds one is refused when its header is read, before
// its payload arrives.
struct FrameLimits {
  // The largest payload of one frame, in bytes.
  uint64_t max_frame_bytes = uint64_t{1} << 20;
  // The largest sum of the payloads of a message's frames, in bytes.
  uint64_t max_message_bytes = uint64_t{1} << 20;
};

// A part of a frame: from its header, or from where the last piece ended, to the end of the frame
// or of the bytes that have arrived.
struct FramePiece {
  // The header of the frame that the piece belongs to has these.
  Opcode opcode = Opcode::kBinary;
  bool fin = true;
  // Whether the piece is the first or the last one of its frame. It may be both.
  bool begins = false;
  bool ends = false;
  // Without its mask. Valid until the next call of the reader, and as long as the bytes that the
  // reader was given.
  absl::string_view payload = {};
};

// Takes the frames of a peer out of a stream of bytes, which may be cut anywhere, and checks what
// RFC 6455 says about frames and their order. It holds no payload: a frame comes in pieces as it
// arrives. Thread-compatible.
//
//   while (true) {
//     const absl::StatusOr<std::optional<FramePiece>> piece = reader.Next(bytes);
//     if (!piece.ok()) return piece.status();
//     if (!piece->has_value()) break;  // all bytes are read
//     Handle(**piece);
//   }
class FrameReader {
 public:
  // `role` is the side that reads: a server reads masked frames.
  explicit FrameReader(Role role, const FrameLimits& limits = {});

  // Reads the next piece from the front of `bytes` and removes from them what it has read. Returns
  // nullopt, and has removed all bytes, if they end before there is a piece.
  //
  // An error is final and says what the frame does wrong, in gorilla/websocket's words if it checks
  // that, too. CloseFor (close.h) makes the answer of it: kProtocolError, or kMessageTooBig if a
  // limit is exceeded.
  //
  // Unlike gorilla/websocket, it refuses lengths that are not in their shortest encoding, as
  // section 5.2 demands.
  absl::StatusOr<std::optional<FramePiece>> Next(absl::string_view& bytes);

 private:
  // Appends bytes to the header. Returns whether it has header_needed_ bytes.
  bool FillHeader(absl::string_view& bytes);
  // Returns whether the header is complete and valid, false if bytes are missing.
  absl::StatusOr<bool> ReadHeader(absl::string_view& bytes);
  absl::Status CheckFirstTwoBytes();
  absl::Status ReadLength();
  absl::Status CheckLimits();
  FramePiece TakePiece(absl::string_view& bytes);
  absl::string_view TakePayload(absl::string_view& bytes);

  const bool masked_;
  const FrameLimits limits_;

  // The header of the next frame. It needs two bytes until these say what follows them.
  std::array<char, kMaxFrameHeaderBytes> header_ = {};
  size_t header_size_ = 0;
  size_t header_needed_ = 2;

  // The current frame, if in_payload_.
  bool in_payload_ = false;
  bool begins_ = false;
  Opcode opcode_ = Opcode::kBinary;
  bool fin_ = true;
  uint64_t remaining_ = 0;
  MaskKey key_ = {};
  size_t mask_position_ = 0;
  std::string unmasked_;  // the payload of the last piece

  // The current message: whether further frames of it must follow, and the size of those so far.
  bool in_message_ = false;
  uint64_t message_bytes_ = 0;

  absl::Status error_;
};

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_FRAME_READER_H_
