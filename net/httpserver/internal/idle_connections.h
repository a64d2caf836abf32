#ifndef NET_HTTPSERVER_INTERNAL_IDLE_CONNECTIONS_H_
#define NET_HTTPSERVER_INTERNAL_IDLE_CONNECTIONS_H_

#include <map>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::httpserver::internal {

class Connection;

// The connections of a server that may be closed to make room for new ones, because no handler is
// working for them and no client takes an answer. Sorted by the time of their last requests.
// Thread-safe.
class IdleConnections {
 public:
  // Adds `connection`, whose last request was complete, or which was accepted, at `since`.
  void Add(base::MonotonicTime since, const std::shared_ptr<Connection>& connection)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Does nothing if the connection has been taken.
  void Remove(base::MonotonicTime since, const Connection* connection) ABSL_LOCKS_EXCLUDED(mutex_);

  // Removes and returns the connection with the oldest last request, or null if none is idle.
  std::shared_ptr<Connection> TakeOldest() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Key = std::pair<base::MonotonicTime, const Connection*>;

  base::Mutex mutex_;
  std::map<Key, std::weak_ptr<Connection>> listed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_IDLE_CONNECTIONS_H_
