#ifndef NET_WEBSOCKET_TESTING_MESSAGE_STREAM_FIXTURE_H_
#define NET_WEBSOCKET_TESTING_MESSAGE_STREAM_FIXTURE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/testing/recorder.h"

// What the tests of MessageStream share: a stream with a peer that says what the test wants, two
// connected streams, and texts of what was read.
namespace kube::websocket {

inline constexpr size_t kSmall = 10;
inline constexpr size_t kLarge = size_t{64} << 10;

// More than fits into a small buffer: further writes wait until it has been read.
inline const std::string& Filling() {
  static const std::string filling(100, 'x');
  return filling;
}

inline Context Timeout(absl::Duration timeout) { return WithTimeout(Context(), timeout); }

inline std::string ToText(const MessageStream::Received& message) {
  return absl::StrCat(message.type == MessageType::kText ? "text " : "binary ", message.data);
}

// Returns the next message, such as "text abc", or "end".
inline absl::StatusOr<std::string> ReadText(MessageStream& stream, const Context& ctx = Context()) {
  KUBE_ASSIGN_OR_RETURN(const std::optional<MessageStream::Received> message, stream.Read(ctx));
  return message.has_value() ? ToText(*message) : "end";
}

// Reads until the context ends, and returns the error.
inline absl::Status ReadFor(MessageStream& stream, absl::Duration time) {
  return ReadText(stream, Timeout(time)).status();
}

// A stream, and a peer that says whatever the test wants.
class StreamFixture {
 public:
  explicit StreamFixture(const MessageStreamOptions& options = {}, size_t buffer_bytes = kLarge)
      : StreamFixture(options, io::MakePipe(buffer_bytes)) {}

  void Say(Opcode opcode, absl::string_view payload, bool fin = true) {
    FrameHeader header = {.opcode = opcode, .fin = fin};
    if (role_ == Role::kClient) header.mask.emplace();
    std::string bytes;
    AppendFrame(header, payload, bytes);
    SayBytes(bytes);
  }
  void SayClose(const Close& close) {
    std::string bytes;
    EXPECT_THAT(heard_.SendClose(close, bytes), base::IsOk());
    SayBytes(bytes);
  }
  void SayBytes(absl::string_view bytes) {
    EXPECT_THAT(peer_->Write(Context(), bytes), base::IsOk());
  }

  // Returns what has arrived at the peer: "binary abc", "ping ", "close 1000 (normal)", and "end".
  std::vector<std::string> Hear() {
    std::vector<std::string> events;
    while (true) {
      const absl::StatusOr<std::string> bytes = peer_->Read(Timeout(absl::ZeroDuration()));
      if (!bytes.ok()) return events;
      if (bytes->empty()) break;
      EXPECT_THAT(heard_.Receive(*bytes), base::IsOk());
      for (std::string& event : recorder_.Take()) events.push_back(std::move(event));
    }
    events.push_back("end");
    return events;
  }

  void HangUp() { peer_.reset(); }

 private:
  StreamFixture(const MessageStreamOptions& options, io::Pipe pipe)
      : role_(options.role == Role::kClient ? Role::kServer : Role::kClient),
        peer_(std::move(pipe.second)),
        heard_({.role = role_}, recorder_),
        stream(std::move(pipe.first), options) {}

  const Role role_;
  std::unique_ptr<io::DuplexStream> peer_;
  Recorder recorder_;
  Connection heard_;

 public:
  MessageStream stream;
};

// Two streams that are connected.
struct StreamPair {
  explicit StreamPair(size_t buffer_bytes = kLarge, absl::Duration ping_interval = absl::Seconds(5))
      : StreamPair(io::MakePipe(buffer_bytes), ping_interval) {}
  StreamPair(io::Pipe pipe, absl::Duration ping_interval)
      : client(std::move(pipe.first), {.role = Role::kClient, .ping_interval = ping_interval}),
        server(std::move(pipe.second), {.role = Role::kServer, .ping_interval = ping_interval}) {}

  MessageStream client;
  MessageStream server;
};

inline void Simulate(std::function<void()> program) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(std::move(program)), base::IsOk());
}

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_TESTING_MESSAGE_STREAM_FIXTURE_H_
