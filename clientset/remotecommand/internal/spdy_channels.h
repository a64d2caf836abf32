#ifndef CLIENTSET_REMOTECOMMAND_INTERNAL_SPDY_CHANNELS_H_
#define CLIENTSET_REMOTECOMMAND_INTERNAL_SPDY_CHANNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "net/http/headers.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"

namespace kube::remotecommand::internal {

// Channels over SPDY: each is a stream that the client opens, in client-go's order, and that the
// server accepts. Each ends alone, and the command when its outputs and the error stream have.
class SpdyChannels final : public Channels, private spdy::Connection::Events {
 public:
  SpdyChannels(const ChannelsOptions& options, Channels::Events& events);

  absl::Status Open(std::string& out) override;
  bool opened() const override;
  uint64_t SendPing(std::string& out) override;
  void Close(std::string& out) override;
  void Produce(std::string& out) override;

 private:
  struct Stream {
    Channel channel = Channel::kError;
    spdy::StreamId id = 0;
    bool accepted = false;
    bool ended = false;
    bool reset = false;
  };

  absl::Status ReceiveBytes(absl::string_view bytes) override;
  absl::Status SendData(Channel channel, absl::string_view data, std::string& out) override;
  bool CanEndStdin() const override { return version() >= 2; }
  absl::Status EndStdin(std::string& out) override;

  void OnStream(spdy::StreamId id, const http::Headers& headers) override;
  void OnReply(spdy::StreamId id, const http::Headers& headers) override;
  void OnData(spdy::StreamId id, absl::string_view data) override;
  void OnEnd(spdy::StreamId id) override;
  void OnReset(spdy::StreamId id, spdy::ResetStatus status) override;
  void OnPong(uint32_t ping_id) override;
  void OnGoAway(spdy::StreamId last_good_id, spdy::GoAwayStatus status) override;

  Stream* Find(spdy::StreamId id);
  Stream* Find(Channel channel);
  // The server sends no more on a stream.
  void EndStream(Stream& stream);
  // Returns whether all of the streams have ended that matter.
  bool AllEnded();
  // Ends the command if they have.
  void CheckEnd();

  spdy::Connection connection_;
  std::vector<Stream> streams_;
  std::string answers_;
  // The server has said goodbye.
  bool server_leaves_ = false;
};

}  // namespace kube::remotecommand::internal

#endif  // CLIENTSET_REMOTECOMMAND_INTERNAL_SPDY_CHANNELS_H_
