#include "net/httpclient/internal/wake_up.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "absl/status/status.h"

namespace kube::httpclient::internal {

WakeUp::~WakeUp() {
  if (fd_ >= 0) ::close(fd_);
}

absl::Status WakeUp::Open() {
  fd_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return fd_ >= 0 ? absl::OkStatus() : absl::ErrnoToStatus(errno, "create eventfd");
}

void WakeUp::Notify() const {
  const uint64_t one = 1;
  // Fails only when the counter is full, after more calls than there is time for.
  [[maybe_unused]] const ssize_t written = ::write(fd_, &one, sizeof(one));
}

}  // namespace kube::httpclient::internal
