// Over SPDY, a session has two streams for each connection that the client accepts: one for data,
// and one for the text of an error. The thread of the session accepts streams and pairs them; each
// pair has a thread of its own, which calls the function and then waits until the client ends the
// streams, because what it has not read yet would be lost if the server reset them.
//
// Over a WebSocket without a tunnel, which only old clients use, there is one connection for each
// port of the query.

#include "apiserver/streaming/port_session.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
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
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/remotecommand/protocol.h"
#include "apiserver/streaming/channel_connection.h"
#include "apiserver/streaming/lent_stream.h"
#include "apiserver/streaming/negotiation.h"
#include "apiserver/streaming/stream_pairs.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/tunnel.h"

namespace kube::apiserver::internal {
namespace {

// How many connections a session may forward at a time; more are refused.
constexpr size_t kMaxForwards = 1000;
// How long the text of an error may take to be sent.
constexpr absl::Duration kErrorTimeout = absl::Seconds(10);
// How long a client may take to end its streams after the server has.
constexpr absl::Duration kDrainTimeout = absl::Seconds(30);

// Reads and drops until the client has ended the stream.
void Drain(const Context& ctx, io::DuplexStream& stream) {
  const Context until = WithTimeout(ctx, kDrainTimeout);
  while (true) {
    const absl::StatusOr<std::string> bytes = stream.Read(until);
    if (!bytes.ok() || bytes->empty()) return;
  }
}

void SendError(const Context& ctx, io::DuplexStream& stream, absl::string_view text) {
  const Context soon = WithTimeout(ctx, kErrorTimeout);
  // If the client has gone, nobody is to be told.
  stream.Write(soon, text).IgnoreError();
  stream.CloseWrite().IgnoreError();
  stream.Flush(soon).IgnoreError();
}

// Serves one forwarded connection.
void Forward(const Context& ctx, const PortRequest& asked, const PortFunction& function,
             StreamPair pair) {
  spdy::SessionStream& data = *pair.data;
  Loan loan(std::move(pair.data));
  const absl::Status status = function(ctx, pair.port, loan.Lend());
  loan.End();
  if (!status.ok()) {
    SendError(ctx, *pair.error, ForwardErrorText(asked, pair.port, status));
    data.Reset();
  } else {
    data.CloseWrite().IgnoreError();
    pair.error->CloseWrite().IgnoreError();
    Drain(ctx, data);
  }
  Drain(ctx, *pair.error);
}

// The streams of one SPDY connection.
class SpdyPorts {
 public:
  SpdyPorts(spdy::Session& session, const PortRequest& asked, const PortFunction& function)
      : session_(session), asked_(asked), function_(function) {}

  // Blocks until the session has ended.
  void Run() {
    const Context& ctx = session_.context();
    while (!ctx.done()) {
      absl::StatusOr<std::unique_ptr<spdy::SessionStream>> stream =
          session_.Accept(WithDeadline(ctx, pairs_.NextTimeout()));
      JoinEnded();
      if (stream.ok()) {
        Take(*std::move(stream));
      } else if (!absl::IsDeadlineExceeded(stream.status())) {
        return;
      } else {
        Expire();
      }
    }
  }

 private:
  struct Forwarded {
    std::atomic<bool> ended = false;
    base::Thread thread;
  };

  void Take(std::unique_ptr<spdy::SessionStream> stream) {
    const absl::StatusOr<PortStreamHeaders> headers = ParsePortStream(stream->headers());
    // A stream that is not accepted is reset when it is destroyed.
    if (!headers.ok() || !stream->Reply().ok()) return;
    StreamPairs::Added added = pairs_.Add(*headers, std::move(stream), base::Now());
    if (!added.problem.ok() && added.refused != nullptr) {
      SendError(session_.context(), *added.refused, added.problem.message());
    }
    if (added.complete.has_value()) Start(*std::move(added.complete));
  }

  void Start(StreamPair pair) {
    if (forwarded_.size() >= kMaxForwards) return;
    auto forwarded = std::make_unique<Forwarded>();
    Forwarded& started = *forwarded;
    const absl::Status status = started.thread.Start(
        session_.context(), "forward",
        [this, &started, held = std::make_unique<StreamPair>(std::move(pair))](const Context& ctx) {
          Forward(ctx, asked_, function_, std::move(*held));
          started.ended = true;
        });
    if (!status.ok()) return log::Error(status, "cannot forward a connection");
    forwarded_.push_back(std::move(forwarded));
  }

  void JoinEnded() {
    forwarded_.erase(std::remove_if(forwarded_.begin(), forwarded_.end(),
                                    [](const auto& each) { return each->ended.load(); }),
                     forwarded_.end());
  }

  void Expire() {
    for (const StreamPair& pair : pairs_.TakeExpired(base::Now())) {
      if (pair.error == nullptr) continue;
      SendError(session_.context(), *pair.error,
                absl::StrCat("(request=", pair.request_id, ") timed out waiting for streams"));
    }
  }

  spdy::Session& session_;
  const PortRequest& asked_;
  const PortFunction& function_;
  StreamPairs pairs_;
  std::vector<std::unique_ptr<Forwarded>> forwarded_;
};

void ServeSpdy(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
               const PortRequest& asked, const PortFunction& function) {
  spdy::SessionOptions options;
  options.connection.role = spdy::Role::kServer;
  // Each stream keeps in memory what the client writes to it, also one that waits for its pair.
  options.connection.max_peer_streams = 2 * kMaxForwards;
  // As a kubelet, which leaves pings to the client.
  options.ping_interval = absl::ZeroDuration();
  const absl::StatusOr<std::unique_ptr<spdy::Session>> session =
      spdy::Session::Start(ctx, std::move(connection), options);
  if (!session.ok()) return log::Error(session.status(), "cannot forward ports");
  SpdyPorts(**session, asked, function).Run();
}

// Takes the WebSocket for a stream of bytes.
std::unique_ptr<io::DuplexStream> MakeServerTunnel(std::unique_ptr<io::DuplexStream> connection) {
  websocket::MessageStreamOptions options;
  options.role = websocket::Role::kServer;
  options.ping_interval = absl::ZeroDuration();
  return websocket::MakeTunnel(
      std::make_unique<websocket::MessageStream>(std::move(connection), options));
}

// Serves the connection of one port, whose data are channel `number`; the error has the next one.
void ForwardChannels(const Context& ctx, ChannelConnection& channels, size_t number, uint16_t port,
                     const PortRequest& asked, const PortFunction& function) {
  Loan loan(channels.Channel(number));
  const absl::Status status = function(ctx, port, loan.Lend());
  loan.End();
  channels.Drop(number);
  if (status.ok()) return;
  channels.Write(WithTimeout(ctx, kErrorTimeout), number + 1, ForwardErrorText(asked, port, status))
      .IgnoreError();
}

void ServeChannels(const Context& ctx, std::unique_ptr<io::DuplexStream> connection, bool base64,
                   const PortRequest& asked, const PortFunction& function) {
  ChannelOptions options;
  for (size_t i = 0; i < asked.ports.size(); ++i) {
    options.readable.push_back(true);
    options.readable.push_back(false);
  }
  options.base64 = base64;
  ChannelConnection channels(std::move(connection), std::move(options));
  if (const absl::Status status = channels.Start(ctx); !status.ok()) {
    return log::Error(status, "cannot forward ports");
  }
  for (size_t i = 0; i < asked.ports.size(); ++i) {
    // The port in two bytes, the lower one first.
    const uint16_t port = asked.ports[i];
    const std::string bytes = {static_cast<char>(port & 0xff), static_cast<char>(port >> 8)};
    for (const size_t number : {2 * i, 2 * i + 1}) {
      if (!channels.Write(channels.context(), number, bytes).ok()) return;
    }
  }
  {
    std::vector<base::Thread> threads(asked.ports.size());
    for (size_t i = 0; i < threads.size(); ++i) {
      const absl::Status status =
          threads[i].Start(channels.context(), "forward", [&, i](const Context& client) {
            ForwardChannels(client, channels, 2 * i, asked.ports[i], asked, function);
          });
      if (!status.ok()) log::Error(status, "cannot forward a port");
    }
    for (base::Thread& each : threads) each.Join();
  }
  channels.Finish(ctx);
}

}  // namespace

std::string ForwardErrorText(const PortRequest& asked, uint16_t port, const absl::Status& error) {
  return absl::StrCat("error forwarding port ", port, " to pod ", asked.pod,
                      ", uid : ", error.message());
}

void ServePortSession(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
                      Carrier carrier, absl::string_view protocol, const PortRequest& asked,
                      const PortFunction& function) {
  switch (carrier) {
    case Carrier::kSpdy:
      return ServeSpdy(ctx, std::move(connection), asked, function);
    case Carrier::kTunnel:
      return ServeSpdy(ctx, MakeServerTunnel(std::move(connection)), asked, function);
    case Carrier::kWebSocket:
      return ServeChannels(ctx, std::move(connection), protocol == remotecommand::kProtocolV4Base64,
                           asked, function);
  }
}

}  // namespace kube::apiserver::internal
