#include "apiserver/streaming/command_session.h"

#include <array>
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
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/remotecommand/protocol.h"
#include "apiserver/container.h"
#include "apiserver/streaming/channel_connection.h"
#include "apiserver/streaming/negotiation.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"

namespace kube::apiserver::internal {
namespace {

using remotecommand::Channel;

// How long a client may take to open its streams over SPDY, as with a kubelet.
constexpr absl::Duration kStreamTimeout = absl::Seconds(30);
// How long a SPDY connection stays open for a client that has not closed it.
constexpr absl::Duration kFarewellTimeout = absl::Seconds(5);
// How many streams a client may have at a time, of which at most five are of use. Each of the
// others keeps in memory what the client writes to it.
constexpr size_t kMaxStreams = 32;

constexpr size_t kChannels = 5;

constexpr size_t IndexOf(Channel channel) { return static_cast<size_t>(channel); }

bool HasStatus(absl::string_view protocol) {
  return protocol == remotecommand::kProtocolV5 || protocol == remotecommand::kProtocolV4 ||
         protocol == remotecommand::kProtocolV4Base64;
}

// Returns what the error stream says of an outcome; may be empty.
std::string OutcomeText(absl::string_view protocol, const absl::Status& outcome) {
  if (HasStatus(protocol)) return remotecommand::EncodeOutcome(outcome);
  if (outcome.ok()) return "";
  if (remotecommand::ExitCodeOf(outcome).has_value()) {
    return absl::StrCat("command terminated with non-zero exit code: ", outcome.message());
  }
  return std::string(outcome.message());
}

// ---- WebSocket

// Returns the channel on which the client is told that the connection is established.
Channel LowestWritable(const CommandRequest& asked) {
  if (asked.out) return Channel::kStdout;
  return asked.err ? Channel::kStderr : Channel::kError;
}

void ServeWebSocket(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
                    absl::string_view protocol, const CommandRequest& asked, CommandBody body) {
  ChannelOptions options;
  options.readable.resize(kChannels, false);
  options.readable[IndexOf(Channel::kStdin)] = asked.in;
  options.readable[IndexOf(Channel::kResize)] = asked.tty;
  options.base64 =
      protocol == remotecommand::kProtocolBase64 || protocol == remotecommand::kProtocolV4Base64;
  options.half_close = protocol == remotecommand::kProtocolV5;
  ChannelConnection channels(std::move(connection), std::move(options));
  if (const absl::Status status = channels.Start(ctx); !status.ok()) {
    return log::Error(status, "cannot serve a command");
  }
  const size_t error = IndexOf(Channel::kError);
  if (!channels.Write(channels.context(), IndexOf(LowestWritable(asked)), "").ok()) return;

  const auto stream_of = [&channels](bool wanted, Channel channel) {
    return wanted ? channels.Channel(IndexOf(channel)) : nullptr;
  };
  const std::unique_ptr<io::DuplexStream> in = stream_of(asked.in, Channel::kStdin);
  const std::unique_ptr<io::DuplexStream> out = stream_of(asked.out, Channel::kStdout);
  const std::unique_ptr<io::DuplexStream> err = stream_of(asked.err, Channel::kStderr);
  const std::unique_ptr<io::DuplexStream> sizes = stream_of(asked.tty, Channel::kResize);
  const absl::Status outcome =
      body(channels.context(),
           {.in = in.get(), .out = out.get(), .err = err.get(), .sizes = sizes.get()});

  // A client that has to write before it reads must not wait for a reader that is gone.
  for (const Channel channel : {Channel::kStdin, Channel::kResize}) channels.Drop(IndexOf(channel));
  const std::string text = OutcomeText(protocol, outcome);
  if (!text.empty()) {
    // Behind the output, however slow the client is. If it has gone, nobody is to be told.
    channels.Write(channels.context(), error, text).IgnoreError();
  }
  channels.Finish(ctx);
}

// ---- SPDY

bool HasTerminalSizes(absl::string_view protocol) {
  return protocol == remotecommand::kProtocolV4 || protocol == remotecommand::kProtocolV3;
}

// The streams that a client has opened, by the numbers of their channels.
struct SpdyStreams {
  std::array<std::unique_ptr<spdy::SessionStream>, kChannels> by_channel = {};
  // Streams of unknown types. A kubelet accepts them, too.
  std::vector<std::unique_ptr<spdy::SessionStream>> others = {};

  std::unique_ptr<spdy::SessionStream>& operator[](Channel channel) {
    return by_channel[IndexOf(channel)];
  }
};

// Accepts the streams that the client opens until there are as many as it has asked for.
absl::Status AcceptStreams(spdy::Session& session, absl::string_view protocol,
                           const CommandRequest& asked, SpdyStreams& streams) {
  const bool sizes = HasTerminalSizes(protocol);
  const size_t expected =
      size_t{1} + asked.in + asked.out + asked.err + (asked.tty && sizes ? 1 : 0);
  const Context ctx = WithTimeout(session.context(), kStreamTimeout);
  for (size_t received = 0; received < expected;) {
    KUBE_ASSIGN_OR_RETURN(std::unique_ptr<spdy::SessionStream> stream, session.Accept(ctx));
    KUBE_RETURN_IF_ERROR(stream->Reply());
    const std::optional<Channel> channel =
        remotecommand::ChannelOf(stream->headers().Get("streamtype").value_or(""));
    if (!channel.has_value() || (*channel == Channel::kResize && !sizes)) {
      streams.others.push_back(std::move(stream));
      continue;
    }
    streams[*channel] = std::move(stream);
    ++received;
  }
  if (streams[Channel::kError] == nullptr) {
    return absl::InvalidArgumentError("the client has opened no error stream");
  }
  return absl::OkStatus();
}

// Ends the streams that the client writes to and that nobody reads any more. They would fill the
// connection, and the client may have to write before it reads.
void EndInput(SpdyStreams& streams) {
  for (const Channel channel : {Channel::kStdin, Channel::kResize}) {
    std::unique_ptr<spdy::SessionStream>& stream = streams[channel];
    if (stream != nullptr) stream->CloseWrite().IgnoreError();
    stream.reset();
  }
}

// Ends all streams, and waits until the client has taken what was written, however slow it is, and
// then for a while until it has closed the connection, because what it has not read yet may be lost
// when the server does.
void SayFarewell(spdy::Session& session, SpdyStreams& streams) {
  for (const auto& stream : streams.by_channel) {
    if (stream != nullptr) stream->CloseWrite().IgnoreError();
  }
  streams[Channel::kError]->Flush(session.context()).IgnoreError();
  base::WaitUntilDone(WithTimeout(session.context(), kFarewellTimeout)).IgnoreError();
}

void ServeSpdy(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
               absl::string_view protocol, const CommandRequest& asked, CommandBody body) {
  spdy::SessionOptions options;
  options.connection.role = spdy::Role::kServer;
  options.connection.max_peer_streams = kMaxStreams;
  // As a kubelet, which leaves pings to the client.
  options.ping_interval = absl::ZeroDuration();
  const absl::StatusOr<std::unique_ptr<spdy::Session>> session =
      spdy::Session::Start(ctx, std::move(connection), options);
  if (!session.ok()) return log::Error(session.status(), "cannot serve a command");
  SpdyStreams streams;
  const absl::Status accepted = AcceptStreams(**session, protocol, asked, streams);
  if (!accepted.ok()) {
    // The client cannot be told: there may be no stream for it.
    return log::Warning("a client has not opened the streams of its command",
                        {{"cause", accepted}});
  }
  // A stream that was not asked for is not read. A stream is null if the client has not opened it,
  // because it has opened another one twice.
  const auto stream_of = [&streams](bool wanted, Channel channel) {
    return wanted ? streams[channel].get() : nullptr;
  };
  const absl::Status outcome =
      body((*session)->context(), {.in = stream_of(asked.in, Channel::kStdin),
                                   .out = stream_of(asked.out, Channel::kStdout),
                                   .err = stream_of(asked.err, Channel::kStderr),
                                   .sizes = stream_of(asked.tty, Channel::kResize)});
  EndInput(streams);
  const std::string text = OutcomeText(protocol, outcome);
  if (!text.empty()) {
    streams[Channel::kError]->Write((*session)->context(), text).IgnoreError();
  }
  SayFarewell(**session, streams);
}

// ---- The process

class Process final : public ContainerProcess {
 public:
  Process(const CommandRequest& asked, const Context& ctx, const CommandStreams& streams,
          std::function<void(absl::string_view)> append_log)
      : ContainerProcess(asked.container, asked.command, asked.tty, ctx),
        streams_(streams),
        append_log_(std::move(append_log)) {}

  absl::StatusOr<std::string> ReadStdin(const Context& ctx) override {
    if (streams_.in == nullptr) return std::string();
    absl::StatusOr<std::string> bytes = streams_.in->Read(ctx);
    // A SPDY client that resets the stream has ended it, as far as upstream can tell.
    if (absl::IsAborted(bytes.status()) && !context().done()) return std::string();
    if (!bytes.ok()) return ErrorOf(bytes.status(), "read stdin");
    return bytes;
  }

  absl::Status WriteStdout(const Context& ctx, absl::string_view bytes) override {
    return Write(ctx, streams_.out, bytes, "write stdout");
  }
  absl::Status WriteStderr(const Context& ctx, absl::string_view bytes) override {
    if (tty()) return WriteStdout(ctx, bytes);
    return Write(ctx, streams_.err, bytes, "write stderr");
  }

  absl::StatusOr<std::optional<remotecommand::TerminalSize>> NextTerminalSize(
      const Context& ctx) override {
    while (true) {
      const std::optional<remotecommand::TerminalSize> size = sizes_.Next();
      if (size.has_value() || streams_.sizes == nullptr) return size;
      absl::StatusOr<std::string> bytes = streams_.sizes->Read(ctx);
      if (!bytes.ok()) return ErrorOf(bytes.status(), "read terminal size");
      if (bytes->empty()) return std::optional<remotecommand::TerminalSize>();
      sizes_.Receive(*bytes);
    }
  }

  void AppendLog(absl::string_view text) override { append_log_(text); }

 private:
  absl::Status Write(const Context& ctx, io::DuplexStream* stream, absl::string_view bytes,
                     absl::string_view what) {
    if (stream == nullptr || bytes.empty()) return absl::OkStatus();
    const absl::Status status = stream->Write(ctx, bytes);
    return status.ok() ? status : ErrorOf(status, what);
  }
  // Whatever a stream says when the client has gone, the error is always the same.
  absl::Status ErrorOf(const absl::Status& status, absl::string_view what) const {
    if (!context().done()) return base::Annotate(status, what);
    return absl::CancelledError(absl::StrCat(what, ": the client has gone"));
  }

  const CommandStreams streams_;
  const std::function<void(absl::string_view)> append_log_;
  remotecommand::TerminalSizeReader sizes_;
};

}  // namespace

void ServeCommandSession(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
                         Carrier carrier, absl::string_view protocol, const CommandRequest& asked,
                         CommandBody body) {
  if (carrier == Carrier::kWebSocket) {
    return ServeWebSocket(ctx, std::move(connection), protocol, asked, body);
  }
  ServeSpdy(ctx, std::move(connection), protocol, asked, body);
}

std::unique_ptr<ContainerProcess> MakeProcess(const CommandRequest& asked, const Context& ctx,
                                              const CommandStreams& streams,
                                              std::function<void(absl::string_view)> append_log) {
  return std::make_unique<Process>(asked, ctx, streams, std::move(append_log));
}

}  // namespace kube::apiserver::internal
