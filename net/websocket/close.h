#ifndef NET_WEBSOCKET_CLOSE_H_
#define NET_WEBSOCKET_CLOSE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

// Why a connection ends, and errors that know what the peer is to be told. All functions are pure
// and thread-safe.
namespace kube::websocket {

// Why a connection ends: a number of section 7.4 of RFC 6455 and of the registry that it founds.
// Numbers from 3000 to 4999, which libraries and applications define, are values of this type, too.
enum class CloseCode : uint16_t {
  kNormal = 1000,
  kGoingAway = 1001,
  kProtocolError = 1002,
  kUnsupportedData = 1003,
  kNoStatus = 1005,  // stands for a close frame without a code
  kAbnormal = 1006,  // stands for an end without a close frame
  kInvalidPayload = 1007,
  kPolicyViolation = 1008,
  kMessageTooBig = 1009,
  kMissingExtension = 1010,
  kInternalError = 1011,
  kServiceRestart = 1012,
  kTryAgainLater = 1013,
  kBadGateway = 1014,
  kTlsHandshake = 1015,  // stands for a failed TLS handshake
};

// Returns whether a close frame may contain the code. It may not contain those that stand for
// something else, numbers that nobody has registered, and numbers that no specification can give.
bool IsAllowedInFrame(CloseCode code);

// Returns a text such as "1002 (protocol error)", with gorilla/websocket's words.
std::string ToString(CloseCode code);
std::ostream& operator<<(std::ostream& out, CloseCode code);

// What a close frame says. (gorilla/websocket: `CloseError`)
struct Close {
  CloseCode code = CloseCode::kNoStatus;
  // UTF-8, at most kMaxReasonBytes; empty if the code is kNoStatus.
  std::string reason = {};

  friend bool operator==(const Close&, const Close&) = default;
};

constexpr size_t kMaxReasonBytes = 123;

// Returns a text such as "close 1002 (protocol error): bad opcode 3".
std::string ToString(const Close& close);
std::ostream& operator<<(std::ostream& out, const Close& close);

// Makes an error that is to be answered by a close frame with this code and `reason`, which is
// ASCII. The message is "websocket: " and the reason; the code of the status is RESOURCE_EXHAUSTED
// for kMessageTooBig, UNAVAILABLE for kAbnormal, and DATA_LOSS otherwise.
absl::Status MakeError(CloseCode code, absl::string_view reason);

// Makes the error of a reader whose peer has closed the connection: UNAVAILABLE, with a message
// such as "websocket: close 1001 (going away)". Readers to whom a normal end is the end of a stream
// look at the code first.
absl::Status MakeClosedError(const Close& close);

// Returns the close code of an error of this package, also of an annotated one, or nullopt.
std::optional<CloseCode> CloseCodeOf(const absl::Status& error);

// Returns what a close frame says to a peer that has caused `error`. Errors of other packages count
// as kInternalError, and their text is not sent.
Close CloseFor(const absl::Status& error);

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_CLOSE_H_
