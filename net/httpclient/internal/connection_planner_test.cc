#include "net/httpclient/internal/connection_planner.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"

namespace kube::httpclient::internal {
namespace {

using Step = ConnectionPlanner::Step;

// A server that allows `limit` streams on a connection, and a client that follows the planner.
class Network {
 public:
  Network(int limit, int http_version)
      : limit_(limit), http_version_(http_version), planner_(false, 1000) {}

  // Adds `requests` that do not end.
  void Start(int requests) {
    waiting_ += requests;
    Dispatch();
  }
  // Opens all connections that are being opened, and then announces their limits.
  void Open() {
    for (const auto& connection : connections_) {
      if (connection->state() != PlannedConnection::State::kOpening) continue;
      planner_.OnOpened(connection.get(), http_version_);
      Dispatch();
      if (http_version_ == 2) planner_.OnLimit(connection.get(), limit_);
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
      if (choice.step == Step::kOpen) {
        connections_.push_back(std::make_unique<PlannedConnection>());
        planner_.Add(connections_.back().get());
        continue;
      }
      planner_.AddStream(choice.connection);
      EXPECT_LE(choice.connection->streams(), limit_);
      --waiting_;
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
  EXPECT_EQ(planner.Choose(2).step, Step::kOpen);
  PlannedConnection first;
  planner.Add(&first);
  EXPECT_EQ(planner.Choose(2).step, Step::kOpen);
  PlannedConnection second;
  planner.Add(&second);
  EXPECT_EQ(planner.Choose(2).step, Step::kWait);
  planner.OnOpened(&first, 1);
  EXPECT_EQ(planner.Choose(2).connection, &first);
  planner.AddStream(&first);
  EXPECT_EQ(planner.Choose(1).step, Step::kWait);
  planner.RemoveStream(&first);
  EXPECT_EQ(planner.Choose(1).connection, &first);
}

// Until the server has announced its limit, a connection gets one stream.
TEST(ConnectionPlannerTest, TheFirstConnectionIsNotFilledBeforeItsLimitIsKnown) {
  ConnectionPlanner planner(false, 1000);
  PlannedConnection connection;
  planner.Add(&connection);
  planner.OnOpened(&connection, 2);
  EXPECT_EQ(planner.Choose(5).connection, &connection);
  planner.AddStream(&connection);
  EXPECT_EQ(planner.Choose(4).step, Step::kWait);
  planner.OnLimit(&connection, 3);
  EXPECT_EQ(planner.Choose(4).connection, &connection);
}

// A server may lower or raise its limit.
TEST(ConnectionPlannerTest, LimitsChange) {
  Network network(10, 2);
  network.Start(8);
  network.Open();
  ASSERT_EQ(network.connections(), 1);
  network.planner().OnLimit(&network.connection(0), 5);
  EXPECT_EQ(network.planner().Choose(1).step, Step::kOpen);
  network.planner().OnLimit(&network.connection(0), 20);
  EXPECT_EQ(network.planner().Choose(1).connection, &network.connection(0));
}

// After GOAWAY existing streams continue, and no new ones are added.
TEST(ConnectionPlannerTest, ConnectionsThatGoAwayTakeNothing) {
  Network network(10, 2);
  network.Start(15);
  network.Open();
  network.Open();
  ASSERT_EQ(network.connections(), 2);
  PlannedConnection& first = network.connection(0);
  EXPECT_EQ(first.limit(), 10);
  network.planner().RemoveStream(&first);
  network.planner().OnGoingAway(&first);
  EXPECT_EQ(first.state(), PlannedConnection::State::kDraining);
  EXPECT_EQ(network.planner().Choose(1).connection, &network.connection(1));
}

}  // namespace
}  // namespace kube::httpclient::internal
