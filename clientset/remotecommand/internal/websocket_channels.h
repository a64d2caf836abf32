#ifndef CLIENTSET_REMOTECOMMAND_INTERNAL_WEBSOCKET_CHANNELS_H_
#define CLIENTSET_REMOTECOMMAND_INTERNAL_WEBSOCKET_CHANNELS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"

namespace kube::remotecommand::internal {

// Channels over a WebSocket: the first byte of each binary message is its channel. All channels end
// together, when the server closes the WebSocket with kNormal. Version 5 can end stdin alone.
class WebSocketChannels final : public Channels, private websocket::Connection::Events {
 public:
  WebSocketChannels(const ChannelsOptions& options, Channels::Events& events);

  absl::Status Open(std::string& out) override;
  bool opened() const override { return true; }
  uint64_t SendPing(std::string& out) override;
  void Close(std::string& out) override;
  void Produce(std::string& out) override;

 private:
  absl::Status ReceiveBytes(absl::string_view bytes) override;
  absl::Status SendData(Channel channel, absl::string_view data, std::string& out) override;
  bool CanEndStdin() const override { return version() >= 5; }
  absl::Status EndStdin(std::string& out) override;

  void OnMessage(const websocket::Message& message) override;
  void OnClose(const websocket::Close& close) override;
  void OnPong(absl::string_view payload) override;

  websocket::Connection connection_;
  uint64_t last_ping_ = 0;
  // The channel of the message that is arriving; nullopt before its first byte.
  std::optional<Channel> channel_;
};

}  // namespace kube::remotecommand::internal

#endif  // CLIENTSET_REMOTECOMMAND_INTERNAL_WEBSOCKET_CHANNELS_H_
