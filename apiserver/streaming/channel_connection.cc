#include "apiserver/streaming/channel_connection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/io/duplex_stream.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"

namespace kube::apiserver::internal {
namespace {

// How many bytes of a channel wait for their reader before no more are read.
constexpr size_t kWaitingBytes = size_t{64} << 10;
// The most bytes of one message to the client, as a kubelet sends them.
constexpr size_t kPieceBytes = size_t{32} << 10;
// golang.org/x/net/websocket accepts frames of this size.
constexpr uint64_t kMaxMessageBytes = uint64_t{32} << 20;
constexpr absl::Duration kAnswerTimeout = absl::Seconds(5);
// Announces the end of a channel, whose number follows.
constexpr unsigned char kEndOfChannel = 255;

websocket::MessageStreamOptions MessageOptions() {
  websocket::MessageStreamOptions options;
  options.role = websocket::Role::kServer;
  options.limits = {.max_frame_bytes = kMaxMessageBytes, .max_message_bytes = kMaxMessageBytes};
  // Servers of Kubernetes answer pings, and send none.
  options.ping_interval = absl::ZeroDuration();
  return options;
}

// Returns whether an error of MessageStream::Read says that the client has sent a close frame. As
// in golang.org/x/net/websocket, each of them is the end of what it sends, whatever its code is.
bool IsCloseOfClient(const absl::Status& error) {
  const std::optional<websocket::CloseCode> code = websocket::CloseCodeOf(error);
  return absl::IsUnavailable(error) && code.has_value() && *code != websocket::CloseCode::kAbnormal;
}

// A channel as a stream.
class ChannelStream final : public io::DuplexStream {
 public:
  ChannelStream(ChannelConnection& connection, size_t number)
      : connection_(connection), number_(number), closed_(WithCancel(Context())) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    CancelScope scope = WithCancel(ctx);
    const DoneCallback callback = closed_.context().OnDone([&scope] { scope.Cancel(); });
    absl::StatusOr<std::string> bytes = connection_.Read(scope.context(), number_);
    if (closed_.context().done()) return Closed();
    return bytes;
  }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    if (closed_.context().done()) return Closed();
    return connection_.Write(ctx, number_, bytes);
  }
  absl::Status Flush(const Context& ctx) override { return connection_.Flush(ctx); }
  absl::Status CloseWrite() override {
    return absl::UnimplementedError("end a channel of a WebSocket: the protocol cannot");
  }
  void Close() override { closed_.Cancel(); }

 private:
  static absl::Status Closed() {
    return absl::FailedPreconditionError("use a channel of a WebSocket: it is closed");
  }

  ChannelConnection& connection_;
  const size_t number_;
  CancelScope closed_;
};

}  // namespace

ChannelConnection::ChannelConnection(std::unique_ptr<io::DuplexStream> connection,
                                     ChannelOptions options)
    : options_(std::move(options)), messages_(std::move(connection), MessageOptions()) {
  for (const bool readable : options_.readable) {
    channels_.push_back({.arrived = {}, .readable = readable});
  }
}

ChannelConnection::~ChannelConnection() { messages_.CloseNow(); }

absl::Status ChannelConnection::Start(const Context& parent) {
  scope_ = std::make_unique<CancelScope>(WithCancel(parent));
  return reader_.Start(scope_->context(), "channels",
                       [this](const Context& ctx) { ReadMessages(ctx); });
}

std::unique_ptr<io::DuplexStream> ChannelConnection::Channel(size_t number) {
  return std::make_unique<ChannelStream>(*this, number);
}

absl::StatusOr<std::string> ChannelConnection::Read(const Context& ctx, size_t number) {
  base::MutexLock lock(mutex_);
  State& from = channels_[number];
  KUBE_RETURN_IF_ERROR(
      changed_.Wait(ctx, mutex_, [this, &from]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
        return !from.arrived.empty() || from.ended || !lost_.ok();
      }));
  if (from.arrived.empty() && !from.ended) return lost_;
  std::string bytes;
  bytes.swap(from.arrived);
  changed_.NotifyAll();
  return bytes;
}

std::string ChannelConnection::MessageOf(size_t number, absl::string_view bytes) const {
  if (options_.base64) {
    return absl::StrCat(std::string(1, static_cast<char>('0' + number)), absl::Base64Escape(bytes));
  }
  return absl::StrCat(std::string(1, static_cast<char>(number)), bytes);
}

absl::Status ChannelConnection::Write(const Context& ctx, size_t number, absl::string_view bytes) {
  const websocket::MessageType type =
      options_.base64 ? websocket::MessageType::kText : websocket::MessageType::kBinary;
  std::vector<std::string> messages = {MessageOf(number, bytes.substr(0, kPieceBytes))};
  for (size_t at = kPieceBytes; at < bytes.size(); at += kPieceBytes) {
    messages.push_back(MessageOf(number, bytes.substr(at, kPieceBytes)));
  }
  const std::vector<absl::string_view> views(messages.begin(), messages.end());
  return messages_.WriteMessages(ctx, type, views);
}

absl::Status ChannelConnection::Flush(const Context& ctx) { return messages_.Flush(ctx); }

void ChannelConnection::Drop(size_t number) {
  base::MutexLock lock(mutex_);
  channels_[number].readable = false;
  channels_[number].arrived = std::string();
  changed_.NotifyAll();
}

void ChannelConnection::Finish(const Context& ctx) {
  for (size_t i = 0; i < options_.readable.size(); ++i) Drop(i);
  // What was written goes before the close frame, however slow the client is. Meanwhile the thread
  // goes on reading: the client may have to write before it reads, and its pings are answered.
  messages_.Flush(context()).IgnoreError();
  reader_.RequestStop();
  reader_.Join();
  // Whether the client answers does not matter.
  messages_.Shutdown(WithTimeout(ctx, kAnswerTimeout)).IgnoreError();
}

void ChannelConnection::ReadMessages(const Context& ctx) {
  while (true) {
    absl::Status status = WaitForRoom(ctx);
    if (!status.ok()) return End(status);
    absl::StatusOr<std::optional<websocket::MessageStream::Received>> message = messages_.Read(ctx);
    if (!message.ok() && !IsCloseOfClient(message.status())) return End(message.status());
    if (!message.ok() || !message->has_value()) return End(absl::OkStatus());
    status = Take((*message)->data);
    if (!status.ok()) return End(status);
  }
}

absl::Status ChannelConnection::WaitForRoom(const Context& ctx) {
  base::MutexLock lock(mutex_);
  return changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return std::all_of(channels_.begin(), channels_.end(),
                       [](const State& each) { return each.arrived.size() < kWaitingBytes; });
  });
}

absl::Status ChannelConnection::Take(absl::string_view message) {
  if (message.empty()) return absl::OkStatus();
  const auto first = static_cast<unsigned char>(message[0]);
  if (options_.half_close && first == kEndOfChannel) return TakeEnd(message);
  absl::string_view data = message.substr(1);
  if (!options_.base64) {
    TakeData(first, data);
    return absl::OkStatus();
  }
  std::string decoded;
  // Upstream drops what it cannot read, too. A character below '0' is no channel either.
  if (first >= '0' && absl::Base64Unescape(data, &decoded)) {
    TakeData(static_cast<size_t>(first - '0'), decoded);
  }
  return absl::OkStatus();
}

absl::Status ChannelConnection::TakeEnd(absl::string_view message) {
  if (message.size() != 2) {
    return absl::InvalidArgumentError("a channel must follow the signal that closes it");
  }
  const size_t number = static_cast<unsigned char>(message[1]);
  base::MutexLock lock(mutex_);
  if (number >= channels_.size()) {
    return absl::InvalidArgumentError(absl::StrCat("close channel ", number, ": unknown"));
  }
  channels_[number].ended = true;
  changed_.NotifyAll();
  return absl::OkStatus();
}

void ChannelConnection::TakeData(size_t number, absl::string_view bytes) {
  base::MutexLock lock(mutex_);
  if (number >= channels_.size()) return;
  State& to = channels_[number];
  if (!to.readable || to.ended) return;
  absl::StrAppend(&to.arrived, bytes);
  changed_.NotifyAll();
}

void ChannelConnection::End(const absl::Status& why) {
  const absl::Status cause =
      absl::CancelledError(absl::StrCat("the client has gone: ", why.message()));
  {
    base::MutexLock lock(mutex_);
    if (why.ok()) {
      for (State& each : channels_) each.ended = true;
    } else {
      lost_ = cause;
    }
    changed_.NotifyAll();
  }
  scope_->Cancel(cause);
}

}  // namespace kube::apiserver::internal
