// A hostile client of HTTP/1 or HTTP/2: bytes that end anywhere, cut into pieces, taken slowly or
// not at all, with answers that come at once or late, or that switch protocols. Nothing crashes; no
// exchange stays open; requests hold no more than they may, and nothing at the end; output is
// bounded by input; and once the client sends no more and handlers have answered, the session comes
// to its end.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/server.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver::internal {
namespace {

constexpr size_t kMaxRequest = 500;
constexpr size_t kMaxMemory = 1500;

// What the first byte of an input says.
constexpr int kHttp2 = 1;
constexpr int kLate = 2;        // handlers answer some pieces later
constexpr int kSlow = 4;        // the client takes a few bytes after each piece
constexpr int kTicks = 8;       // time passes
constexpr int kHalfClose = 16;  // the client ends its side in the middle of what it would send

// Answers in each of the ways that there are, by the length of the target. What can be upgraded is,
// but for every third length: the bytes are then sent back, until the client has ended its own.
class Answers final : public Handler {
 public:
  explicit Answers(bool late) : late_(late) {}

  void Handle(std::shared_ptr<Exchange> exchange) override {
    kept_.push_back(std::move(exchange));
    if (!late_) Release();
  }
  void Release() {
    for (const auto& exchange : std::exchange(kept_, {})) Answer(*exchange);
    if (connection_ != nullptr) SendBack();
  }

 private:
  // Never blocks.
  void SendBack() {
    const Context now = WithTimeout(Context(), absl::ZeroDuration());
    while (true) {
      const absl::StatusOr<std::string> piece = connection_->Read(now);
      if (absl::IsDeadlineExceeded(piece.status())) return;
      KUBE_CHECK(piece.ok() || absl::IsUnavailable(piece.status())) << piece.status();
      if (!piece.ok() || piece->empty()) break;
      // Not everything may fit; the rest is lost.
      connection_->Write(now, *piece).IgnoreError();
    }
    if (closes_) {
      connection_ = nullptr;
    } else {
      connection_->CloseWrite().IgnoreError();
    }
  }

  void Answer(Exchange& exchange) {
    const size_t length = exchange.request().target.size();
    if (exchange.request().wants_upgrade && length % 3 != 0) {
      absl::StatusOr<std::unique_ptr<io::DuplexStream>> connection =
          exchange.SwitchProtocols({{"upgrade", "echo"}});
      KUBE_CHECK(connection.ok() || absl::IsUnavailable(connection.status()))
          << connection.status();
      if (connection.ok()) connection_ = *std::move(connection);
      closes_ = length % 2 == 0;
      if (length % 7 == 0) exchange.Abort();
      return;
    }
    switch (length % 5) {
      case 0:
        return exchange.Respond({.body = exchange.request().body});
      case 1:
        exchange.Inform(103, {});
        exchange.Write("a piece");
        return exchange.Finish({{"trailer", "t"}});
      case 2:
        exchange.Write("begun");
        return exchange.Abort();
      case 3:
        return exchange.Start(204, {});
      default:
        return;
    }
  }

  const bool late_;
  std::vector<std::shared_ptr<Exchange>> kept_;
  std::unique_ptr<io::DuplexStream> connection_;
  bool closes_ = false;  // or ends only its bytes
};

class Peer {
 public:
  explicit Peer(int flags) : flags_(flags), answers_((flags & kLate) != 0) {
    SessionEnvironment environment;
    environment.options = &options_;
    environment.handler = &answers_;
    environment.counters = &counters_;
    environment.memory = memory_;
    environment.progress = &progress_;
    environment.make_wake = [this](int32_t number) -> absl::AnyInvocable<void()> {
      return [this, number] { wakes_.push_back(number); };
    };
    session_ = (flags & kHttp2) != 0 ? MakeHttp2Session(std::move(environment))
                                     : MakeHttp1Session(std::move(environment));
  }

  void Send(absl::string_view bytes, size_t piece) {
    if ((flags_ & kHalfClose) != 0) bytes = bytes.substr(0, bytes.size() / 2);
    for (int round = 0; !bytes.empty() && !session_->finished(); ++round) {
      if (session_->wants_input()) {
        received_ += std::min(piece, bytes.size());
        session_->Receive(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
      }
      if (round % 3 == 2) answers_.Release();
      Step((flags_ & kSlow) != 0 ? 3 : 1000);
    }
  }

  void End() {
    session_->EndOfInput();
    for (int round = 0; !session_->finished(); ++round) {
      KUBE_CHECK(round < 10'000) << "the session does not end";
      answers_.Release();
      Step(1000);
    }
    session_->Close(absl::CancelledError("the end"));
    answers_.Release();
    KUBE_CHECK_EQ(counters_.exchanges.load(), 0);
    session_.reset();
    KUBE_CHECK_EQ(memory_->used(), 0u);
  }

 private:
  void Step(size_t room) {
    for (const int32_t number : std::exchange(wakes_, {})) session_->Wake(number);
    if ((flags_ & kTicks) != 0) {
      now_ = now_ + absl::Seconds(10);
      session_->OnTick(now_);
    }
    out_.clear();
    session_->Produce(out_, room);
    session_->OnOutputSent();
    sent_ += out_.size();
    (void)session_->output_ended();
    (void)session_->drops_output();
    (void)session_->activity();
    (void)session_->awaits_handler();
    KUBE_CHECK_LE(memory_->used(), kMaxMemory);
    KUBE_CHECK_LE(sent_, 4096 + 64 * received_) << "more goes out than is asked for";
  }

  const int flags_;
  const ServerOptions options_ = {.max_header_bytes = kMaxRequest, .max_body_bytes = kMaxRequest};
  const std::shared_ptr<MemoryLimit> memory_ = std::make_shared<MemoryLimit>(kMaxMemory);
  Counters counters_;
  Answers answers_;
  Progress progress_;
  std::vector<int32_t> wakes_;
  base::MonotonicTime now_;
  std::string out_;
  size_t received_ = 0;
  size_t sent_ = 0;
  std::unique_ptr<Session> session_;
};

}  // namespace
}  // namespace kube::httpserver::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  kube::httpserver::internal::Peer peer(data[0]);
  peer.Send({reinterpret_cast<const char*>(data) + 2, size - 2}, size_t{1} + data[1]);
  peer.End();
  return 0;
}
