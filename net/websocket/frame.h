#ifndef NET_WEBSOCKET_FRAME_H_
#define NET_WEBSOCKET_FRAME_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

// Frames, which messages are made of (RFC 6455, section 5). All functions are pure and thread-safe.
namespace kube::websocket {

// The side of a connection. The frames of a client are masked, those of a server are not; each side
// refuses frames of the other kind.
enum class Role { kClient, kServer };

enum class Opcode : uint8_t {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

// Returns whether the frame is a control frame: at most kMaxControlBytes, never fragmented, and
// allowed between the fragments of a message.
constexpr bool IsControl(Opcode opcode) { return (static_cast<uint8_t>(opcode) & 8) != 0; }

constexpr size_t kMaxControlBytes = 125;

// The longest header: two bytes, a length of eight bytes, and a key.
constexpr size_t kMaxFrameHeaderBytes = 14;

using MaskKey = std::array<char, 4>;

struct FrameHeader {
  Opcode opcode = Opcode::kBinary;
  // Whether the frame is the last one of its message.
  bool fin = true;
  // The key with which a client masks the payload; nullopt for a server.
  std::optional<MaskKey> mask = {};
};

// Appends a frame to `out`, with the shortest encoding of its length and with `payload` masked if
// there is a key. Its own rules are the caller's to keep: a control frame is short and final.
void AppendFrame(const FrameHeader& header, absl::string_view payload, std::string& out);

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_FRAME_H_
