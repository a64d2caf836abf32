#ifndef NET_WEBSOCKET_MESSAGE_STREAM_H_
#define NET_WEBSOCKET_MESSAGE_STREAM_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "net/io/duplex_stream.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/frame_reader.h"

namespace kube::websocket {

struct MessageStreamOptions {
  Role role = Role::kClient;
  // The limits for what the peer sends.
  FrameLimits limits = {};
  // The time between two pings while a thread reads; zero means no pings. Default: as client-go.
  absl::Duration ping_interval = absl::Seconds(5);
  // The time within which bytes must arrive after a ping; otherwise the peer is lost. Zero means
  // that it is never lost. Only time in which a thread reads counts, and not the time in which the
  // peer may be busy with more than a kibibyte of messages.
  absl::Duration lost_after = absl::Seconds(61);
};

// A WebSocket over a stream of bytes, after the opening handshake (handshake.h): messages are read
// and written by blocking calls. It answers pings, sends its own, and does the closing handshake.
// (gorilla/websocket: `Conn`)
//
//   MessageStream stream(std::move(connection), {.role = Role::kClient});
//   KUBE_RETURN_IF_ERROR(stream.Write(ctx, MessageType::kText, "hello"));
//   KUBE_ASSIGN_OR_RETURN(const auto answer, stream.Read(ctx));  // nullopt: the peer has closed
//   KUBE_RETURN_IF_ERROR(stream.Shutdown(WithTimeout(ctx, absl::Seconds(1))));
//
// One thread at a time may read; any number may write. Nothing happens between the calls: without a
// reader no ping is sent or answered, and the peer is slowed down. Pings and answers never wait for
// a peer that does not read; they are sent when there is room.
//
// The destructor ends the stream below without a close frame. No call may be in progress then.
class MessageStream {
 public:
  struct Received {
    MessageType type = MessageType::kBinary;
    std::string data = {};
  };

  MessageStream(std::unique_ptr<io::DuplexStream> connection, const MessageStreamOptions& options);
  ~MessageStream();
  MessageStream(const MessageStream&) = delete;
  MessageStream& operator=(const MessageStream&) = delete;

  // Returns the next message, or nullopt if the peer has closed its side with kNormal. Blocks until
  // there is one. Returns ctx.status() if `ctx` ends first; no message is lost then. Any other
  // error is final: MakeClosedError if the peer has closed with another code, UNAVAILABLE if it is
  // lost, the error of the connection if the peer breaks the protocol (it has been told why), and
  // the errors of the stream below. At the end the call waits for up to a second until the peer has
  // been told.
  absl::StatusOr<std::optional<Received>> Read(const Context& ctx);

  // Sends a message as one frame. Blocks while the stream below does. Returns its errors,
  // INVALID_ARGUMENT if a text is not UTF-8, and FAILED_PRECONDITION if either side has closed.
  // With an error nothing of the message is sent; if it is ctx.status(), writing may go on.
  absl::Status Write(const Context& ctx, MessageType type, absl::string_view data);
  // Does the same for several messages: all of them are sent, or none.
  absl::Status WriteMessages(const Context& ctx, MessageType type,
                             absl::Span<const absl::string_view> messages);
  // Blocks until the stream below has passed on what was written (see DuplexStream::Flush).
  absl::Status Flush(const Context& ctx);

  // Sends a close frame, and reads and drops messages until that of the peer has arrived or `ctx`
  // is done; give it a second. Then it closes the stream below. Must not be called while another
  // thread reads. Returns OK if the peer has answered, or has closed before, and otherwise the
  // error of Read. Returns INVALID_ARGUMENT, and does nothing, if no frame may say `close`.
  absl::Status Shutdown(const Context& ctx, const Close& close = {.code = CloseCode::kNormal});

  // Sends a close frame, without waiting for an answer: a Read on another thread returns it.
  // Returns the errors of Write. If it returns ctx.status(), the frame may still be sent by a later
  // call, and nothing else can be written.
  absl::Status WriteClose(const Context& ctx, const Close& close = {.code = CloseCode::kNormal});

  // Ends the stream below at once, without a close frame; calls that block return
  // FAILED_PRECONDITION. Thread-safe, never blocks.
  void CloseNow();

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_MESSAGE_STREAM_H_
