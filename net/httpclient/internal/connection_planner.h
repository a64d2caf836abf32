#ifndef NET_HTTPCLIENT_INTERNAL_CONNECTION_PLANNER_H_
#define NET_HTTPCLIENT_INTERNAL_CONNECTION_PLANNER_H_

#include <cstddef>
#include <memory>
#include <vector>

namespace kube::httpclient::internal {

// What the planner knows of a connection. Whoever carries the plan out derives from it.
class PlannedConnection {
 public:
  enum class State {
    kOpening,
    kReady,     // takes streams
    kDraining,  // takes no more: the server said goodbye, or it is broken
  };

  virtual ~PlannedConnection() = default;

  State state() const { return state_; }
  int streams() const { return streams_; }
  int limit() const { return limit_; }

 private:
  friend class ConnectionPlanner;
  State state_ = State::kOpening;
  int streams_ = 0;
  // As many as it takes; zero: the server has not said yet.
  int limit_ = 0;
};

// Decides, for one server, on which connection a request goes and when another is opened. Pure: no
// I/O, no time. Thread-compatible.
//
// How many streams a connection of HTTP/2 takes, the server says with its first bytes (SETTINGS);
// until then it gets one, or as many as the connection before. While a connection is being opened
// nothing else is, beyond a second one, for most waiting requests will fit on it; only HTTP/1, with
// one request each, opens as many as there are requests. Therefore at most ceil(streams / limit) +
// 2 connections are ever open for as many streams.
class ConnectionPlanner {
 public:
  using Connection = PlannedConnection;

  // `one_each`: HTTP/1 is certain. At most `max_streams` on a connection.
  ConnectionPlanner(bool one_each, int max_streams);

  enum class Step { kWait, kOpen, kUse };
  struct Choice {
    Step step = Step::kWait;
    Connection* connection = nullptr;  // of kUse
  };
  // For the first of so many waiting requests.
  Choice Choose(size_t waiting) const;

  // ---- What has happened

  // A connection is being opened. The planner shares it until Remove.
  void Add(Connection* connection);
  void Remove(Connection* connection);
  void AddStream(Connection* connection);
  void RemoveStream(Connection* connection);
  // It is open, and speaks HTTP/1 or 2.
  void OnOpened(Connection* connection, int http_version);
  // The server takes so many streams on it: with its SETTINGS, and perhaps others later.
  void OnLimit(Connection* connection, int limit);
  void OnGoingAway(Connection* connection);

  bool one_each() const { return one_each_; }

 private:
  int Room(const Connection& connection) const;

  const int max_streams_;
  // Whether there is one request each: HTTP/1. Learned, unless certain.
  bool one_each_;
  // What a server said last. Zero: nothing yet.
  int likely_limit_ = 0;
  std::vector<Connection*> connections_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CONNECTION_PLANNER_H_
