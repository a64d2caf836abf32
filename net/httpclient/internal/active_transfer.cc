#include "net/httpclient/internal/active_transfer.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "net/httpclient/internal/connection.h"
#include "net/httpclient/internal/connection_group.h"
#include "net/httpclient/internal/event_loop.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

ActiveTransfer::ActiveTransfer(EventLoop& loop, ConnectionGroup& group,
                               std::shared_ptr<Transfer> transfer)
    : group_(group),
      transfer_(std::move(transfer)),
      header_timer_(loop, [this] { group_.OnHeaderTimeout(*this); }) {
  transfer_->set_io(this);
}

ActiveTransfer::~ActiveTransfer() { transfer_->set_io(nullptr); }

void ActiveTransfer::Place(Connection& connection) {
  connection_ = &connection;
  const absl::Duration timeout = request().header_timeout;
  if (timeout != absl::InfiniteDuration()) {
    header_timer_.Set(header_timer_.loop().now() + timeout);
  }
}

void ActiveTransfer::Displace() {
  connection_ = nullptr;
  sent_ = false;
  end_.reset();
  ++displaced;
}

absl::Status ActiveTransfer::ErrorOf(const StreamEnd& end) const {
  const absl::string_view authority = group_.authority();
  // What TLS finds wrong was found before the request counted.
  const bool tls = end.error == TransportErrorKind::kTls;
  const absl::string_view what = tls          ? "agree on TLS with "
                                 : responded_ ? "receive from "
                                              : "await response of ";
  return MakeTransportError({.kind = *end.error, .maybe_sent = sent_ && !tls && !end.unprocessed},
                            absl::StrCat(what, authority, ": ", end.cause));
}

void ActiveTransfer::Announce() {
  if (!std::exchange(announced_, true)) group_.OnNews(*this);
}

void ActiveTransfer::OnHead(ResponseHead head) {
  responded_ = true;
  header_timer_.Cancel();
  news_.head = std::move(head);
  Announce();
}

bool ActiveTransfer::OnData(absl::string_view data) {
  // A long response: in one piece as much as comes at once.
  const size_t size = news_.data.size() + data.size();
  const size_t capacity = news_.data.capacity();
  if (size > capacity && size > Transfer::kLongBytes && capacity < Transfer::kPieceBytes) {
    std::string piece = transfer_->TakeSpare();
    piece.reserve(Transfer::kPieceBytes);
    piece += news_.data;
    news_.data = std::move(piece);
  }
  news_.data.append(data.data(), data.size());
  Announce();
  if (paused_) {
    transfer_->Count(data.size());
    return false;
  }
  paused_ = !transfer_->Reserve(data.size());
  if (paused_) group_.OnPaused();
  return !paused_;
}

void ActiveTransfer::OnEnd(StreamEnd end) {
  end_ = std::move(end);
  connection_->OnStreamEnded(*this);
}

void ActiveTransfer::Deliver() {
  announced_ = false;
  transfer_->Deliver(news_);
}

void ActiveTransfer::Finish(const absl::Status& status) {
  news_.end = status;
  Deliver();
}

}  // namespace kube::httpclient::internal
