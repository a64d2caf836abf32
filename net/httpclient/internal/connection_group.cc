#include "net/httpclient/internal/connection_group.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
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
#include "net/io/event_loop.h"

namespace kube::httpclient::internal {

// A request waits in `waiting_` until Dispatch places it on a Line (a connection), as
// ConnectionPlanner decides. It leaves the line when its stream ends, its caller gives up, its
// header timeout expires, or the line fails. If the server cannot have processed it (it was not
// sent, or the server refused it by GOAWAY), it returns to the front of the queue, at most
// kMaxDisplaced times; otherwise it ends with an error.
//
// Nothing below the group calls it directly: a connection schedules its task `changed`, a transfer
// its task `news`, and both tasks end in LookAfter. Within one round of the loop connections come
// first (Turn::kConnections), then requests that have ended (kEnds), then Dispatch (kStarts), so
// that new requests find the room that others have left. A line with state kDraining takes no more
// requests, and is closed when its last stream has left.
//
// In a group for upgrades every session drains from its first request on, so that no line is used
// again, and every line is closed that no request waits for.

namespace {

// How long idle connections above the limit are kept.
constexpr absl::Duration kRecently = absl::Seconds(1);
// How often a request is moved to another connection, as in Go's net/http.
constexpr int kMaxDisplaced = 6;

}  // namespace

using State = PlannedConnection::State;
using Turn = io::EventLoop::Turn;

struct ConnectionGroup::Line final : PlannedConnection {
  explicit Line(ConnectionGroup& group)
      : changed(group.shared_.loop, Turn::kConnections, [&group, this] { group.LookAfter(*this); }),
        connection(group.shared_.loop, group.shared_.options, group.options_, group.shared_.dials,
                   changed),
        idle_since(group.shared_.loop.now()) {}

  io::EventLoop::Task changed;
  Connection connection;
  base::MonotonicTime idle_since;
};

struct ConnectionGroup::Request {
  Request(ConnectionGroup& group, std::shared_ptr<Transfer> requested, size_t place)
      : news(group.shared_.loop, Turn::kEnds, [&group, this] { group.LookAfter(*this); }),
        transfer(group.shared_.loop, std::move(requested), news),
        index(place) {}

  io::EventLoop::Task news;
  ActiveTransfer transfer;
  Line* line = nullptr;  // null while the request waits
  size_t index;          // in the group's requests_
  int displaced = 0;     // connections that did not process it
};

ConnectionGroup::ConnectionGroup(const Shared& shared, const Endpoint& endpoint,
                                 std::shared_ptr<const ConnectionOptions> connection, CURLSH* share,
                                 bool upgrade)
    : shared_(shared),
      options_(endpoint, std::move(connection), share, upgrade),
      planner_(options_.one_each(), shared.options.max_streams_per_connection),
      dispatch_(shared.loop, Turn::kStarts, [this] { Dispatch(); }) {}

ConnectionGroup::~ConnectionGroup() {
  while (!lines_.empty()) Close(*lines_.back());
}

// ---- Requests

void ConnectionGroup::Start(std::shared_ptr<Transfer> transfer) {
  requests_.push_back(std::make_unique<Request>(*this, std::move(transfer), requests_.size()));
  waiting_.push_back(requests_.back().get());
  dispatch_.Schedule();
}

void ConnectionGroup::LookAfter(Request& request) {
  ActiveTransfer& transfer = request.transfer;
  if (transfer.TakePaused()) shared_.metrics.OnPaused();
  if (const std::optional<absl::Status> why = transfer.Interruption(authority())) {
    Detach(request);
    return Finish(request, *why);
  }
  if (transfer.end().has_value()) {
    const StreamEnd end = *transfer.end();
    Leave(request);
    return End(request, end);
  }
  if (transfer.TakeResumed() && request.line != nullptr) request.line->connection.Resume(transfer);
  if (transfer.TakeWritten() && request.line != nullptr) request.line->connection.SendMore();
  transfer.Deliver();
}

bool ConnectionGroup::busy() const {
  return std::any_of(requests_.begin(), requests_.end(),
                     [](const auto& request) { return !request->transfer.switched(); });
}

void ConnectionGroup::GiveUp() {
  while (!requests_.empty()) {
    Request& request = *requests_.back();
    Detach(request);
    Finish(request, ClosedError(request.transfer.sent()));
  }
}

void ConnectionGroup::Detach(Request& request) {
  if (request.line == nullptr) {
    std::erase(waiting_, &request);
    return CloseUnneeded();
  }
  if (!request.transfer.end().has_value()) request.line->connection.Cancel(request.transfer);
  Leave(request);
}

void ConnectionGroup::Leave(Request& request) {
  Line& line = *std::exchange(request.line, nullptr);
  planner_.RemoveStream(&line);
  if (line.streams() == 0) line.idle_since = shared_.loop.now();
  if (line.state() == State::kDraining) line.changed.Schedule();
  dispatch_.Schedule();
}

void ConnectionGroup::End(Request& request, const StreamEnd& end) {
  ActiveTransfer& transfer = request.transfer;
  if (!end.error.has_value()) return Finish(request, absl::OkStatus());
  const bool refused = end.unprocessed && *end.error == TransportErrorKind::kLost;
  if ((refused || !transfer.sent()) && request.displaced < kMaxDisplaced) {
    ++request.displaced;
    transfer.OnDisplaced();
    waiting_.push_front(&request);
    return dispatch_.Schedule();
  }
  Finish(request, transfer.ErrorOf(end, authority()));
}

void ConnectionGroup::Finish(Request& request, const absl::Status& status) {
  request.transfer.Finish(status);
  const size_t index = request.index;
  std::swap(requests_[index], requests_.back());
  requests_[index]->index = index;
  requests_.pop_back();
}

void ConnectionGroup::FailWaiting(size_t count, const absl::Status& status) {
  for (; count > 0 && !waiting_.empty(); --count) {
    Request& request = *waiting_.front();
    waiting_.pop_front();
    Finish(request, status);
  }
}

// Without this limit the group would reconnect forever to a server that sends GOAWAY on each new
// connection.
void ConnectionGroup::DisplaceWaiting(const StreamEnd& end) {
  const size_t count = planner_.one_each() ? std::min<size_t>(1, waiting_.size()) : waiting_.size();
  const std::vector<Request*> displaced(waiting_.begin(),
                                        waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  for (Request* request : displaced) {
    if (++request->displaced <= kMaxDisplaced) continue;
    std::erase(waiting_, request);
    Finish(*request, request->transfer.ErrorOf(end, authority()));
  }
}

// ---- Connections

void ConnectionGroup::Dispatch() {
  while (!waiting_.empty()) {
    const ConnectionPlanner::Choice choice = planner_.Choose(waiting_.size());
    if (choice.step == ConnectionPlanner::Step::kWait) break;
    if (choice.step == ConnectionPlanner::Step::kOpen) {
      if (Open()) continue;
      FailWaiting(waiting_.size(),
                  absl::ResourceExhaustedError(
                      "connect: out of memory or threads, or libcurl is not built with OpenSSL"));
      CloseUnneeded();
      break;
    }
    Request& request = *waiting_.front();
    waiting_.pop_front();
    planner_.AddStream(choice.connection);
    request.line = static_cast<Line*>(choice.connection);
    request.transfer.OnPlaced();
    request.line->connection.Start(request.transfer);
  }
}

bool ConnectionGroup::Open() {
  auto line = std::make_unique<Line>(*this);
  if (!line->connection.Open()) return false;
  planner_.Add(line.get());
  lines_.push_back(std::move(line));
  shared_.metrics.OnOpening();
  return true;
}

void ConnectionGroup::LookAfter(Line& line) {
  Connection& connection = line.connection;
  connection.Work();
  if (!connection.opened().has_value()) return;
  const bool has_opened = line.state() == State::kOpening;
  if (has_opened && !LookAtOpening(line)) return;
  const Session& session = connection.session();
  if (session.limit() != 0 && session.limit() != line.limit()) {
    planner_.OnLimit(&line, session.limit());
  }
  if (has_opened && (session.draining() || connection.failure().has_value())) {
    DisplaceWaiting(connection.failure().value_or(
        StreamEnd{.error = TransportErrorKind::kLost,
                  .cause = "the server accepts no requests on new connections"}));
  }
  if (session.draining()) planner_.OnGoingAway(&line);
  if (connection.failure().has_value()) {
    planner_.OnGoingAway(&line);
    EndAll(line, StreamEnd(*connection.failure()));
  }
  if (!waiting_.empty()) dispatch_.Schedule();
  if (line.streams() == 0 && line.state() == State::kDraining) Close(line);
}

bool ConnectionGroup::LookAtOpening(Line& line) {
  const absl::Status status = *line.connection.opened();
  if (status.ok()) {
    planner_.OnOpened(&line, line.connection.session().http_version());
    const Dialer& dialer = line.connection.dialer();
    shared_.metrics.OnOpened(options_.looked_up_host(), dialer.resolved(), dialer.opened());
    line.idle_since = shared_.loop.now();
    return true;
  }
  shared_.metrics.OnFailed();
  const bool one_each = planner_.one_each();
  Close(line);
  // With one request each, there is a connection for every waiting request; otherwise all of them
  // wait for this one.
  FailWaiting(one_each ? 1 : waiting_.size(), status);
  CloseUnneeded();
  dispatch_.Schedule();
  return false;
}

void ConnectionGroup::EndAll(Line& line, const StreamEnd& end) {
  std::vector<Request*> requests;
  for (const auto& request : requests_) {
    if (request->line == &line) requests.push_back(request.get());
  }
  for (Request* request : requests) {
    const StreamEnd own = request->transfer.end().value_or(end);
    Detach(*request);
    End(*request, own);
  }
}

void ConnectionGroup::Close(Line& line) {
  planner_.Remove(&line);
  std::erase_if(lines_, [&](const auto& other) { return other.get() == &line; });
  shared_.metrics.OnClosed();
}

void ConnectionGroup::CloseAll() {
  const StreamEnd closed = {.error = TransportErrorKind::kLost,
                            .cause = "closed by the client, whose certificate has changed"};
  while (!requests_.empty()) {
    Request& request = *requests_.back();
    const StreamEnd end = request.transfer.end().value_or(closed);
    Detach(request);
    Finish(request,
           end.error.has_value() ? request.transfer.ErrorOf(end, authority()) : absl::OkStatus());
  }
  while (!lines_.empty()) Close(*lines_.back());
}

void ConnectionGroup::CloseUnneeded() {
  if (!options_.upgrade() && !options_.has_dialer()) return;
  // Without HTTP/1.1 any of the connections may be the one that takes all requests.
  const bool all_needed = !planner_.one_each() && !waiting_.empty();
  size_t needed = all_needed ? lines_.size() : waiting_.size();
  std::vector<Line*> unneeded;
  for (const auto& line : lines_) {
    const bool unused =
        options_.upgrade() && line->state() == State::kReady && line->streams() == 0;
    if (line->state() != State::kOpening && !unused) continue;
    if (needed > 0) {
      --needed;
    } else {
      unneeded.push_back(line.get());
    }
  }
  for (Line* line : unneeded) Close(*line);
}

void ConnectionGroup::CloseIdle(size_t keep, base::MonotonicTime since) {
  std::vector<Line*> idle;
  for (const auto& line : lines_) {
    if (line->streams() == 0 && line->state() != State::kOpening) idle.push_back(line.get());
  }
  std::sort(idle.begin(), idle.end(),
            [](const Line* a, const Line* b) { return a->idle_since > b->idle_since; });
  const base::MonotonicTime recently = shared_.loop.now() - kRecently;
  for (size_t i = 0; i < idle.size(); ++i) {
    const base::MonotonicTime limit = i < keep ? since : std::max(since, recently);
    if (idle[i]->idle_since < limit) Close(*idle[i]);
  }
}

}  // namespace kube::httpclient::internal
