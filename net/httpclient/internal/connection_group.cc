#include "net/httpclient/internal/connection_group.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/internal/active_transfer.h"
#include "net/httpclient/internal/connection.h"
#include "net/httpclient/internal/connection_planner.h"
#include "net/httpclient/internal/curl_error.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

// So long idle connections beyond the limit of them are kept.
constexpr absl::Duration kRecently = absl::Seconds(1);
// So often a request is sent elsewhere that a connection did not take, as net/http does.
constexpr int kMaxDisplaced = 6;

}  // namespace

using State = PlannedConnection::State;

ConnectionGroup::ConnectionGroup(Shared& shared, const Endpoint& endpoint,
                                 std::shared_ptr<const ConnectionOptions> connection, CURLSH* share)
    : shared_(shared),
      options_(endpoint, std::move(connection), share),
      planner_(options_.one_each(), shared.options.max_streams_per_connection) {}

ConnectionGroup::~ConnectionGroup() {
  while (!connections_.empty()) Close(*connections_.back());
}

void ConnectionGroup::MarkChanged() {
  if (!std::exchange(changed_, true)) shared_.changed_groups.push_back(this);
}

void ConnectionGroup::OnChanged(Connection& connection) {
  if (!std::exchange(connection.changed, true)) changed_connections_.push_back(&connection);
  MarkChanged();
}

// ---- Requests

void ConnectionGroup::Start(std::shared_ptr<Transfer> transfer) {
  transfers_.push_back(std::make_unique<ActiveTransfer>(shared_.loop, *this, std::move(transfer)));
  ActiveTransfer& started = *transfers_.back();
  started.index = transfers_.size() - 1;
  waiting_.push_back(&started);
  MarkChanged();
}

void ConnectionGroup::Cancel(ActiveTransfer& transfer) {
  Detach(transfer);
  Finish(transfer, absl::CancelledError("send request: given up"));
}

void ConnectionGroup::Resume(ActiveTransfer& transfer) {
  if (transfer.connection() != nullptr) transfer.connection()->Resume(transfer);
}

void ConnectionGroup::OnHeaderTimeout(ActiveTransfer& transfer) {
  Detach(transfer);
  Finish(transfer,
         MakeTransportError({.kind = TransportErrorKind::kTimeout},
                            absl::StrCat("await response of ", authority(), ": timed out")));
}

void ConnectionGroup::GiveUp() {
  while (!transfers_.empty()) {
    ActiveTransfer& transfer = *transfers_.back();
    Detach(transfer);
    Finish(transfer, ClosedError(transfer.sent()));
  }
}

// From wherever it is, before its end.
void ConnectionGroup::Detach(ActiveTransfer& transfer) {
  if (transfer.connection() == nullptr) {
    std::erase(waiting_, &transfer);
    return;
  }
  transfer.connection()->Cancel(transfer);
  Leave(transfer);
}

void ConnectionGroup::Leave(ActiveTransfer& transfer) {
  Connection& connection = *transfer.connection();
  planner_.RemoveStream(&connection);
  if (connection.streams() == 0) connection.idle_since = shared_.loop.now();
  MarkChanged();
}

void ConnectionGroup::Finish(ActiveTransfer& transfer, const absl::Status& status) {
  if (transfer.announced()) std::erase(shared_.changed_transfers, &transfer);
  transfer.Finish(status);
  const size_t index = transfer.index;
  std::swap(transfers_[index], transfers_.back());
  transfers_[index]->index = index;
  transfers_.pop_back();
}

void ConnectionGroup::FailWaiting(size_t count, const absl::Status& status) {
  for (; count > 0 && !waiting_.empty(); --count) {
    ActiveTransfer& transfer = *waiting_.front();
    waiting_.pop_front();
    Finish(transfer, status);
  }
}

// Otherwise a server that says goodbye to every connection at once would be connected to for ever.
void ConnectionGroup::DisplaceWaiting(const StreamEnd& end) {
  const size_t count = planner_.one_each() ? std::min<size_t>(1, waiting_.size()) : waiting_.size();
  const std::vector<ActiveTransfer*> displaced(
      waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  for (ActiveTransfer* transfer : displaced) {
    if (++transfer->displaced <= kMaxDisplaced) continue;
    std::erase(waiting_, transfer);
    Finish(*transfer, transfer->ErrorOf(end));
  }
}

// ---- Connections

void ConnectionGroup::Process() {
  changed_ = false;
  while (!changed_connections_.empty()) {
    Connection& connection = *changed_connections_.back();
    changed_connections_.pop_back();
    connection.changed = false;
    LookAfter(connection);
  }
  Dispatch();
}

void ConnectionGroup::Dispatch() {
  while (!waiting_.empty()) {
    const ConnectionPlanner::Choice choice = planner_.Choose(waiting_.size());
    if (choice.step == ConnectionPlanner::Step::kWait) break;
    if (choice.step == ConnectionPlanner::Step::kOpen) {
      if (Open()) continue;
      FailWaiting(waiting_.size(),
                  absl::ResourceExhaustedError("connect: out of memory, or curl has no OpenSSL"));
      break;
    }
    ActiveTransfer& transfer = *waiting_.front();
    waiting_.pop_front();
    planner_.AddStream(choice.connection);
    static_cast<Connection&>(*choice.connection).Start(transfer);
  }
}

bool ConnectionGroup::Open() {
  auto connection = std::make_unique<Connection>(shared_.loop, shared_.options, options_, *this);
  if (!connection->Open()) return false;
  planner_.Add(connection.get());
  connections_.push_back(std::move(connection));
  shared_.metrics.OnOpening();
  return true;
}

void ConnectionGroup::LookAfter(Connection& connection) {
  if (!connection.opened().has_value()) return;
  if (connection.state() == State::kOpening && !LookAtOpening(connection)) return;
  connection.Work();
  connection.TakeEnded(ended_);
  for (ActiveTransfer* transfer : ended_) {
    Leave(*transfer);
    End(*transfer, StreamEnd(*transfer->end()));
  }
  ended_.clear();
  const Session& session = connection.session();
  if (session.limit() != 0 && session.limit() != connection.limit()) {
    planner_.OnLimit(&connection, session.limit());
  }
  if (!connection.used && (session.draining() || connection.failure().has_value())) {
    DisplaceWaiting(connection.failure().value_or(
        StreamEnd{.error = TransportErrorKind::kLost,
                  .cause = "the server takes no requests on new connections"}));
  }
  if (session.draining()) planner_.OnGoingAway(&connection);
  if (connection.failure().has_value()) {
    planner_.OnGoingAway(&connection);
    EndAll(connection, StreamEnd(*connection.failure()));
  }
  if (connection.streams() == 0 && connection.state() == State::kDraining) Close(connection);
}

bool ConnectionGroup::LookAtOpening(Connection& connection) {
  const absl::Status status = *connection.opened();
  if (status.ok()) {
    planner_.OnOpened(&connection, connection.session().http_version());
    shared_.metrics.OnOpened(connection.dialer().resolved(), connection.dialer().opened());
    return true;
  }
  shared_.metrics.OnFailed();
  const bool one_each = planner_.one_each();
  Close(connection);
  // With one each there is a connection for everybody who waits; otherwise all share its fate.
  FailWaiting(one_each ? 1 : waiting_.size(), status);
  return false;
}

void ConnectionGroup::End(ActiveTransfer& transfer, const StreamEnd& end) {
  if (!end.error.has_value()) return Finish(transfer, absl::OkStatus());
  const bool refused = end.unprocessed && *end.error == TransportErrorKind::kLost;
  if ((refused || !transfer.sent()) && transfer.displaced < kMaxDisplaced) {
    transfer.Displace();
    waiting_.push_front(&transfer);
    return MarkChanged();
  }
  Finish(transfer, transfer.ErrorOf(end));
}

void ConnectionGroup::EndAll(Connection& connection, const StreamEnd& end) {
  std::vector<ActiveTransfer*> transfers;
  for (const auto& transfer : transfers_) {
    if (transfer->connection() == &connection) transfers.push_back(transfer.get());
  }
  for (ActiveTransfer* transfer : transfers) {
    Detach(*transfer);
    End(*transfer, end);
  }
}

void ConnectionGroup::Close(Connection& connection) {
  planner_.Remove(&connection);
  std::erase(changed_connections_, &connection);
  std::erase_if(connections_, [&](const auto& other) { return other.get() == &connection; });
  shared_.metrics.OnClosed();
}

void ConnectionGroup::CloseIdle(size_t keep, base::MonotonicTime since) {
  std::vector<Connection*> idle;
  for (const auto& connection : connections_) {
    if (connection->streams() == 0 && connection->state() != State::kOpening) {
      idle.push_back(connection.get());
    }
  }
  std::sort(idle.begin(), idle.end(),
            [](const Connection* a, const Connection* b) { return a->idle_since > b->idle_since; });
  const base::MonotonicTime recently = shared_.loop.now() - kRecently;
  for (size_t i = 0; i < idle.size(); ++i) {
    const base::MonotonicTime limit = i < keep ? since : std::max(since, recently);
    if (idle[i]->idle_since < limit) Close(*idle[i]);
  }
}

}  // namespace kube::httpclient::internal
