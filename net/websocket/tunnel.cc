#include "net/websocket/tunnel.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "net/io/duplex_stream.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/message_stream.h"

namespace kube::websocket {
namespace {

// The size of client-go's messages. Servers take larger ones; what is between them may not.
constexpr size_t kMaxMessageBytes = size_t{32} << 10;

// How long Close waits until the peer has been told.
constexpr absl::Duration kGoodbyeTimeout = absl::Milliseconds(20);

// A context that is done: calls with it do not block.
Context NoWait() { return WithTimeout(Context(), absl::ZeroDuration()); }

class Tunnel final : public io::DuplexStream {
 public:
  explicit Tunnel(std::unique_ptr<MessageStream> messages) : messages_(std::move(messages)) {}
  ~Tunnel() override { End(); }
  Tunnel(const Tunnel&) = delete;
  Tunnel& operator=(const Tunnel&) = delete;

  absl::StatusOr<std::string> Read(const Context& ctx) override;
  absl::Status Write(const Context& ctx, absl::string_view bytes) override;
  absl::Status Flush(const Context& ctx) override { return messages_->Flush(ctx); }
  absl::Status CloseWrite() override {
    return absl::UnimplementedError("close write side of websocket tunnel: not possible");
  }
  void Close() override { End(); }

 private:
  void End() {
    // If it cannot be sent, the peer sees an abnormal end. The connection drops what it has not
    // passed on when it is closed.
    if (messages_->WriteClose(NoWait()).ok()) {
      messages_->Flush(WithTimeout(Context(), kGoodbyeTimeout)).IgnoreError();
    }
    messages_->CloseNow();
  }

  const std::unique_ptr<MessageStream> messages_;
  absl::Status failure_;  // belongs to the thread that reads
};

absl::StatusOr<std::string> Tunnel::Read(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(failure_);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(std::optional<MessageStream::Received> message, messages_->Read(ctx));
    if (!message.has_value()) return std::string();
    if (message->type == MessageType::kText) {
      failure_ = MakeError(CloseCode::kUnsupportedData, "text message in a tunnel");
      messages_->WriteClose(NoWait(), CloseFor(failure_)).IgnoreError();
      return failure_;
    }
    if (!message->data.empty()) return std::move(message->data);
    KUBE_RETURN_IF_ERROR(ctx.status());  // an empty message: no bytes would be the end
  }
}

absl::Status Tunnel::Write(const Context& ctx, absl::string_view bytes) {
  if (bytes.size() <= kMaxMessageBytes) {
    if (bytes.empty()) return absl::OkStatus();
    return messages_->Write(ctx, MessageType::kBinary, bytes);
  }
  std::vector<absl::string_view> pieces;
  for (size_t at = 0; at < bytes.size(); at += kMaxMessageBytes) {
    pieces.push_back(bytes.substr(at, kMaxMessageBytes));
  }
  return messages_->WriteMessages(ctx, MessageType::kBinary, pieces);
}

}  // namespace

std::unique_ptr<io::DuplexStream> MakeTunnel(std::unique_ptr<MessageStream> messages) {
  return std::make_unique<Tunnel>(std::move(messages));
}

}  // namespace kube::websocket
