#include "clientset/rest/internal/curl_group.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "clientset/rest/internal/connection_planner.h"
#include "clientset/rest/internal/curl_connection.h"
#include "clientset/rest/internal/curl_error.h"
#include "clientset/rest/internal/curl_transfer.h"
#include "clientset/rest/internal/endpoint.h"
#include "clientset/rest/internal/event_loop.h"
#include "clientset/rest/internal/transfer.h"
#include "clientset/rest/transport_error.h"

namespace kube::rest::internal {
namespace {

constexpr size_t kSpareHandles = 64;
// So long a server may not know that its only request was given up.
constexpr absl::Duration kFlushDelay = absl::Milliseconds(250);
// So long idle connections beyond the limit of them are kept.
constexpr absl::Duration kRecently = absl::Seconds(1);
// So long after a connection is open the server's SETTINGS are here, unless a response came before,
// which tells the same. Too little, and streams beyond a limit that is not known yet are refused,
// which curl tells as a loss; too much, and what waits behind a slow first request waits longer.
constexpr absl::Duration kMinSettle = absl::Milliseconds(250);
constexpr absl::Duration kMaxSettle = absl::Seconds(1);
// How exactly the deadlines of connections that are being opened are kept.
constexpr absl::Duration kOpeningTick = absl::Milliseconds(100);

absl::Duration Info(CURL* easy, CURLINFO info) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy, info, &microseconds);
  return absl::Microseconds(microseconds);
}

}  // namespace

using State = PlannedConnection::State;

CurlGroup::CurlGroup(Shared& shared, const Endpoint& endpoint,
                     std::shared_ptr<const ConnectionOptions> connection, CURLSH* share)
    : shared_(shared),
      options_(endpoint, std::move(connection), share),
      planner_(options_.one_each(), shared.options.max_streams_per_connection) {}

CurlGroup::~CurlGroup() {
  for (auto& [key, connection] : connections_) connection->changed = true;
  connections_.clear();
}

void CurlGroup::MarkChanged() {
  if (!std::exchange(changed_, true)) shared_.changed_groups.push_back(this);
}

// ---- Requests

void CurlGroup::Start(std::shared_ptr<Transfer> transfer, const Endpoint& endpoint) {
  std::unique_ptr<CurlTransfer> handle;
  if (spare_.empty()) {
    handle = std::make_unique<CurlTransfer>(shared_.loop, options_, *this, *this, shared_.options);
  } else {
    handle = std::move(spare_.back());
    spare_.pop_back();
  }
  CurlTransfer& started = *handle;
  transfer->set_io(&started);
  transfers_.emplace(&started, std::move(handle));
  const bool ok = started.Start(std::move(transfer), endpoint);
  if (!ok) return Finish(started, absl::ResourceExhaustedError("send request: out of memory"));
  waiting_.push_back(&started);
  MarkChanged();
}

void CurlGroup::Cancel(CurlTransfer& transfer) {
  Detach(transfer);
  Finish(transfer, absl::CancelledError("send request: given up"));
}

void CurlGroup::Resume(CurlTransfer& transfer) {
  if (transfer.connection() != nullptr) transfer.connection()->Resume(transfer);
}

void CurlGroup::GiveUp() {
  while (!transfers_.empty()) {
    CurlTransfer& transfer = *transfers_.begin()->first;
    const absl::Status status = ClosedError(transfer.sent());
    Detach(transfer);
    Finish(transfer, status);
  }
}

// From wherever it is, before its end.
void CurlGroup::Detach(CurlTransfer& transfer) {
  CurlConnection* const connection = transfer.connection();
  if (connection == nullptr) {
    waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), &transfer), waiting_.end());
    return;
  }
  connection->Remove(transfer);
  planner_.RemoveStream(connection);
  OnChanged(*connection);
  // Unless another request comes soon, the server learns of it by the connection's end.
  if (connection->state() == State::kReady && !connection->Flush()) {
    connection->unflushed = true;
    connection->timer()->Set(shared_.loop.now() + kFlushDelay);
  }
}

void CurlGroup::Finish(CurlTransfer& transfer, absl::Status status) {
  transfer.transfer()->set_io(nullptr);
  if (transfer.announced()) {
    auto& changed = shared_.changed_transfers;
    changed.erase(std::remove(changed.begin(), changed.end(), &transfer), changed.end());
  }
  transfer.End(std::move(status));
  const auto found = transfers_.find(&transfer);
  transfer.Reset();
  if (transfer.easy() != nullptr && !transfer.is_spoilt() && spare_.size() < kSpareHandles) {
    spare_.push_back(std::move(found->second));
  }
  transfers_.erase(found);
}

void CurlGroup::FailWaiting(const absl::Status& status) {
  while (!waiting_.empty()) {
    CurlTransfer& transfer = *waiting_.front();
    waiting_.pop_front();
    Finish(transfer, status);
  }
}

// ---- Connections

void CurlGroup::Process() {
  changed_ = false;
  while (!changed_connections_.empty()) {
    CurlConnection& connection = *changed_connections_.back();
    changed_connections_.pop_back();
    connection.changed = false;
    LookAfter(connection);
  }
  Dispatch();
}

void CurlGroup::Dispatch() {
  while (!waiting_.empty()) {
    const ConnectionPlanner::Choice choice = planner_.Choose(waiting_.size());
    if (choice.step == ConnectionPlanner::Step::kWait) break;
    if (choice.step == ConnectionPlanner::Step::kOpen) {
      if (Open()) continue;
      FailWaiting(absl::ResourceExhaustedError("connect: out of memory"));
      break;
    }
    CurlTransfer& transfer = *waiting_.front();
    waiting_.pop_front();
    auto& connection = static_cast<CurlConnection&>(*choice.connection);
    if (!waiting_.empty() && connection.limit() > 1) {
      if (connection.Cork()) corked_.push_back(&connection);
    }
    Use(connection, transfer);
  }
  for (CurlConnection* connection : corked_) connection->Uncork();
  corked_.clear();
}

// With the first that waits.
bool CurlGroup::Open() {
  auto connection = std::make_unique<CurlConnection>(shared_.loop, shared_.options, *this);
  if (!connection->ok()) return false;
  CurlConnection& opened = *connection;
  connections_.emplace(&opened, std::move(connection));
  planner_.Add(&opened);
  opened.set_timer(std::make_unique<EventLoop::Timer>(shared_.loop,
                                                      [this, &opened] { OnOpeningTimer(opened); }));
  shared_.metrics.OnOpening();
  WatchOpening(opened);
  CurlTransfer& transfer = *waiting_.front();
  waiting_.pop_front();
  planner_.AddStream(&opened);
  return opened.Add(transfer);
}

void CurlGroup::Use(CurlConnection& connection, CurlTransfer& transfer) {
  planner_.AddStream(&connection);
  connection.unflushed = false;
  if (!connection.Add(transfer)) {
    planner_.RemoveStream(&connection);
    return Finish(transfer, absl::ResourceExhaustedError("send request: out of memory"));
  }
  // Sent; or its connection had been closed and is opened again.
  if (transfer.sent() || connection.state() == State::kOpening) return;
  EndAll(connection);
  if (connection.transfers().contains(&transfer)) Displace(connection, transfer);
}

// It found no place. If it had one, but was not sent, the server has said goodbye.
void CurlGroup::Displace(CurlConnection& connection, CurlTransfer& transfer) {
  const bool going_away = transfer.placed();
  connection.Remove(transfer);
  planner_.RemoveStream(&connection);
  going_away ? planner_.OnGoingAway(&connection) : planner_.OnFull(&connection);
  transfer.Restart();
  waiting_.push_front(&transfer);
}

void CurlGroup::LookAfter(CurlConnection& connection) {
  EndAll(connection);
  if (!connection.transfers().empty()) return;
  if (!connection.has_socket() || connection.state() != State::kReady) Close(connection);
}

void CurlGroup::EndAll(CurlConnection& connection) {
  absl::Status broken;
  for (const CurlConnection::Ended& ended : connection.TakeEnded()) {
    if (ended.transfer->displaced() && !ended.transfer->sent()) {
      Displace(connection, *ended.transfer);
      continue;
    }
    if (BreaksConnection(ended.code) && connection.state() != State::kOpening) {
      broken = ended.transfer->StatusOf(ended.code);
    }
    EndOne(connection, *ended.transfer, ended.code);
  }
  if (!broken.ok()) Break(connection, broken);
}

void CurlGroup::EndOne(CurlConnection& connection, CurlTransfer& transfer, CURLcode code) {
  const absl::Status status = transfer.StatusOf(code);
  connection.Remove(transfer);
  planner_.RemoveStream(&connection);
  // Whoever waited for this connection shares its fate.
  const bool not_opened = code != CURLE_OK && connection.state() == State::kOpening;
  if (not_opened) shared_.metrics.OnFailed();
  Finish(transfer, status);
  if (!not_opened) return;
  planner_.OnGoingAway(&connection);
  FailWaiting(status);
}

void CurlGroup::Break(CurlConnection& connection, const absl::Status& cause) {
  planner_.OnGoingAway(&connection);
  const absl::Status status =
      IsConnectionLost(cause)
          ? cause
          : MakeTransportError({.kind = TransportErrorKind::kLost}, cause.message());
  while (!connection.transfers().empty()) {
    CurlTransfer& transfer = **connection.transfers().begin();
    Detach(transfer);
    Finish(transfer, status);
  }
}

void CurlGroup::Close(CurlConnection& connection) {
  if (connection.state() == State::kOpening) shared_.metrics.OnFailed();
  planner_.Remove(&connection);
  connection.changed = true;  // nobody is to look after it any more
  auto& changed = changed_connections_;
  changed.erase(std::remove(changed.begin(), changed.end(), &connection), changed.end());
  connections_.erase(&connection);
  shared_.metrics.OnClosed();
}

void CurlGroup::CloseIdle(size_t keep, base::MonotonicTime since) {
  std::vector<CurlConnection*> idle;
  for (auto& [key, connection] : connections_) {
    if (connection->transfers().empty()) idle.push_back(connection.get());
  }
  std::sort(idle.begin(), idle.end(), [](const CurlConnection* a, const CurlConnection* b) {
    return a->idle_since() > b->idle_since();
  });
  const base::MonotonicTime recently = shared_.loop.now() - kRecently;
  for (size_t i = 0; i < idle.size(); ++i) {
    const base::MonotonicTime limit = i < keep ? since : std::max(since, recently);
    if (idle[i]->idle_since() < limit) Close(*idle[i]);
  }
}

// ---- While a connection is being opened

void CurlGroup::WatchOpening(CurlConnection& connection) {
  connection.opening_since = shared_.loop.now();
  connection.connected_since = base::MonotonicTime::Infinite();
  connection.timer()->Set(connection.opening_since + kOpeningTick);
}

// Of a connection that is being opened: looks at its deadlines. Of one that is open: the server's
// SETTINGS must be here by now, or see Detach.
void CurlGroup::OnOpeningTimer(CurlConnection& connection) {
  if (connection.state() != State::kOpening) {
    planner_.OnSettled(&connection);
    if (connection.unflushed && connection.transfers().empty()) planner_.OnGoingAway(&connection);
    return OnChanged(connection);
  }
  if (connection.transfers().empty()) return;
  CurlTransfer& transfer = **connection.transfers().begin();
  const ConnectionOptions& options = options_.connection();
  const base::MonotonicTime now = shared_.loop.now();
  if (connection.connected_since.is_infinite() && connection.IsConnected()) {
    connection.connected_since = now;
  }
  const bool connected = !connection.connected_since.is_infinite();
  const bool late = connected ? now >= connection.connected_since + options.tls_handshake_timeout
                              : now >= connection.opening_since + options.connect_timeout;
  if (!late) return connection.timer()->Set(shared_.loop.now() + kOpeningTick);
  const absl::Status status =
      MakeTransportError({.kind = TransportErrorKind::kConnect, .maybe_sent = false},
                         absl::StrCat("connect to ", options_.authority(), ": ",
                                      connected ? "TLS handshake timed out" : "timed out"));
  planner_.OnGoingAway(&connection);
  shared_.metrics.OnFailed();
  Detach(transfer);
  Finish(transfer, status);
  FailWaiting(status);
}

// ---- What curl tells, in the middle of its work

void CurlGroup::OnOpening(CurlConnection& connection) {
  if (connection.state() != State::kReady) return;
  planner_.OnReopening(&connection);
  shared_.metrics.OnClosed();
  shared_.metrics.OnOpening();
  WatchOpening(connection);
}

void CurlGroup::OnPlaced(CurlTransfer& transfer) {
  CurlConnection& connection = *transfer.connection();
  if (connection.state() != State::kOpening) return;
  planner_.OnOpened(&connection);
  const absl::Duration connected = Info(transfer.easy(), CURLINFO_CONNECT_TIME_T);
  const absl::Duration resolved = Info(transfer.easy(), CURLINFO_NAMELOOKUP_TIME_T);
  shared_.metrics.OnOpened(resolved, shared_.loop.now() - connection.opening_since);
  const absl::Duration settle = std::clamp(2 * (connected - resolved), kMinSettle, kMaxSettle);
  connection.timer()->Set(shared_.loop.now() + settle);
  MarkChanged();
}

void CurlGroup::OnHead(CurlTransfer& transfer, int http_version) {
  planner_.OnResponse(transfer.connection(), options_.prior_knowledge() ? 1 : http_version);
}

void CurlGroup::OnNews(CurlTransfer& transfer) { shared_.changed_transfers.push_back(&transfer); }

void CurlGroup::OnHeaderTimeout(CurlTransfer& transfer) {
  const absl::Status status =
      MakeTransportError({.kind = TransportErrorKind::kTimeout},
                         absl::StrCat("await response of ", options_.authority(), ": timed out"));
  Detach(transfer);
  Finish(transfer, status);
}

void CurlGroup::OnSilence(CurlTransfer& transfer) {
  const absl::Status status = MakeTransportError(
      {.kind = TransportErrorKind::kLost},
      absl::StrCat("receive from ", options_.authority(), ": the end of the response is missing"));
  Detach(transfer);
  Finish(transfer, status);
}

void CurlGroup::OnChanged(CurlConnection& connection) {
  if (!std::exchange(connection.changed, true)) changed_connections_.push_back(&connection);
  MarkChanged();
}

}  // namespace kube::rest::internal
