#ifndef CLIENTSET_REMOTECOMMAND_INTERNAL_CHANNEL_SESSION_H_
#define CLIENTSET_REMOTECOMMAND_INTERNAL_CHANNEL_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "clientset/remotecommand/internal/liveness.h"
#include "clientset/remotecommand/session.h"
#include "net/io/duplex_stream.h"

namespace kube::remotecommand::internal {

// How the channels of a session are carried.
enum class Carrier { kWebSocket, kSpdy };

struct ChannelSessionOptions {
  // What errors begin with: `exec in pod "web-0" of "prod"`.
  std::string name = {};
  Carrier carrier = Carrier::kWebSocket;
  ChannelsOptions channels = {};
};

// Returns a session on a connection on which HTTP has ended. Blocks until the server has accepted
// its streams, at most 30 seconds as client-go; a WebSocket has none. Returns the errors of
// Session::Read, and DEADLINE_EXCEEDED.
absl::StatusOr<std::unique_ptr<Session>> OpenSession(const Context& ctx,
                                                     std::unique_ptr<io::DuplexStream> connection,
                                                     const ChannelSessionOptions& options);

// The implementation of Session: Channels, a connection, and the time.
class ChannelSession final : public Session, private Channels::Events {
 public:
  ChannelSession(std::unique_ptr<io::DuplexStream> connection,
                 const ChannelSessionOptions& options);
  ~ChannelSession() override;

  // Opens the channels. Call it once, before the other methods.
  absl::Status Open(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  absl::StatusOr<std::optional<Output>> Read(const Context& ctx) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status WriteStdin(const Context& ctx, absl::string_view data) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status CloseStdin(const Context& ctx) override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Resize(const Context& ctx, TerminalSize size) override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Wait(const Context& ctx) override ABSL_LOCKS_EXCLUDED(mutex_);
  void Close() override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::string_view protocol() const override { return protocol_; }

 private:
  // What a write sends, after answers that are due.
  enum class Message { kOpen, kStdin, kEndOfStdin, kResize, kPing, kAnswers, kGoodbye };
  // What a write does if another thread is writing.
  enum class Turn { kWait, kSkip };
  // What a write gives to the connection.
  struct Batch {
    std::string bytes = {};
    // The number of the first bytes that must not get lost if they cannot be sent now.
    size_t kept = 0;
  };

  // Called by the channels, within Advance.
  void OnOutput(Channel channel, absl::string_view data) override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnEnd(const absl::Status& outcome) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnPong(uint64_t number) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Returns whether the server has accepted the channels.
  absl::StatusOr<bool> Opened() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether TakeResult knows what Read returns, so that there is nothing to wait for.
  bool HasResult() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<std::optional<Output>> TakeResult() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits for bytes until a ping is due, and gives them to the channels. Only the status of `ctx`
  // is an error; others become failure_.
  absl::Status Advance(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Sends a ping if one is due.
  void KeepAlive() ABSL_LOCKS_EXCLUDED(mutex_);
  base::MonotonicTime WaitUntil() ABSL_LOCKS_EXCLUDED(mutex_);
  void OnRead(const absl::StatusOr<std::string>& bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // After a read: sends answers, or shuts down if the session is over.
  void Settle(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns whether the server hands a message on to the command.
  static bool IsForCommand(Message message);
  // Sends a message. Blocks while the connection does.
  absl::Status Write(const Context& ctx, Message message, absl::string_view data, Turn turn)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes the bytes of a message when no other thread writes. From then on this one does.
  absl::StatusOr<Batch> BeginWrite(const Context& ctx, Message message, absl::string_view data,
                                   Turn turn) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<Batch> MakeBatch(Message message, absl::string_view data)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Append(Message message, absl::string_view data, std::string& out)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Says goodbye, as far as that is possible within `patience`, and closes the connection.
  void ShutDown(const Context& ctx, absl::Duration patience) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Annotated(const absl::Status& status) const;

  const std::string name_;
  const std::string protocol_;
  const std::unique_ptr<io::DuplexStream> connection_;

  base::Mutex mutex_;
  // Notified when a thread has written.
  base::CondVar turn_;
  const std::unique_ptr<Channels> channels_ ABSL_PT_GUARDED_BY(mutex_);
  Liveness liveness_ ABSL_GUARDED_BY(mutex_);
  // What one read of the connection has brought and was not returned yet. The connection is not
  // read before it is empty.
  std::deque<Output> outputs_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> outcome_ ABSL_GUARDED_BY(mutex_);
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  // Whether a thread is in a Write of the connection.
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  // Control messages that a write which was given up has left: they go out with the next one.
  std::string unsent_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::remotecommand::internal

#endif  // CLIENTSET_REMOTECOMMAND_INTERNAL_CHANNEL_SESSION_H_
