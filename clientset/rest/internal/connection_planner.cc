#include "clientset/rest/internal/connection_planner.h"

#include <algorithm>
#include <cstddef>

namespace kube::rest::internal {

using State = PlannedConnection::State;

ConnectionPlanner::ConnectionPlanner(bool one_each, int max_streams)
    : max_streams_(std::max(1, max_streams)), one_each_(one_each) {}

ConnectionPlanner::Choice ConnectionPlanner::Choose(size_t waiting) const {
  size_t opening = 0;
  Connection* best = nullptr;
  // The fullest, so that the others become idle and close; of those alike the last one, which was
  // used most recently.
  for (Connection* connection : connections_) {
    if (connection->state_ == State::kOpening) ++opening;
    if (Room(*connection) <= 0) continue;
    if (best == nullptr || connection->streams_ >= best->streams_) best = connection;
  }
  if (best != nullptr) return {.step = Step::kUse, .connection = best};
  // Those that are being opened have their request.
  if (one_each_) return {.step = Step::kOpen};
  // One that is open, but not settled yet, may take all that wait.
  const bool unsettled =
      std::any_of(connections_.begin(), connections_.end(), [](const Connection* connection) {
        return connection->state_ == State::kReady && !connection->settled_;
      });
  const size_t enough = likely_limit_ == 0 ? waiting : static_cast<size_t>(likely_limit_);
  const bool second = opening == 1 && !unsettled && waiting > enough;
  return {.step = (opening == 0 && !unsettled) || second ? Step::kOpen : Step::kWait};
}

int ConnectionPlanner::Room(const Connection& connection) const {
  if (connection.state_ != State::kReady) return 0;
  int limit = connection.limit_;
  if (!connection.settled_) limit = std::min(limit, std::max(1, likely_limit_));
  return limit - connection.streams_;
}

void ConnectionPlanner::Add(Connection* connection) {
  connection->limit_ = one_each_ ? 1 : max_streams_;
  connections_.push_back(connection);
}

void ConnectionPlanner::Remove(Connection* connection) {
  connections_.erase(std::remove(connections_.begin(), connections_.end(), connection),
                     connections_.end());
}

void ConnectionPlanner::AddStream(Connection* connection) { ++connection->streams_; }

void ConnectionPlanner::RemoveStream(Connection* connection) { --connection->streams_; }

void ConnectionPlanner::OnOpened(Connection* connection) {
  if (connection->state_ != State::kOpening) return;
  connection->state_ = State::kReady;
  connection->settled_ = one_each_;
}

void ConnectionPlanner::OnReopening(Connection* connection) {
  if (connection->state_ == State::kDraining) return;
  connection->state_ = State::kOpening;
  connection->settled_ = false;
  connection->limit_ = one_each_ ? 1 : max_streams_;
}

void ConnectionPlanner::OnSettled(Connection* connection) { connection->settled_ = true; }

void ConnectionPlanner::OnResponse(Connection* connection, int http_version) {
  connection->settled_ = true;
  if (http_version >= 2) {
    // A server that had spoken HTTP/1 until now: what was learned of it is wrong.
    if (!multiplexed_) likely_limit_ = 0;
    if (one_each_) connection->limit_ = max_streams_;
    multiplexed_ = true;
    one_each_ = false;
  } else {
    connection->limit_ = 1;
    multiplexed_ = false;
    one_each_ = true;
  }
}

void ConnectionPlanner::OnFull(Connection* connection) {
  // It had room for more before: the server has said goodbye.
  const bool known = connection->limit_ < max_streams_;
  if (known && connection->streams_ < connection->limit_) return OnGoingAway(connection);
  connection->limit_ = std::max(1, connection->streams_);
  likely_limit_ = connection->limit_;
  if (!multiplexed_ && connection->limit_ == 1) one_each_ = true;
}

void ConnectionPlanner::OnGoingAway(Connection* connection) {
  connection->state_ = State::kDraining;
}

}  // namespace kube::rest::internal
