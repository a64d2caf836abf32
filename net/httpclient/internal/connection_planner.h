#ifndef NET_HTTPCLIENT_INTERNAL_CONNECTION_PLANNER_H_
#define NET_HTTPCLIENT_INTERNAL_CONNECTION_PLANNER_H_

#include <cstddef>
#include <memory>
#include <vector>

namespace kube::httpclient::internal {

// What the planner knows of a connection. The connections of its user derive from it.
class PlannedConnection {
 public:
  enum class State {
    kOpening,
    kReady,     // takes streams
    kDraining,  // takes no more streams: GOAWAY, or it has failed
  };

  virtual ~PlannedConnection() = default;

  State state() const { return state_; }
  int streams() const { return streams_; }
  int limit() const { return limit_; }

 private:
  friend class ConnectionPlanner;
  State state_ = State::kOpening;
  int streams_ = 0;
  // The number of streams that it takes; zero until the server has said.
  int limit_ = 0;
};

// Decides, for one server, which connection a request uses and when another is opened. Does no I/O
// and knows no time. Thread-compatible.
//
// An HTTP/2 server says how many streams a connection takes in its SETTINGS, which arrive first;
// until then a connection gets one stream, or as many as the previous connection took. While one
// connection is being opened, at most one more is opened, because most of the waiting requests will
// fit on the first. With HTTP/1.1, which takes one request each, as many are opened as there are
// requests. Therefore n concurrent streams never have more than ceil(n / limit) + 2 connections.
class ConnectionPlanner {
 public:
  using Connection = PlannedConnection;

  // `one_each` means that HTTP/1.1 is certain. A connection gets at most `max_streams` streams.
  ConnectionPlanner(bool one_each, int max_streams);

  enum class Step { kWait, kOpen, kUse };
  struct Choice {
    Step step = Step::kWait;
    Connection* connection = nullptr;  // set with kUse
  };
  // Decides for the first of `waiting` requests, of which there is at least one.
  Choice Choose(size_t waiting) const;

  // ---- Events

  // A connection is being opened. It must stay valid until Remove.
  void Add(Connection* connection);
  void Remove(Connection* connection);
  void AddStream(Connection* connection);
  void RemoveStream(Connection* connection);
  // The connection is open and speaks HTTP/1.1 or 2.
  void OnOpened(Connection* connection, int http_version);
  // The server takes `limit` streams on it, as its SETTINGS say. May be called again.
  void OnLimit(Connection* connection, int limit);
  void OnGoingAway(Connection* connection);

  bool one_each() const { return one_each_; }

 private:
  int Room(const Connection& connection) const;

  const int max_streams_;
  // Whether a connection takes one request at a time (HTTP/1.1). Learned from the last connection,
  // unless it is certain.
  bool one_each_;
  // The limit that a server has sent last; zero if none has.
  int likely_limit_ = 0;
  std::vector<Connection*> connections_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CONNECTION_PLANNER_H_
