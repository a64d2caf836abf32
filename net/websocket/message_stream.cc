#include "net/websocket/message_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "net/io/duplex_stream.h"
#include "net/io/shared_writer.h"
#include "net/io/unshared_status.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"

namespace kube::websocket {

// The Connection is guarded by a mutex under which nothing waits. Messages are written, and so
// vanish if their call is given up; pings, pongs and close frames are queued (see SharedWriter).
//
// The thread that reads never waits for room: its peer may be waiting for it to read. It queues an
// answer only if the queue is empty. Until then the Connection keeps it, which answers only the
// last of several pings, so a peer that sends pings and does not read takes no memory.
//
// A peer that hands on what it receives, as Kubernetes' servers do, answers a ping only when it has
// got rid of the messages before it, which may take long. So a ping has the number of the messages
// before it, and while more than a few bytes of them lack an answer, silence means nothing: whether
// the peer is really gone is then up to the stream below, which waits to have them acknowledged.

namespace {

// How soon the reader tries again to send answers for which there was no room.
constexpr absl::Duration kRetryInterval = absl::Seconds(1);
// How long the end of a connection waits until the peer has been told.
constexpr absl::Duration kFarewellTimeout = absl::Seconds(1);
// The most bytes with which no peer is busy, such as the pings of a protocol within the messages.
constexpr size_t kMaxIdleBytes = size_t{1} << 10;

// When the next ping is due, and when the peer counts as lost. Only the time counts that is passed
// to Pass.
class Heartbeat {
 public:
  Heartbeat(absl::Duration ping_interval, absl::Duration lost_after)
      : ping_interval_(OrInfinite(ping_interval)),
        lost_after_(OrInfinite(lost_after)),
        until_ping_(ping_interval_) {}

  // Returns the time until something is due.
  absl::Duration Left() const { return std::min(until_ping_, until_lost_); }
  void Pass(absl::Duration time) {
    until_ping_ -= time;
    until_lost_ -= time;
  }
  // The peer has given a sign of life.
  void Hear() { until_lost_ = absl::InfiniteDuration(); }
  bool IsLost() const { return until_lost_ <= absl::ZeroDuration(); }
  // Returns whether a ping is due; the caller sends it. The first one without an answer counts.
  bool TakePing() {
    if (until_ping_ > absl::ZeroDuration()) return false;
    until_ping_ = ping_interval_;
    until_lost_ = std::min(until_lost_, lost_after_);
    return true;
  }

 private:
  static absl::Duration OrInfinite(absl::Duration duration) {
    return duration > absl::ZeroDuration() ? duration : absl::InfiniteDuration();
  }

  const absl::Duration ping_interval_;
  const absl::Duration lost_after_;
  absl::Duration until_ping_;
  absl::Duration until_lost_ = absl::InfiniteDuration();
};

}  // namespace

struct MessageStream::State final : public Connection::Events {
  State(std::unique_ptr<io::DuplexStream> carrier, const MessageStreamOptions& options)
      : stream(std::move(carrier)),
        writer(*stream),
        connection({.role = options.role, .limits = options.limits}, *this),
        lost_after(options.lost_after),
        heartbeat(options.ping_interval, options.lost_after) {}

  void OnMessage(const Message& message) override {
    received.push_back({.type = message.type, .data = std::string(message.data)});
  }
  void OnClose(const Close&) override {}
  void OnPong(absl::string_view payload) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    if (payload == absl::StrCat(written_messages)) unanswered_bytes = 0;
  }

  // Waits until bytes have arrived, or until something is due. Sets `end` at the end.
  absl::Status ReceiveMore(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex);
  void Receive(std::string bytes) ABSL_LOCKS_EXCLUDED(mutex);
  void EndOfInput() ABSL_LOCKS_EXCLUDED(mutex);
  // Ends reading and writing.
  void Fail(absl::Status status) ABSL_LOCKS_EXCLUDED(mutex);
  void FailLocked(absl::Status status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void SendPing() ABSL_LOCKS_EXCLUDED(mutex);
  bool MayBeBusy() ABSL_LOCKS_EXCLUDED(mutex);
  // Returns whether something remains to be sent.
  bool SendAnswers() ABSL_LOCKS_EXCLUDED(mutex);
  void SayFarewell(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex);

  // Appends messages to `out`; see SharedWriter::Make.
  absl::StatusOr<size_t> Append(MessageType type, absl::Span<const absl::string_view> messages,
                                std::string& out) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // Returns why the stream has ended, if that is why a call has failed, or else `status`.
  absl::Status ErrorOf(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex);

  const std::unique_ptr<io::DuplexStream> stream;
  io::SharedWriter writer;

  base::Mutex mutex;
  Connection connection ABSL_GUARDED_BY(mutex);
  // Why neither side can go on, unless it is a close frame of the peer.
  absl::Status failure ABSL_GUARDED_BY(mutex);
  // The messages so far, and the bytes of those that the peer has perhaps not got past.
  uint64_t written_messages ABSL_GUARDED_BY(mutex) = 0;
  size_t unanswered_bytes ABSL_GUARDED_BY(mutex) = 0;

  // What follows belongs to the thread that reads.
  const absl::Duration lost_after;
  Heartbeat heartbeat;
  std::vector<Received> received;
  size_t next = 0;  // of `received`
  // What Read returns after `received`: OK if the peer has closed its side with kNormal.
  std::optional<absl::Status> end;
  bool farewell_is_due = false;
};

// ---- Reading

absl::Status MessageStream::State::ReceiveMore(const Context& ctx) {
  if (heartbeat.TakePing()) SendPing();
  const absl::Duration patience =
      SendAnswers() ? std::min(heartbeat.Left(), kRetryInterval) : heartbeat.Left();
  const Context until = WithTimeout(ctx, patience);
  const base::MonotonicTime start = base::Now();
  absl::StatusOr<std::string> bytes = stream->Read(until);
  heartbeat.Pass(base::Now() - start);
  if (bytes.ok()) {
    heartbeat.Hear();
    if (bytes->empty()) {
      EndOfInput();
    } else {
      Receive(*std::move(bytes));
    }
    return absl::OkStatus();
  }
  if (ctx.done()) return ctx.status();
  if (!until.done()) {
    Fail(bytes.status());
  } else if (heartbeat.IsLost() && MayBeBusy()) {
    heartbeat.Hear();  // the next ping asks again
  } else if (heartbeat.IsLost()) {
    Fail(MakeError(CloseCode::kAbnormal,
                   absl::StrCat("the peer is lost: it has not answered a ping for ",
                                absl::FormatDuration(lost_after))));
    stream->Close();  // wakes threads that write
  }
  return absl::OkStatus();
}

void MessageStream::State::Receive(std::string bytes) {
  {
    base::MutexLock lock(mutex);
    absl::Status status = connection.Receive(bytes);
    if (!status.ok()) {
      FailLocked(std::move(status));
    } else if (connection.close_received().has_value()) {
      const Close& close = *connection.close_received();
      end = close.code == CloseCode::kNormal ? absl::OkStatus() : MakeClosedError(close);
    }
    farewell_is_due = end.has_value();
  }
  stream->Recycle(std::move(bytes));
  SendAnswers();
}

void MessageStream::State::EndOfInput() {
  base::MutexLock lock(mutex);
  FailLocked(connection.EndOfInput());
}

void MessageStream::State::Fail(absl::Status status) {
  base::MutexLock lock(mutex);
  FailLocked(std::move(status));
}

void MessageStream::State::FailLocked(absl::Status status) {
  if (failure.ok()) failure = std::move(status);
  end = io::UnsharedCopy(failure);
}

void MessageStream::State::SendPing() {
  base::MutexLock lock(mutex);
  if (writer.queued_bytes() > 0) return;  // the peer does not read at the moment
  const std::string payload = unanswered_bytes > 0 ? absl::StrCat(written_messages) : "";
  std::string frames;
  // Fails after a close frame, whose answer is awaited as that of a ping is.
  if (connection.SendPing(payload, frames).ok()) writer.Queue(frames);
}

bool MessageStream::State::MayBeBusy() {
  base::MutexLock lock(mutex);
  return unanswered_bytes > kMaxIdleBytes;
}

bool MessageStream::State::SendAnswers() {
  {
    base::MutexLock lock(mutex);
    if (writer.queued_bytes() == 0) {
      if (!connection.wants_output()) return false;
      std::string frames;
      connection.Produce(frames);
      writer.Queue(frames);
    }
  }
  writer.TrySend();
  base::MutexLock lock(mutex);
  return writer.queued_bytes() > 0 || connection.wants_output();
}

void MessageStream::State::SayFarewell(const Context& ctx) {
  if (!std::exchange(farewell_is_due, false)) return;
  const Context until = WithTimeout(ctx, kFarewellTimeout);
  bool failed = false;
  {
    base::MutexLock lock(mutex);
    std::string frames;
    connection.Produce(frames);
    writer.Queue(frames);
    failed = !failure.ok();
  }
  writer.Flush(until).IgnoreError();  // what matters is why the connection ends
  if (failed) stream->Close();        // wakes threads that write
}

absl::StatusOr<std::optional<MessageStream::Received>> MessageStream::Read(const Context& ctx) {
  State& state = *state_;
  while (state.next == state.received.size()) {
    state.received.clear();
    state.next = 0;
    if (state.end.has_value()) {
      state.SayFarewell(ctx);
      KUBE_RETURN_IF_ERROR(*state.end);
      return std::nullopt;
    }
    KUBE_RETURN_IF_ERROR(state.ReceiveMore(ctx));
    // A peer that sends nothing but pings must not keep the caller here.
    if (state.received.empty() && !state.end.has_value()) KUBE_RETURN_IF_ERROR(ctx.status());
  }
  return std::optional<Received>(std::move(state.received[state.next++]));
}

// ---- Writing

absl::StatusOr<size_t> MessageStream::State::Append(MessageType type,
                                                    absl::Span<const absl::string_view> messages,
                                                    std::string& out) {
  KUBE_RETURN_IF_ERROR(io::UnsharedCopy(failure));
  connection.Produce(out);
  const size_t kept = out.size();
  for (const absl::string_view message : messages) {
    absl::Status status = connection.SendMessage(type, message, out);
    if (status.ok()) continue;
    out.resize(kept);
    return status;
  }
  written_messages += messages.size();
  unanswered_bytes += out.size() - kept;
  return kept;
}

absl::Status MessageStream::State::ErrorOf(const absl::Status& status) {
  if (status.ok()) return status;
  base::MutexLock lock(mutex);
  return failure.ok() ? status : io::UnsharedCopy(failure);
}

absl::Status MessageStream::Write(const Context& ctx, MessageType type, absl::string_view data) {
  return WriteMessages(ctx, type, absl::MakeConstSpan(&data, 1));
}

absl::Status MessageStream::WriteMessages(const Context& ctx, MessageType type,
                                          absl::Span<const absl::string_view> messages) {
  State& state = *state_;
  return state.ErrorOf(state.writer.Write(
      ctx, state.mutex, [&state, type, messages](std::string& out) -> absl::StatusOr<size_t> {
        state.mutex.AssertHeld();
        return state.Append(type, messages, out);
      }));
}

absl::Status MessageStream::Flush(const Context& ctx) {
  return state_->ErrorOf(state_->writer.Flush(ctx));
}

// ---- The end

absl::Status MessageStream::WriteClose(const Context& ctx, const Close& close) {
  State& state = *state_;
  {
    base::MutexLock lock(state.mutex);
    KUBE_RETURN_IF_ERROR(io::UnsharedCopy(state.failure));
    std::string frames;
    KUBE_RETURN_IF_ERROR(state.connection.SendClose(close, frames));
    state.writer.Queue(frames);
  }
  return state.ErrorOf(state.writer.Send(ctx));
}

absl::Status MessageStream::Shutdown(const Context& ctx, const Close& close) {
  const absl::Status sent = WriteClose(ctx, close);
  if (absl::IsInvalidArgument(sent)) return sent;
  absl::Status status;
  while (true) {
    const absl::StatusOr<std::optional<Received>> dropped = Read(ctx);
    status = dropped.ok() ? ctx.status() : dropped.status();
    if (!status.ok() || !dropped->has_value()) break;
  }
  {
    base::MutexLock lock(state_->mutex);
    if (state_->connection.close_received().has_value()) status = absl::OkStatus();
  }
  CloseNow();
  return status;
}

void MessageStream::CloseNow() {
  {
    base::MutexLock lock(state_->mutex);
    if (state_->failure.ok()) {
      state_->failure = absl::FailedPreconditionError("websocket: the stream is closed");
    }
  }
  state_->stream->Close();
}

MessageStream::MessageStream(std::unique_ptr<io::DuplexStream> connection,
                             const MessageStreamOptions& options)
    : state_(std::make_unique<State>(std::move(connection), options)) {}

MessageStream::~MessageStream() = default;

}  // namespace kube::websocket
