#ifndef NET_HTTPCLIENT_INTERNAL_WAKE_UP_H_
#define NET_HTTPCLIENT_INTERNAL_WAKE_UP_H_

#include "absl/status/status.h"

namespace kube::httpclient::internal {

// Wakes a thread that waits in epoll: an eventfd. Notify is thread-safe.
class WakeUp {
 public:
  WakeUp() = default;
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  // Once, before all else. An error: no descriptors left.
  absl::Status Open();
  void Notify() const;
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_WAKE_UP_H_
