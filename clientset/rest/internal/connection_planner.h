#ifndef CLIENTSET_REST_INTERNAL_CONNECTION_PLANNER_H_
#define CLIENTSET_REST_INTERNAL_CONNECTION_PLANNER_H_

#include <cstddef>
#include <memory>
#include <vector>

namespace kube::rest::internal {

// What the planner knows of a connection. Whoever carries the plan out derives from it.
class PlannedConnection {
 public:
  enum class State {
    kOpening,   // its first stream waits for it
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
  // As many as it takes, as far as is known.
  int limit_ = 0;
  // The server's limit is known to whoever counts: its SETTINGS must have come.
  bool settled_ = false;
};

// Decides, for one server, on which connection a request goes and when another is opened. Pure: no
// I/O, no time. Thread-compatible.
//
// The limit of a connection of HTTP/2 is the server's secret, until one more stream finds no place
// on it. So each is filled until that happens; what found no place is placed elsewhere. While a
// connection is being opened nothing else is, beyond a second one, for most waiting requests will
// fit on it; only HTTP/1, with one request each, opens as many as there are requests. Therefore at
// most ceil(streams / limit) + 2 connections are ever open for as many streams.
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
  // A stream is on it: it is open.
  void OnOpened(Connection* connection);
  // It is being opened again, as it had been closed meanwhile.
  void OnReopening(Connection* connection);
  // So long after OnOpened that the server's SETTINGS are here, or its first response.
  void OnSettled(Connection* connection);
  // A response came: of HTTP/1 or 2.
  void OnResponse(Connection* connection, int http_version);
  // The stream last added found no place, and was removed.
  void OnFull(Connection* connection);
  void OnGoingAway(Connection* connection);

  const std::vector<Connection*>& connections() const { return connections_; }

 private:
  int Room(const Connection& connection) const;

  const int max_streams_;
  // Whether there is one request each: HTTP/1. Learned, unless certain.
  bool one_each_;
  // HTTP/2 was seen.
  bool multiplexed_ = false;
  // The limit that was found last: so many may go on a new connection before it has settled. Zero:
  // none was found yet.
  int likely_limit_ = 0;
  std::vector<Connection*> connections_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CONNECTION_PLANNER_H_
