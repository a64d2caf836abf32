#ifndef TESTS_INTEGRATION_RELAY_H_
#define TESTS_INTEGRATION_RELAY_H_

#include <cstdint>
#include <set>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"

namespace kube::integration {

// A port of 127.0.0.1 that forwards connections to another port, and can break them: for tests in
// which the network of some clients fails while the server is well. It has a thread for each
// connection. It does not imitate lost or late packets, silent connections, and half-closed
// connections. Thread-compatible.
class Relay {
 public:
  explicit Relay(uint16_t target);
  ~Relay();

  uint16_t port() const { return port_; }

  // Breaks all connections at once, in the middle of what they carry.
  void Cut() ABSL_LOCKS_EXCLUDED(mutex_);
  // Close does the same, and refuses new connections until Open, which must only be called when
  // closed. A new relay is open.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);
  void Open() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Accept();
  void Carry(int client);
  // Enter registers a connection that can then be cut. Returns false if the relay is closed.
  bool Enter(int fd) ABSL_LOCKS_EXCLUDED(mutex_);
  void Leave(int fd) ABSL_LOCKS_EXCLUDED(mutex_);

  const uint16_t target_;
  int listener_ = -1;
  uint16_t port_ = 0;
  base::Mutex mutex_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  std::set<int> fds_ ABSL_GUARDED_BY(mutex_);
  base::ThreadGroup connections_{Context()};
  base::Thread thread_;
};

}  // namespace kube::integration

#endif  // TESTS_INTEGRATION_RELAY_H_
