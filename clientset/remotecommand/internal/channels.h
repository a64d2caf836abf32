#ifndef CLIENTSET_REMOTECOMMAND_INTERNAL_CHANNELS_H_
#define CLIENTSET_REMOTECOMMAND_INTERNAL_CHANNELS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/remotecommand/protocol.h"

namespace kube::remotecommand::internal {

// What was asked for and agreed upon before the channels begin.
struct ChannelsOptions {
  // One of kProtocolV1 to kProtocolV5.
  std::string protocol = std::string(kProtocolV5);
  bool with_stdin = false;
  bool with_stdout = false;
  // Must be false with a terminal.
  bool with_stderr = false;
  bool tty = false;
};

// The client's side of the channels of a command, without a socket, a thread, a clock or a queue:
// bytes come in through Receive, and what is to be written is appended to a string of the caller's.
// WebSocketChannels and SpdyChannels say how the channels are carried.
//
//   channels.Open(out);
//   ... until channels.opened() ...
//   KUBE_RETURN_IF_ERROR(channels.Send(Channel::kStdin, "hello\n", out));
//   KUBE_RETURN_IF_ERROR(channels.Receive(bytes));  // calls `events`
//   channels.Produce(out);                          // answers to what was received
//
// What the error channel carries is collected and becomes the outcome. Output for channels that
// were not asked for is dropped.
//
// Thread-compatible.
class Channels {
 public:
  // What the server does. Called from within Receive and EndOfInput; must not call the channels.
  class Events {
   public:
    virtual ~Events() = default;

    // The command has written to kStdout or kStderr. `data` is never empty and is valid only during
    // the call.
    virtual void OnOutput(Channel channel, absl::string_view data) = 0;
    // The command has ended, with the outcome that Session::Wait returns. The last event.
    virtual void OnEnd(const absl::Status& outcome) = 0;
    // The answer to a ping has arrived.
    virtual void OnPong(uint64_t number) = 0;
  };

  // `events` must outlive the channels.
  Channels(const ChannelsOptions& options, Events& events);
  virtual ~Channels() = default;
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  // Appends what opens the channels. Call it once, first.
  virtual absl::Status Open(std::string& out) = 0;
  // Returns whether the server has accepted all channels, so that data may be sent.
  virtual bool opened() const = 0;

  // Reads bytes from the server, cut anywhere. An error is final and means that no outcome will be
  // told: DATA_LOSS if the server breaks the protocol, RESOURCE_EXHAUSTED if it exceeds a limit,
  // UNAVAILABLE or ABORTED if it gives up. Ignores everything after the end.
  absl::Status Receive(absl::string_view bytes);

  // Says that no more bytes come, because of `cause` or, if that is OK, because the server has
  // closed the connection. If the server has told the outcome before, the command has ended.
  // Otherwise returns an error, as Receive does.
  absl::Status EndOfInput(const absl::Status& cause);

  // Append data for kStdin or kResize, or the end of kStdin, which counts once. Return
  // FAILED_PRECONDITION if the channel was not asked for or has ended, if the protocol cannot do
  // it, and if the command has ended; and the error of the channels if they have failed.
  absl::Status Send(Channel channel, absl::string_view data, std::string& out);
  absl::Status CloseStdin(std::string& out);

  // Appends a ping and returns its number, for OnPong. Numbers grow.
  virtual uint64_t SendPing(std::string& out) = 0;

  // Appends what says goodbye to the server. Nothing may be sent after it.
  virtual void Close(std::string& out) = 0;

  // Appends the answers that are due.
  virtual void Produce(std::string& out) = 0;

  // Returns whether OnEnd was called.
  bool ended() const { return ended_; }

  // The most that the error channel may carry. Servers send less than a kilobyte.
  static constexpr size_t kMaxErrorBytes = size_t{1} << 20;

 protected:
  const ChannelsOptions& options() const { return options_; }
  // The number of the version, from 1 to 5.
  int version() const { return version_; }
  const absl::Status& failure() const { return failure_; }
  const std::string& error_stream() const { return error_stream_; }

  // Take in what the server has sent on a channel, and the answer to a ping.
  void Take(Channel channel, absl::string_view data);
  void TakePong(uint64_t number);
  // Ends the command with the outcome that the error stream tells.
  void End();
  // Ends the command if the server has told its outcome, and otherwise fails. For connections that
  // end before they should.
  void EndEarly(absl::Status status);
  // Fails for good. Only the first call counts.
  void Fail(absl::Status status);
  // The server takes no more stdin.
  void SetStdinClosed() { stdin_closed_ = true; }
  bool stdin_closed() const { return stdin_closed_; }

 private:
  virtual absl::Status ReceiveBytes(absl::string_view bytes) = 0;
  virtual absl::Status SendData(Channel channel, absl::string_view data, std::string& out) = 0;
  // Returns whether EndStdin works.
  virtual bool CanEndStdin() const = 0;
  virtual absl::Status EndStdin(std::string& out) = 0;

  absl::Status CheckCanSend(Channel channel) const;
  absl::Status Outcome() const;
  // Returns the outcome if the error stream tells one, whether or not it is complete.
  std::optional<absl::Status> Verdict() const;
  void EndWith(const absl::Status& outcome);

  const ChannelsOptions options_;
  const int version_;
  Events& events_;
  std::string error_stream_;
  bool stdin_closed_ = false;
  bool ended_ = false;
  absl::Status failure_;
};

}  // namespace kube::remotecommand::internal

#endif  // CLIENTSET_REMOTECOMMAND_INTERNAL_CHANNELS_H_
