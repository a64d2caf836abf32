#include "net/httpclient/internal/connection_planner.h"

#include <algorithm>
#include <cstddef>

namespace kube::httpclient::internal {

using State = PlannedConnection::State;

ConnectionPlanner::ConnectionPlanner(bool one_each, int max_streams)
    : max_streams_(std::max(1, max_streams)), one_each_(one_each) {}

ConnectionPlanner::Choice ConnectionPlanner::Choose(size_t waiting) const {
  size_t opening = 0;
  bool unsettled = false;
  Connection* best = nullptr;
  // Takes the connection with the most streams, so that the others become idle and are closed;
  // among equals the last one, which was opened most recently.
  for (Connection* connection : connections_) {
    if (connection->state_ == State::kOpening) ++opening;
    if (connection->state_ == State::kReady && connection->limit_ == 0) unsettled = true;
    if (Room(*connection) <= 0) continue;
    if (best == nullptr || connection->streams_ >= best->streams_) best = connection;
  }
  if (best != nullptr) return {.step = Step::kUse, .connection = best};
  if (one_each_) return {.step = opening < waiting ? Step::kOpen : Step::kWait};
  // A connection that is open but has no known limit yet may take all of the waiting requests.
  const size_t enough = likely_limit_ == 0 ? waiting : static_cast<size_t>(likely_limit_);
  const bool second = opening == 1 && !unsettled && waiting > enough;
  return {.step = (opening == 0 && !unsettled) || second ? Step::kOpen : Step::kWait};
}

int ConnectionPlanner::Room(const Connection& connection) const {
  if (connection.state_ != State::kReady) return 0;
  const int limit = connection.limit_ == 0 ? std::max(1, likely_limit_) : connection.limit_;
  return limit - connection.streams_;
}

void ConnectionPlanner::Add(Connection* connection) { connections_.push_back(connection); }

void ConnectionPlanner::Remove(Connection* connection) {
  connections_.erase(std::remove(connections_.begin(), connections_.end(), connection),
                     connections_.end());
}

void ConnectionPlanner::AddStream(Connection* connection) { ++connection->streams_; }

void ConnectionPlanner::RemoveStream(Connection* connection) { --connection->streams_; }

void ConnectionPlanner::OnOpened(Connection* connection, int http_version) {
  connection->state_ = State::kReady;
  one_each_ = http_version == 1;
  if (one_each_) connection->limit_ = 1;
}

void ConnectionPlanner::OnLimit(Connection* connection, int limit) {
  connection->limit_ = std::clamp(limit, 1, max_streams_);
  likely_limit_ = connection->limit_;
}

void ConnectionPlanner::OnGoingAway(Connection* connection) {
  connection->state_ = State::kDraining;
}

}  // namespace kube::httpclient::internal
