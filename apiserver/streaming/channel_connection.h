#ifndef APISERVER_STREAMING_CHANNEL_CONNECTION_H_
#define APISERVER_STREAMING_CHANNEL_CONNECTION_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "net/io/duplex_stream.h"
#include "net/websocket/message_stream.h"

namespace kube::apiserver::internal {

struct ChannelOptions {
  // For each channel, whether the client may write to it. What it writes to others is dropped.
  std::vector<bool> readable = {};
  // Whether messages are text: a digit for the channel, then base64.
  bool base64 = false;
  // Whether the client can end a channel by a message, as in version 5 of remote commands.
  bool half_close = false;
};

// The server's side of a WebSocket whose messages belong to channels: the first byte says to which.
// A thread of its own reads messages, also while nobody waits for them, so that pings are answered
// and it is noticed when the client goes. If 64 KiB of one channel wait for their reader, it reads
// no further. (k8s.io/streaming: `wsstream.Conn`)
//
// Thread-safe, with one reader for each channel.
class ChannelConnection {
 public:
  ChannelConnection(std::unique_ptr<io::DuplexStream> connection, ChannelOptions options);
  ~ChannelConnection();
  ChannelConnection(const ChannelConnection&) = delete;
  ChannelConnection& operator=(const ChannelConnection&) = delete;

  // Starts the thread, which ends with `parent`. Call it once. Returns RESOURCE_EXHAUSTED if there
  // are no threads left.
  absl::Status Start(const Context& parent);

  // Returns a context that is done when the client has closed the connection or is lost.
  const Context& context() const { return scope_->context(); }

  // Returns a channel as a stream, which must not outlive this object. Its CloseWrite returns
  // UNIMPLEMENTED.
  std::unique_ptr<io::DuplexStream> Channel(size_t number);

  // Returns what the client has written, or "" if it has ended the channel or closed the
  // connection. Returns CANCELLED if the client is lost, and ctx.status().
  absl::StatusOr<std::string> Read(const Context& ctx, size_t number);
  // Sends a message, or several if there are more than 32 KiB: all of them, or with an error none.
  // Returns the errors of MessageStream::Write.
  absl::Status Write(const Context& ctx, size_t number, absl::string_view bytes);
  // Blocks until what was written has been passed on.
  absl::Status Flush(const Context& ctx);

  // Drops what the client has written to the channel and what it will write, so that it does not
  // keep other channels waiting. Nobody may read the channel any longer.
  void Drop(size_t number);

  // Closes the connection with the code for success after what was written. Waits until the client
  // has taken that or has gone, and then for at most five seconds until it answers; both end with
  // `ctx`. Nobody may read or write any longer.
  void Finish(const Context& ctx);

 private:
  struct State {
    std::string arrived = {};
    bool readable = false;
    bool ended = false;
  };

  void ReadMessages(const Context& ctx);
  // Waits until all channels have room.
  absl::Status WaitForRoom(const Context& ctx);
  // Gives the message to its channel. Returns an error if it breaks the protocol.
  absl::Status Take(absl::string_view message);
  absl::Status TakeEnd(absl::string_view message);
  void TakeData(size_t number, absl::string_view bytes);
  // Ends all channels, with an error unless the client has closed the connection properly.
  void End(const absl::Status& why);
  std::string MessageOf(size_t number, absl::string_view bytes) const;

  const ChannelOptions options_;
  websocket::MessageStream messages_;
  // Set by Start.
  std::unique_ptr<CancelScope> scope_;

  base::Mutex mutex_;
  base::CondVar changed_;
  std::vector<State> channels_ ABSL_GUARDED_BY(mutex_);
  absl::Status lost_ ABSL_GUARDED_BY(mutex_);

  base::Thread reader_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_CHANNEL_CONNECTION_H_
