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

// A port of 127.0.0.1 whose connections go on to another port, until they are lost: for clients
// whose network is to fail while the server is well. A thread for each connection. What it does not
// imitate: packets that are lost or late, connections that fall silent, one side that ends alone.
// Thread-compatible.
class Relay {
 public:
  explicit Relay(uint16_t target);
  ~Relay();

  uint16_t port() const { return port_; }

  // All connections end, at once, in the midst of what they carry.
  void Cut() ABSL_LOCKS_EXCLUDED(mutex_);
  // The same, and new ones are refused until Open, which is for a closed one. It begins open.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);
  void Open() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Accept();
  void Carry(int client);
  // False: not now. Those that are here can be cut.
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
