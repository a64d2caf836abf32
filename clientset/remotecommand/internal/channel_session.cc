#include "clientset/remotecommand/internal/channel_session.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "clientset/remotecommand/internal/liveness.h"
#include "clientset/remotecommand/internal/spdy_channels.h"
#include "clientset/remotecommand/internal/websocket_channels.h"
#include "clientset/remotecommand/session.h"
#include "net/io/duplex_stream.h"

// Reading: the thread that reads waits for bytes, gives them to the channels, and returns the
// outputs that come out one by one; it reads again when all were returned. A slow consumer so slows
// the server down, and at most what one read has brought is kept. The wait ends when a ping is due.
//
// Writing: the bytes of a message are made under the lock, in their order, by the thread that has
// the turn, and are written without the lock, because the connection may block: a server whose
// command does not read stdin takes nothing. The thread that reads must not wait for that, or the
// server could not send the output that the command wants to write before it reads on. So it skips
// a ping or an answer if another thread has the turn, or if the connection does not take it at
// once; answers stay where they are until the next write.
namespace kube::remotecommand::internal {

namespace {

// As k8s.io/streaming.
constexpr absl::Duration kReplyTimeout = absl::Seconds(30);
// As client-go. Kubernetes' server takes each frame for a message and has a limit far above.
constexpr size_t kMaxMessageBytes = size_t{32} << 10;
// How long the thread that reads waits for the connection to take a ping or an answer.
constexpr absl::Duration kReaderPatience = absl::Milliseconds(10);
// How long saying goodbye may take.
constexpr absl::Duration kPatienceAtEnd = absl::Seconds(1);
constexpr absl::Duration kPatienceOnClose = absl::Milliseconds(20);
// The most output that may arrive before the server has accepted all streams. Kubernetes runs the
// command only then.
constexpr size_t kMaxEarlyBytes = size_t{1} << 20;
// The most answers that wait in `unsent_`. Further ones wait in the channels, which have limits of
// their own: otherwise a server that asks and does not read would fill the memory.
constexpr size_t kMaxUnsentBytes = size_t{64} << 10;

absl::Status ClosedError() { return absl::CancelledError("the session was closed"); }

std::unique_ptr<Channels> MakeChannels(const ChannelSessionOptions& options,
                                       Channels::Events& events) {
  if (options.carrier == Carrier::kSpdy) {
    return std::make_unique<SpdyChannels>(options.channels, events);
  }
  return std::make_unique<WebSocketChannels>(options.channels, events);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> OpenSession(const Context& ctx,
                                                     std::unique_ptr<io::DuplexStream> connection,
                                                     const ChannelSessionOptions& options) {
  auto session = std::make_unique<ChannelSession>(std::move(connection), options);
  KUBE_RETURN_IF_ERROR(session->Open(ctx));
  return std::unique_ptr<Session>(std::move(session));
}

ChannelSession::ChannelSession(std::unique_ptr<io::DuplexStream> connection,
                               const ChannelSessionOptions& options)
    : name_(options.name),
      protocol_(options.channels.protocol),
      connection_(std::move(connection)),
      channels_(MakeChannels(options, *this)),
      liveness_(base::Now()) {}

ChannelSession::~ChannelSession() { Close(); }

absl::Status ChannelSession::Annotated(const absl::Status& status) const {
  return base::Annotate(status, name_);
}

absl::Status ChannelSession::Open(const Context& ctx) {
  const Context limited = WithTimeout(ctx, kReplyTimeout);
  absl::Status status = Write(limited, Message::kOpen, "", Turn::kWait);
  while (status.ok()) {
    const absl::StatusOr<bool> opened = Opened();
    if (opened.ok() && *opened) return absl::OkStatus();
    status = opened.ok() ? Advance(limited) : opened.status();
  }
  if (limited.done() && !ctx.done()) {
    status = absl::DeadlineExceededError(absl::StrCat("the server has not accepted the streams in ",
                                                      absl::FormatDuration(kReplyTimeout)));
  }
  return Annotated(status);
}

absl::StatusOr<bool> ChannelSession::Opened() {
  const base::MutexLock lock(mutex_);
  KUBE_RETURN_IF_ERROR(failure_);
  size_t early_bytes = 0;
  for (const Output& output : outputs_) early_bytes += output.data.size();
  if (early_bytes > kMaxEarlyBytes) {
    return absl::ResourceExhaustedError(
        "the server sends output before it has accepted all streams");
  }
  return channels_->opened() || outcome_.has_value();
}

// ---- Reading

absl::StatusOr<std::optional<Output>> ChannelSession::Read(const Context& ctx) {
  while (!HasResult()) {
    if (const absl::Status status = Advance(ctx); !status.ok()) return Annotated(status);
  }
  return TakeResult();
}

absl::Status ChannelSession::Wait(const Context& ctx) {
  std::optional<Output> output;
  do {
    KUBE_ASSIGN_OR_RETURN(output, Read(ctx));
  } while (output.has_value());
  const base::MutexLock lock(mutex_);
  return Annotated(*outcome_);
}

bool ChannelSession::HasResult() {
  const base::MutexLock lock(mutex_);
  return !outputs_.empty() || outcome_.has_value() || closed_ || !failure_.ok();
}

absl::StatusOr<std::optional<Output>> ChannelSession::TakeResult() {
  const base::MutexLock lock(mutex_);
  if (!outputs_.empty()) {
    std::optional<Output> output = std::move(outputs_.front());
    outputs_.pop_front();
    return output;
  }
  if (outcome_.has_value()) return std::optional<Output>();
  if (closed_) return Annotated(ClosedError());
  return Annotated(failure_);
}

absl::Status ChannelSession::Advance(const Context& ctx) {
  if (ctx.done()) return ctx.status();
  KeepAlive();
  const base::MonotonicTime begin = base::Now();
  const base::MonotonicTime until = WaitUntil();
  const Context waiting = WithDeadline(ctx, until);
  absl::StatusOr<std::string> bytes = connection_->Read(waiting);
  {
    const base::MutexLock lock(mutex_);
    if (!bytes.ok() && waiting.done()) {
      // A process that was stopped for an hour has not waited for an hour: the answer may be there.
      liveness_.OnSilence(
          std::max(absl::ZeroDuration(), std::min(base::Now() - begin, until - begin)));
      if (ctx.done()) return ctx.status();
      if (!liveness_.lost()) return absl::OkStatus();
      bytes = absl::UnavailableError(absl::StrCat(
          "the connection was lost: no answer to pings for ", absl::FormatDuration(kLostAfter)));
    }
    OnRead(bytes);
  }
  if (bytes.ok()) connection_->Recycle(*std::move(bytes));
  Settle(ctx);
  return absl::OkStatus();
}

void ChannelSession::KeepAlive() {
  {
    const base::MutexLock lock(mutex_);
    const base::MonotonicTime now = base::Now();
    if (now < liveness_.next_ping()) return;
    liveness_.OnPingDue(now);
  }
  // Skipped if it blocks; and a connection that is broken tells so to the next Read.
  Write(WithTimeout(Context(), kReaderPatience), Message::kPing, "", Turn::kSkip).IgnoreError();
}

base::MonotonicTime ChannelSession::WaitUntil() {
  const base::MutexLock lock(mutex_);
  return liveness_.WaitUntil(base::Now());
}

void ChannelSession::OnRead(const absl::StatusOr<std::string>& bytes) {
  if (closed_) return;
  if (!bytes.ok() || bytes->empty()) {
    failure_ = channels_->EndOfInput(bytes.status());
    return;
  }
  liveness_.OnBytes();
  failure_ = channels_->Receive(*bytes);
}

void ChannelSession::Settle(const Context& ctx) {
  bool ended = false;
  bool failed = false;
  {
    const base::MutexLock lock(mutex_);
    ended = outcome_.has_value();
    failed = !failure_.ok();
  }
  if (ended || failed) return ShutDown(ctx, ended ? kPatienceAtEnd : kPatienceOnClose);
  Write(WithTimeout(ctx, kReaderPatience), Message::kAnswers, "", Turn::kSkip).IgnoreError();
}

void ChannelSession::OnOutput(Channel channel, absl::string_view data) {
  outputs_.push_back({.channel = channel, .data = std::string(data)});
}

void ChannelSession::OnEnd(const absl::Status& outcome) { outcome_ = outcome; }

void ChannelSession::OnPong(uint64_t number) { liveness_.OnPong(number); }

// ---- Writing

absl::Status ChannelSession::WriteStdin(const Context& ctx, absl::string_view data) {
  while (!data.empty()) {
    const absl::string_view piece = data.substr(0, kMaxMessageBytes);
    const absl::Status status = Write(ctx, Message::kStdin, piece, Turn::kWait);
    if (!status.ok()) return Annotated(base::Annotate(status, "write stdin"));
    data.remove_prefix(piece.size());
  }
  return absl::OkStatus();
}

absl::Status ChannelSession::CloseStdin(const Context& ctx) {
  return Annotated(
      base::Annotate(Write(ctx, Message::kEndOfStdin, "", Turn::kWait), "close stdin"));
}

absl::Status ChannelSession::Resize(const Context& ctx, TerminalSize size) {
  return Annotated(base::Annotate(
      Write(ctx, Message::kResize, EncodeTerminalSize(size), Turn::kWait), "resize terminal"));
}

absl::Status ChannelSession::Write(const Context& ctx, Message message, absl::string_view data,
                                   Turn turn) {
  KUBE_ASSIGN_OR_RETURN(const Batch batch, BeginWrite(ctx, message, data, turn));
  absl::Status status;
  if (!batch.bytes.empty()) status = connection_->Write(ctx, batch.bytes);
  if (status.ok() && message == Message::kGoodbye) status = connection_->Flush(ctx);
  const base::MutexLock lock(mutex_);
  writing_ = false;
  turn_.NotifyOne();
  if (status.ok()) return status;
  if (ctx.done()) {
    unsent_ = batch.bytes.substr(0, batch.kept);  // nothing was written
    return status;
  }
  liveness_.OnWriteFailed();
  // What this session has done to the connection is not the connection's fault.
  if (closed_) return ClosedError();
  if (outcome_.has_value()) return absl::FailedPreconditionError("the command has ended");
  return status;
}

absl::StatusOr<ChannelSession::Batch> ChannelSession::BeginWrite(const Context& ctx,
                                                                 Message message,
                                                                 absl::string_view data,
                                                                 Turn turn) {
  const base::MutexLock lock(mutex_);
  if (turn == Turn::kWait) {
    KUBE_RETURN_IF_ERROR(turn_.Wait(
        ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !writing_; }));
  } else if (writing_) {
    return absl::AbortedError("another thread writes");
  }
  absl::StatusOr<Batch> batch = MakeBatch(message, data);
  writing_ = batch.ok();
  if (!writing_) turn_.NotifyOne();  // the turn is the next thread's
  return batch;
}

absl::StatusOr<ChannelSession::Batch> ChannelSession::MakeBatch(Message message,
                                                                absl::string_view data) {
  if (closed_ && message != Message::kGoodbye) return ClosedError();
  Batch batch = {.bytes = std::exchange(unsent_, std::string())};
  if (batch.bytes.size() < kMaxUnsentBytes) channels_->Produce(batch.bytes);
  batch.kept = batch.bytes.size();
  if (absl::Status status = Append(message, data, batch.bytes); !status.ok()) {
    unsent_ = std::move(batch.bytes);
    return status;
  }
  if (message == Message::kEndOfStdin) batch.kept = batch.bytes.size();
  if (IsForCommand(message)) liveness_.OnData();
  return batch;
}

bool ChannelSession::IsForCommand(Message message) {
  return message == Message::kStdin || message == Message::kEndOfStdin ||
         message == Message::kResize;
}

absl::Status ChannelSession::Append(Message message, absl::string_view data, std::string& out) {
  switch (message) {
    case Message::kOpen:
      return channels_->Open(out);
    case Message::kStdin:
      return channels_->Send(Channel::kStdin, data, out);
    case Message::kEndOfStdin:
      return channels_->CloseStdin(out);
    case Message::kResize:
      return channels_->Send(Channel::kResize, data, out);
    case Message::kPing:
      liveness_.OnPing(channels_->SendPing(out));
      return absl::OkStatus();
    case Message::kAnswers:
      return absl::OkStatus();
    case Message::kGoodbye:
      channels_->Close(out);
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

// ---- The end

void ChannelSession::Close() {
  {
    const base::MutexLock lock(mutex_);
    if (closed_) return;
    closed_ = true;
    outputs_.clear();
  }
  ShutDown(Context(), kPatienceOnClose);
}

void ChannelSession::ShutDown(const Context& ctx, absl::Duration patience) {
  {
    const base::MutexLock lock(mutex_);
    if (std::exchange(shut_down_, true)) return;
  }
  // A server that cannot be told notices that the connection ends.
  Write(WithTimeout(ctx, patience), Message::kGoodbye, "", Turn::kWait).IgnoreError();
  connection_->Close();
}

}  // namespace kube::remotecommand::internal
