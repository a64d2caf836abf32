#ifndef APIMACHINERY_REMOTECOMMAND_PROTOCOL_H_
#define APIMACHINERY_REMOTECOMMAND_PROTOCOL_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

// What clients and servers of exec and attach agree upon: names, numbers, and the messages on the
// streams for terminal sizes and for the outcome. Pure and thread-safe. (apimachinery:
// `pkg/util/remotecommand`)
namespace kube::remotecommand {

// The versions of the protocol: subprotocols of a WebSocket, and values of the header
// X-Stream-Protocol-Version of SPDY. Version 2 ends stdin alone, 3 has terminal sizes, 4 exit
// codes, and 5, which only WebSockets have, ends stdin alone over these, too.
inline constexpr absl::string_view kProtocolV1 = "channel.k8s.io";
inline constexpr absl::string_view kProtocolV2 = "v2.channel.k8s.io";
inline constexpr absl::string_view kProtocolV3 = "v3.channel.k8s.io";
inline constexpr absl::string_view kProtocolV4 = "v4.channel.k8s.io";
inline constexpr absl::string_view kProtocolV5 = "v5.channel.k8s.io";
inline constexpr absl::string_view kProtocolBase64 = "base64.channel.k8s.io";
inline constexpr absl::string_view kProtocolV4Base64 = "v4.base64.channel.k8s.io";

// The first byte of each WebSocket message.
enum class Channel : uint8_t {
  kStdin = 0,
  kStdout = 1,
  kStderr = 2,
  kError = 3,
  kResize = 4,
  kClose = 255,  // version 5: the second byte is the channel that ends
};

// The value of the header "streamtype" of a SPDY stream: "stdin", "stdout", "stderr", "error" or
// "resize"; "" for kClose.
absl::string_view StreamTypeOf(Channel channel);
// Returns nullopt for other values. Case matters.
std::optional<Channel> ChannelOf(absl::string_view stream_type);

// The size of a terminal in characters. (client-go: `remotecommand.TerminalSize`)
struct TerminalSize {
  uint16_t width = 0;
  uint16_t height = 0;
  friend bool operator==(const TerminalSize&, const TerminalSize&) = default;
};

// Returns the message for a change of size: {"Width":80,"Height":24} and an end of line.
std::string EncodeTerminalSize(TerminalSize size);

// Reads terminal sizes from a stream of such messages, which may be cut anywhere. After the first
// invalid byte it reads nothing more, as upstream, nor if more than 64 KiB wait for Next.
// Thread-compatible.
class TerminalSizeReader {
 public:
  void Receive(absl::string_view bytes);
  // Returns the next size, or nullopt until more bytes arrive.
  std::optional<TerminalSize> Next();

 private:
  std::string unread_;
  bool failed_ = false;
};

// Returns a status that says that a command has ended with an exit code other than zero: UNKNOWN
// "command terminated with exit code 3", from which ExitCodeOf reads the code. (client-go:
// `exec.CodeExitError`)
absl::Status MakeExitError(uint8_t code);
// Returns the exit code that a status tells: zero if it is OK, nullopt if the command was not run
// to its end. Also of annotated statuses.
std::optional<uint8_t> ExitCodeOf(const absl::Status& status);

// Returns what the error stream of version 4 and later tells about the outcome: OK for success,
// MakeExitError, or an error with the message and the Status object of the server. `data` is the
// whole stream; an empty one is success. A stream that cannot be understood is INTERNAL with
// client-go's text, "error stream protocol error: ...".
absl::Status ParseOutcome(absl::string_view data);
// Returns what the error stream of versions 1 to 3 tells: any text is an error, UNKNOWN "error
// executing remote command: ...".
absl::Status ParseTextOutcome(absl::string_view data);

// Returns the message for the error stream of version 4 and later: success, an exit code (an error
// whose ExitCodeOf is set), or any other failure, with the Status object of `outcome` if it has
// one.
std::string EncodeOutcome(const absl::Status& outcome);

}  // namespace kube::remotecommand

#endif  // APIMACHINERY_REMOTECOMMAND_PROTOCOL_H_
