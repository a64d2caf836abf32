#include "net/httpserver/internal/idle_connections.h"

#include <memory>

#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::httpserver::internal {

void IdleConnections::Add(base::MonotonicTime since,
                          const std::shared_ptr<Connection>& connection) {
  base::MutexLock lock(mutex_);
  listed_[Key(since, connection.get())] = connection;
}

void IdleConnections::Remove(base::MonotonicTime since, const Connection* connection) {
  base::MutexLock lock(mutex_);
  listed_.erase(Key(since, connection));
}

std::shared_ptr<Connection> IdleConnections::TakeOldest() {
  base::MutexLock lock(mutex_);
  while (!listed_.empty()) {
    std::shared_ptr<Connection> oldest = listed_.begin()->second.lock();
    listed_.erase(listed_.begin());
    if (oldest != nullptr) return oldest;
  }
  return nullptr;
}

}  // namespace kube::httpserver::internal
