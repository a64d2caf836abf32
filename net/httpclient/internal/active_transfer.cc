#include "net/httpclient/internal/active_transfer.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/transport_error.h"
#include "net/io/event_loop.h"

namespace kube::httpclient::internal {

ActiveTransfer::ActiveTransfer(io::EventLoop& loop, std::shared_ptr<Transfer> transfer,
                               io::EventLoop::Task& news)
    : loop_(loop), transfer_(std::move(transfer)), news_task_(news), header_timer_(loop, [this] {
        timed_out_ = true;
        news_task_.Schedule();
      }) {
  transfer_->set_io(this);
}

ActiveTransfer::~ActiveTransfer() { transfer_->set_io(nullptr); }

void ActiveTransfer::Cancel() {
  cancelled_ = true;
  news_task_.Schedule();
}

void ActiveTransfer::Resume() {
  paused_ = false;
  has_resumed_ = true;
  news_task_.Schedule();
}

void ActiveTransfer::Send() {
  has_written_ = true;
  news_task_.Schedule();
}

void ActiveTransfer::OnPlaced() {
  const absl::Duration timeout = request().header_timeout;
  if (timeout != absl::InfiniteDuration()) header_timer_.Set(loop_.now() + timeout);
}

void ActiveTransfer::OnDisplaced() {
  // The time for the header runs anew on the next connection, not while the request waits for one.
  header_timer_.Cancel();
  timed_out_ = false;
  sent_ = false;
  end_.reset();
}

std::optional<absl::Status> ActiveTransfer::Interruption(absl::string_view authority) const {
  if (cancelled_) return absl::CancelledError("send request: canceled");
  if (!timed_out_) return std::nullopt;
  return MakeTransportError({.kind = TransportErrorKind::kTimeout},
                            absl::StrCat("await response from ", authority, ": timed out"));
}

absl::Status ActiveTransfer::ErrorOf(const StreamEnd& end, absl::string_view authority) const {
  // TLS errors occur before the server processes the request, so it counts as not sent.
  const bool tls = end.error == TransportErrorKind::kTls;
  const absl::string_view what = tls          ? "TLS handshake with "
                                 : switched_  ? "use connection to "
                                 : responded_ ? "read response from "
                                              : "await response from ";
  return MakeTransportError({.kind = *end.error, .maybe_sent = sent_ && !tls && !end.unprocessed},
                            absl::StrCat(what, authority, ": ", end.cause));
}

void ActiveTransfer::OnHead(ResponseHead head) {
  responded_ = true;
  switched_ = head.status == 101;
  header_timer_.Cancel();
  news_.head = std::move(head);
  news_task_.Schedule();
}

bool ActiveTransfer::OnData(absl::string_view data) {
  // A long response is collected in a buffer that takes as much as arrives at once.
  const size_t size = news_.data.size() + data.size();
  const size_t capacity = news_.data.capacity();
  if (size > capacity && size > Transfer::kLongBytes && capacity < Transfer::kPieceBytes) {
    std::string piece = transfer_->TakeSpare();
    piece.reserve(Transfer::kPieceBytes);
    piece += news_.data;
    news_.data = std::move(piece);
  }
  news_.data.append(data.data(), data.size());
  news_task_.Schedule();
  if (paused_) {
    transfer_->Count(data.size());
    return false;
  }
  paused_ = !transfer_->Reserve(data.size());
  if (paused_) has_paused_ = true;
  return !paused_;
}

void ActiveTransfer::TakeOutgoing(std::string& out) { transfer_->outgoing()->Take(out); }

void ActiveTransfer::OnEnd(StreamEnd end) {
  end_ = std::move(end);
  news_task_.Schedule();
}

void ActiveTransfer::Deliver() { transfer_->Deliver(news_); }

void ActiveTransfer::Finish(const absl::Status& status) {
  news_.end = status;
  Deliver();
}

}  // namespace kube::httpclient::internal
