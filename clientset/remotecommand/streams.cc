#include "clientset/remotecommand/streams.h"

#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "net/io/file_descriptor.h"

namespace kube::remotecommand {

namespace {

// As much as one message to the server takes.
constexpr size_t kMaxReadBytes = size_t{32} << 10;

absl::Status SystemError(absl::string_view what, int fd, int error) {
  return absl::UnavailableError(
      absl::StrCat(what, " file descriptor ", fd, ": ", std::generic_category().message(error)));
}

bool IsInterruption(int error) { return error == EINTR || error == EAGAIN || error == EWOULDBLOCK; }

// Blocks until a descriptor is ready for `events`, has ended or is broken. Returns the status of
// `ctx` if that is done first.
absl::Status AwaitReady(const Context& ctx, int fd, short events) {
  if (ctx.done()) return ctx.status();
  if (fd < 0) return SystemError("wait for", fd, EBADF);  // poll would ignore it
  std::array<pollfd, 2> fds = {
      {{.fd = fd, .events = events, .revents = 0}, {.fd = -1, .events = POLLIN, .revents = 0}}};
  if (::poll(fds.data(), 1, 0) > 0) return absl::OkStatus();
  const io::FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.is_open()) return SystemError("make eventfd for", fd, errno);
  const DoneCallback done = ctx.OnDone([number = wake.get()] { ::eventfd_write(number, 1); });
  fds[1].fd = wake.get();
  while (!ctx.done()) {
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) {
      return SystemError("wait for", fd, errno);
    }
    if (fds[0].revents != 0) return absl::OkStatus();
  }
  return ctx.status();
}

absl::StatusOr<std::string> ReadSome(const Context& ctx, int fd) {
  std::string bytes(kMaxReadBytes, '\0');
  while (true) {
    KUBE_RETURN_IF_ERROR(AwaitReady(ctx, fd, POLLIN));
    const ssize_t size = ::read(fd, bytes.data(), bytes.size());
    if (size >= 0) {
      bytes.resize(static_cast<size_t>(size));
      return bytes;
    }
    // Another process may have read what was there.
    if (!IsInterruption(errno)) return SystemError("read from", fd, errno);
  }
}

absl::Status WriteAll(const Context& ctx, int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    KUBE_RETURN_IF_ERROR(AwaitReady(ctx, fd, POLLOUT));
    // A pipe that is ready takes this much without blocking.
    const ssize_t size = ::write(fd, bytes.data(), std::min(bytes.size(), size_t{PIPE_BUF}));
    if (size >= 0) {
      bytes.remove_prefix(static_cast<size_t>(size));
    } else if (!IsInterruption(errno)) {
      return SystemError("write to", fd, errno);
    }
  }
  return absl::OkStatus();
}

}  // namespace

StdinSource FromDescriptor(int fd) {
  return [fd](const Context& ctx) { return ReadSome(ctx, fd); };
}

OutputSink ToDescriptor(int fd) {
  return [fd](const Context& ctx, absl::string_view bytes) { return WriteAll(ctx, fd, bytes); };
}

}  // namespace kube::remotecommand
