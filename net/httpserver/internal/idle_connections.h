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

// The connections of a server for which no handler is at work, and whose clients take no answer, in
// the order of their last requests: those that can be closed to make room for new ones.
// Thread-safe.
class IdleConnections {
 public:
  // The last request of `connection` was complete, or it was accepted, at `since`.
  void Add(base::MonotonicTime since, const std::shared_ptr<Connection>& connection)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Does nothing where it has been taken.
  void Remove(base::MonotonicTime since, const Connection* connection) ABSL_LOCKS_EXCLUDED(mutex_);

  // The one that has been without a request for longest, which is not listed any more. Null: no
  // connection is idle.
  std::shared_ptr<Connection> TakeOldest() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Key = std::pair<base::MonotonicTime, const Connection*>;

  base::Mutex mutex_;
  std::map<Key, std::weak_ptr<Connection>> listed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_IDLE_CONNECTIONS_H_
