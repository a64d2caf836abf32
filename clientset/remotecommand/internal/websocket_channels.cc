#include "clientset/remotecommand/internal/websocket_channels.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/frame_reader.h"

namespace kube::remotecommand::internal {

using websocket::CloseCode;
using websocket::MessageType;

namespace {

// Messages are handed on in pieces as they arrive, so that their size does not matter.
constexpr websocket::ConnectionOptions kConnectionOptions = {
    .role = websocket::Role::kClient,
    .limits = {.max_frame_bytes = std::numeric_limits<uint64_t>::max(),
               .max_message_bytes = std::numeric_limits<uint64_t>::max()},
    .stream_messages = true};

}  // namespace

WebSocketChannels::WebSocketChannels(const ChannelsOptions& options, Channels::Events& events)
    : Channels(options, events), connection_(kConnectionOptions, *this) {}

absl::Status WebSocketChannels::Open(std::string&) { return absl::OkStatus(); }

absl::Status WebSocketChannels::ReceiveBytes(absl::string_view bytes) {
  return connection_.Receive(bytes);
}

void WebSocketChannels::OnMessage(const websocket::Message& message) {
  if (message.type != MessageType::kBinary) {
    return Fail(websocket::MakeError(CloseCode::kUnsupportedData, "unexpected message type: 1"));
  }
  absl::string_view data = message.data;
  if (message.begins) channel_.reset();
  if (!channel_.has_value()) {
    // client-go takes a message without a channel for an error; Kubernetes' server ignores it.
    if (data.empty()) return;
    channel_ = static_cast<Channel>(static_cast<uint8_t>(data.front()));
    data.remove_prefix(1);
  }
  Take(*channel_, data);
}

void WebSocketChannels::OnClose(const websocket::Close& close) {
  if (close.code == CloseCode::kNormal) return End();
  EndEarly(websocket::MakeClosedError(close));
}

void WebSocketChannels::OnPong(absl::string_view payload) {
  uint64_t number = 0;
  // A pong that nobody has asked for means nothing.
  if (absl::SimpleAtoi(payload, &number) && number <= last_ping_) TakePong(number);
}

absl::Status WebSocketChannels::SendData(Channel channel, absl::string_view data,
                                         std::string& out) {
  const char number = static_cast<char>(channel);
  return connection_.SendMessage(MessageType::kBinary,
                                 absl::StrCat(absl::string_view(&number, 1), data), out);
}

absl::Status WebSocketChannels::EndStdin(std::string& out) {
  constexpr char kMessage[] = {static_cast<char>(Channel::kClose),
                               static_cast<char>(Channel::kStdin)};
  return connection_.SendMessage(MessageType::kBinary,
                                 absl::string_view(kMessage, sizeof(kMessage)), out);
}

uint64_t WebSocketChannels::SendPing(std::string& out) {
  // It can only fail if the WebSocket has ended, which Receive tells.
  connection_.SendPing(absl::StrCat(++last_ping_), out).IgnoreError();
  return last_ping_;
}

void WebSocketChannels::Close(std::string& out) {
  websocket::Close close = {.code = CloseCode::kNormal};
  if (!failure().ok() && websocket::CloseCodeOf(failure()).has_value()) {
    close = websocket::CloseFor(failure());
  }
  // It can only fail if a close frame was sent or is due as an answer.
  connection_.SendClose(close, out).IgnoreError();
  connection_.Produce(out);
}

void WebSocketChannels::Produce(std::string& out) { connection_.Produce(out); }

}  // namespace kube::remotecommand::internal
