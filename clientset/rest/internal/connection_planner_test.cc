#include "clientset/rest/internal/connection_planner.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using Step = ConnectionPlanner::Step;

// A server that allows so many streams on a connection, and a client that opens what it is told to.
class Network {
 public:
  Network(int limit, int http_version)
      : limit_(limit), http_version_(http_version), planner_(false, 1000) {}

  // Makes so many requests that do not end.
  void Start(int requests) {
    waiting_ += requests;
    Dispatch();
  }
  // All that are being opened are, and then have settled.
  void Open() {
    for (const auto& connection : connections_) {
      if (connection->state() != PlannedConnection::State::kOpening) continue;
      planner_.OnOpened(connection.get());
      Dispatch();
      planner_.OnResponse(connection.get(), http_version_);
    }
    Dispatch();
  }
  int streams() const {
    int streams = 0;
    for (const auto& connection : connections_) streams += connection->streams();
    return streams;
  }
  int waiting() const { return waiting_; }
  int connections() const { return static_cast<int>(connections_.size()); }
  ConnectionPlanner& planner() { return planner_; }
  PlannedConnection& connection(int i) { return *connections_[i]; }

 private:
  void Dispatch() {
    while (waiting_ > 0) {
      const ConnectionPlanner::Choice choice = planner_.Choose(waiting_);
      if (choice.step == Step::kWait) return;
      PlannedConnection* connection = choice.connection;
      if (choice.step == Step::kOpen) {
        connections_.push_back(std::make_unique<PlannedConnection>());
        connection = connections_.back().get();
        planner_.Add(connection);
      }
      planner_.AddStream(connection);
      --waiting_;
      if (connection->streams() <= limit_) continue;
      planner_.RemoveStream(connection);
      planner_.OnFull(connection);
      ++waiting_;
    }
  }

  const int limit_;
  const int http_version_;
  ConnectionPlanner planner_;
  std::vector<std::unique_ptr<PlannedConnection>> connections_;
  int waiting_ = 0;
};

TEST(ConnectionPlannerTest, FewConnections) {
  for (const int limit : {1, 3, 100, 250, 1000}) {
    for (const int requests : {1, 2, 99, 100, 101, 1200}) {
      SCOPED_TRACE(::testing::Message() << limit << " " << requests);
      Network network(limit, 2);
      network.Start(requests);
      EXPECT_EQ(network.connections(), 1);
      for (int i = 0; network.waiting() > 0; ++i) {
        ASSERT_LE(i, 2 * requests);
        network.Open();
        EXPECT_LE(network.connections(), (network.streams() + limit - 1) / limit + 2);
      }
      network.Open();
      EXPECT_EQ(network.streams(), requests);
    }
  }
}

TEST(ConnectionPlannerTest, Http1OpensAllAtOnceOnceItIsKnown) {
  Network network(1, 1);
  network.Start(50);
  EXPECT_EQ(network.connections(), 1);
  network.Open();
  EXPECT_EQ(network.connections(), 50);
  network.Open();
  EXPECT_EQ(network.waiting(), 0);
  EXPECT_EQ(network.connections(), 50);
}

TEST(ConnectionPlannerTest, Http1ThatIsCertain) {
  ConnectionPlanner planner(true, 1000);
  EXPECT_EQ(planner.Choose(1).step, Step::kOpen);
  PlannedConnection connection;
  planner.Add(&connection);
  planner.AddStream(&connection);
  EXPECT_EQ(planner.Choose(1).step, Step::kOpen);
  planner.OnOpened(&connection);
  EXPECT_EQ(planner.Choose(1).step, Step::kOpen);
  planner.RemoveStream(&connection);
  EXPECT_EQ(planner.Choose(1).connection, &connection);
}

// GOAWAY: a connection that has had room before has none.
TEST(ConnectionPlannerTest, ConnectionsThatGoAwayTakeNothing) {
  Network network(10, 2);
  network.Start(15);
  network.Open();
  network.Open();
  ASSERT_EQ(network.connections(), 2);
  PlannedConnection& first = network.connection(0);
  EXPECT_EQ(first.limit(), 10);
  network.planner().RemoveStream(&first);
  network.planner().RemoveStream(&first);
  network.planner().OnFull(&first);
  EXPECT_EQ(first.state(), PlannedConnection::State::kDraining);
  EXPECT_EQ(network.planner().Choose(1).connection, &network.connection(1));
}

}  // namespace
}  // namespace kube::rest::internal
