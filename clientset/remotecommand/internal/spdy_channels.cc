#include "clientset/remotecommand/internal/spdy_channels.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "net/http/headers.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"

// How a command ends. A kubelet writes the Status to the error stream and then closes the
// connection, which resets every stream that it has not finished, the error stream always among
// them. So a reset is no error in itself: from version 4 on the Status decides, and without one a
// reset means that output may be missing. Before version 4 success has no text, and a reset cannot
// be told from it.
//
// A kubelet of version 1 ends stdin, and resets the error stream, before it runs the command; it
// reads stdin all the same. So as in client-go the outputs end the command, or an error's text.
namespace kube::remotecommand::internal {

namespace {

constexpr absl::string_view kStreamTypeHeader = "streamtype";

// The most that waits for Produce.
constexpr size_t kMaxAnswerBytes = size_t{64} << 10;

bool IsOutput(Channel channel) {
  return channel == Channel::kStdout || channel == Channel::kStderr;
}

// The channels that are opened, in client-go's order.
std::vector<Channel> ChannelsFor(const ChannelsOptions& options, int version) {
  std::vector<Channel> channels = {Channel::kError};
  if (options.with_stdin) channels.push_back(Channel::kStdin);
  if (options.with_stdout) channels.push_back(Channel::kStdout);
  if (options.with_stderr) channels.push_back(Channel::kStderr);
  if (options.tty && version >= 3) channels.push_back(Channel::kResize);
  return channels;
}

}  // namespace

SpdyChannels::SpdyChannels(const ChannelsOptions& options, Channels::Events& events)
    : Channels(options, events), connection_({.role = spdy::Role::kClient}, *this) {}

// ---- Opening

absl::Status SpdyChannels::Open(std::string& out) {
  for (const Channel channel : ChannelsFor(options(), version())) {
    const absl::string_view type = StreamTypeOf(channel);
    const http::Headers headers = {{std::string(kStreamTypeHeader), std::string(type)}};
    KUBE_ASSIGN_OR_RETURN(const spdy::StreamId id, connection_.OpenStream(headers, out),
                          "open stream ", type);
    streams_.push_back({.channel = channel, .id = id});
  }
  return absl::OkStatus();
}

bool SpdyChannels::opened() const {
  return !streams_.empty() &&
         absl::c_all_of(streams_, [](const Stream& stream) { return stream.accepted; });
}

void SpdyChannels::OnReply(spdy::StreamId id, const http::Headers&) {
  if (Stream* stream = Find(id)) stream->accepted = true;
}

// ---- Receiving

absl::Status SpdyChannels::ReceiveBytes(absl::string_view bytes) {
  return connection_.Receive(bytes);
}

void SpdyChannels::OnStream(spdy::StreamId id, const http::Headers&) {
  // Servers open no streams.
  connection_.Reset(id, answers_, spdy::ResetStatus::kRefusedStream);
  if (answers_.size() <= kMaxAnswerBytes) return;
  answers_.clear();
  Fail(absl::ResourceExhaustedError("the server opens streams without end"));
}

void SpdyChannels::OnData(spdy::StreamId id, absl::string_view data) {
  if (const Stream* stream = Find(id)) Take(stream->channel, data);
}

void SpdyChannels::OnEnd(spdy::StreamId id) {
  if (Stream* stream = Find(id)) EndStream(*stream);
}

void SpdyChannels::OnReset(spdy::StreamId id, spdy::ResetStatus) {
  Stream* stream = Find(id);
  if (stream == nullptr) return;
  if (!stream->accepted) {
    return Fail(absl::AbortedError(
        absl::StrCat("the server has refused the stream ", StreamTypeOf(stream->channel))));
  }
  stream->reset = true;
  EndStream(*stream);
}

void SpdyChannels::EndStream(Stream& stream) {
  stream.ended = true;
  if (stream.channel == Channel::kStdin && (version() >= 2 || stream.reset)) {
    // A server that ends stdin waits for the client to do so, too. It fails if the stream is over.
    if (!stdin_closed()) connection_.Finish(stream.id, answers_).IgnoreError();
    SetStdinClosed();
  }
  CheckEnd();
}

bool SpdyChannels::AllEnded() {
  bool has_outputs = false;
  bool outputs_ended = true;
  for (const Stream& stream : streams_) {
    if (!IsOutput(stream.channel)) continue;
    has_outputs = true;
    outputs_ended = outputs_ended && stream.ended;
  }
  const bool error_ended = Find(Channel::kError)->ended;
  if (version() >= 2) return error_ended && outputs_ended;
  if (error_ended && !error_stream().empty()) return true;
  if (has_outputs) return outputs_ended;
  // client-go never returns then. A kubelet does not reset stdin, which it has ended.
  const Stream* const in = Find(Channel::kStdin);
  return error_ended && (in == nullptr || in->reset || server_leaves_);
}

void SpdyChannels::CheckEnd() {
  if (!AllEnded()) return;
  const bool reset = absl::c_any_of(streams_, [](const Stream& stream) {
    return stream.reset && (stream.channel == Channel::kError || IsOutput(stream.channel));
  });
  if (version() >= 4 && reset && error_stream().empty()) {
    return Fail(absl::AbortedError(
        "the server has reset the streams before it told the outcome; output may be missing"));
  }
  End();
}

void SpdyChannels::OnPong(uint32_t ping_id) { TakePong(ping_id); }

// Streams that the server has not seen are reset after this call, others go on.
void SpdyChannels::OnGoAway(spdy::StreamId, spdy::GoAwayStatus) {
  server_leaves_ = true;
  if (version() == 1) CheckEnd();
}

SpdyChannels::Stream* SpdyChannels::Find(spdy::StreamId id) {
  const auto found = absl::c_find_if(streams_, [id](const Stream& s) { return s.id == id; });
  return found == streams_.end() ? nullptr : &*found;
}

SpdyChannels::Stream* SpdyChannels::Find(Channel channel) {
  const auto found =
      absl::c_find_if(streams_, [channel](const Stream& s) { return s.channel == channel; });
  return found == streams_.end() ? nullptr : &*found;
}

// ---- Sending

absl::Status SpdyChannels::SendData(Channel channel, absl::string_view data, std::string& out) {
  const Stream* stream = Find(channel);
  if (stream == nullptr || !stream->accepted) {
    return absl::FailedPreconditionError("the server has not accepted the stream yet");
  }
  return connection_.SendData(stream->id, data, out);
}

absl::Status SpdyChannels::EndStdin(std::string& out) {
  const Stream* stream = Find(Channel::kStdin);
  if (stream == nullptr || !stream->accepted) {
    return absl::FailedPreconditionError("the server has not accepted the stream yet");
  }
  return connection_.Finish(stream->id, out);
}

uint64_t SpdyChannels::SendPing(std::string& out) { return connection_.SendPing(out); }

void SpdyChannels::Close(std::string& out) {
  Produce(out);
  connection_.Close(out);
}

void SpdyChannels::Produce(std::string& out) {
  absl::StrAppend(&out, answers_);
  answers_.clear();
  connection_.Produce(out);
}

}  // namespace kube::remotecommand::internal
