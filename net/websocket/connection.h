#ifndef NET_WEBSOCKET_CONNECTION_H_
#define NET_WEBSOCKET_CONNECTION_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/websocket/close.h"
#include "net/websocket/frame.h"
#include "net/websocket/frame_reader.h"
#include "net/websocket/internal/utf8_stream.h"

namespace kube::websocket {

enum class MessageType { kText, kBinary };

// A message, or a piece of it if ConnectionOptions::stream_messages is set.
struct Message {
  MessageType type = MessageType::kBinary;
  // Valid only during the call that delivers it.
  absl::string_view data = {};
  // Whether the message begins or ends with this piece; both are true for a whole message.
  bool begins = true;
  bool ends = true;
};

struct ConnectionOptions {
  Role role = Role::kClient;
  // The limits for what the peer sends. If messages are whole, `max_message_bytes` also limits the
  // memory that a connection takes: a fragmented message is kept until it is complete.
  FrameLimits limits = {};
  // Delivers messages as they arrive, in pieces, and keeps nothing of them. The limits may then be
  // as large as the numbers.
  bool stream_messages = false;
};

// One side of a WebSocket connection (RFC 6455) after its opening handshake (handshake.h), without
// a socket, a clock and a queue: bytes come in through Receive, and what is to be written is
// appended to a string of the caller's. (gorilla/websocket: `Conn`)
//
//   Connection connection({.role = Role::kClient}, events);
//   KUBE_RETURN_IF_ERROR(connection.SendMessage(MessageType::kBinary, message, out));
//   KUBE_RETURN_IF_ERROR(connection.Receive(bytes));  // calls `events`
//   connection.Produce(out);                          // answers to what was received
//
// Each message is sent as one frame: golang.org/x/net/websocket, which is the server in Kubernetes,
// takes each frame for a message. Fragmented messages are received. Extensions are not supported.
//
// Call Produce after each Receive, also if it fails: it answers pings and close frames, and tells
// the peer what was wrong. Only the last of several pings is answered, as section 5.5.3 allows, so
// that a peer that does not read takes no memory.
//
// To end a connection, call SendClose and go on receiving until OnClose or a time limit. The client
// then waits for a moment until the server closes the TCP connection; the server closes it at once.
//
// Thread-compatible.
class Connection {
 public:
  // What a peer has sent. Called from within Receive. The methods may call the connection, except
  // for Receive and EndOfInput.
  class Events {
   public:
    virtual ~Events() = default;

    virtual void OnMessage(const Message& message) = 0;
    // The peer has closed its side, and nothing more is received. If it did so without a code, that
    // is kNoStatus.
    virtual void OnClose(const Close& close) = 0;
    // A ping has arrived; Produce answers it.
    virtual void OnPing(absl::string_view /*payload*/) {}
    // The answer to a ping has arrived, or a pong that nobody has asked for.
    virtual void OnPong(absl::string_view /*payload*/) {}
  };

  // `events` must outlive the connection.
  Connection(const ConnectionOptions& options, Events& events);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Reads bytes from the peer, cut anywhere. An error means that the peer breaks the protocol or
  // exceeds a limit: DATA_LOSS or RESOURCE_EXHAUSTED, see MakeError. It is final: call Produce to
  // tell the peer, and close the TCP connection. What follows a close frame is ignored.
  absl::Status Receive(absl::string_view bytes);

  // Says that no more bytes come. Returns UNAVAILABLE, with kAbnormal as its close code, if the
  // peer has not closed its side before.
  absl::Status EndOfInput();

  // Append a frame to `out`, after answers that are due. Return FAILED_PRECONDITION if either side
  // has sent a close frame, the error of the connection if it has failed, and INVALID_ARGUMENT if
  // the argument breaks a rule: text is UTF-8, the payload of a ping is at most kMaxControlBytes,
  // and a close frame has a code that IsAllowedInFrame, or kNoStatus and no reason.
  absl::Status SendMessage(MessageType type, absl::string_view data, std::string& out);
  absl::Status SendPing(absl::string_view payload, std::string& out);
  absl::Status SendClose(const Close& close, std::string& out);

  // Appends the answers that are due: a pong, or a close frame.
  void Produce(std::string& out);
  // Returns whether Produce has something to append.
  bool wants_output() const { return pong_.has_value() || close_.has_value(); }

  // Returns whether nothing is left to be done but to write what was appended and to close the TCP
  // connection: both sides have sent a close frame, the connection has failed and Produce has told
  // the peer, or the input has ended.
  bool done() const;
  bool close_sent() const { return close_sent_; }
  // Returns what the peer has closed its side with.
  const std::optional<Close>& close_received() const { return close_received_; }

 private:
  absl::Status ReceivePieces(absl::string_view bytes);
  absl::Status OnPiece(const FramePiece& piece);
  absl::Status OnControl(const FramePiece& piece);
  absl::Status OnData(const FramePiece& piece);
  void Deliver(absl::string_view data, bool begins, bool ends);
  absl::Status CheckCanSend() const;
  void Append(Opcode opcode, absl::string_view payload, std::string& out);

  const ConnectionOptions options_;
  Events& events_;
  FrameReader reader_;

  // The parts that have arrived of a control frame, and of a message that is delivered as a whole.
  std::string control_;
  std::string message_;
  MessageType type_ = MessageType::kBinary;
  internal::Utf8Stream text_;

  // The answers that are due. A close frame is the last one.
  std::optional<std::string> pong_;
  std::optional<Close> close_;

  bool close_sent_ = false;
  std::optional<Close> close_received_;
  bool input_ended_ = false;
  absl::Status failure_;
};

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_CONNECTION_H_
