#include "tests/integration/relay.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"

namespace kube::integration {
namespace {

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

int BoundSocket(uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const sockaddr_in address = Loopback(port);
  KUBE_CHECK(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  return fd;
}

int Connect(uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(port);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return fd;
  ::close(fd);
  return -1;
}

// Forwards one piece of data. Returns false if one of the sides has ended.
bool Pass(int from, int to) {
  std::array<char, 65536> piece;
  const ssize_t size = ::recv(from, piece.data(), piece.size(), 0);
  for (ssize_t sent = 0; sent < size;) {
    const ssize_t n =
        ::send(to, piece.data() + sent, static_cast<size_t>(size - sent), MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += n;
  }
  return size > 0;
}

}  // namespace

Relay::Relay(uint16_t target) : target_(target) {
  // A socket keeps its port when it stops listening only if the port was bound by number.
  const int finder = BoundSocket(0);
  sockaddr_in address = {};
  socklen_t size = sizeof(address);
  ::getsockname(finder, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  listener_ = BoundSocket(port_);
  ::close(finder);
  Open();
}

Relay::~Relay() {
  Close();
  connections_.Wait().IgnoreError();
  ::close(listener_);
}

void Relay::Cut() {
  base::MutexLock lock(mutex_);
  for (const int fd : fds_) ::shutdown(fd, SHUT_RDWR);
}

void Relay::Close() {
  {
    base::MutexLock lock(mutex_);
    open_ = false;
  }
  // Ends accept. The port stays reserved.
  ::shutdown(listener_, SHUT_RDWR);
  thread_.Join();
  Cut();
}

void Relay::Open() {
  {
    base::MutexLock lock(mutex_);
    open_ = true;
  }
  KUBE_CHECK(::listen(listener_, 64) == 0);
  KUBE_CHECK_OK(thread_.Start(Context(), "relay", [this](const Context&) { Accept(); }));
}

bool Relay::Enter(int fd) {
  base::MutexLock lock(mutex_);
  if (open_) fds_.insert(fd);
  return open_;
}

void Relay::Leave(int fd) {
  {
    base::MutexLock lock(mutex_);
    fds_.erase(fd);
  }
  ::close(fd);
}

void Relay::Accept() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (fd < 0) return;
    connections_.Go("relay", [this, fd](const Context&) {
      if (Enter(fd)) Carry(fd);
      Leave(fd);
      return absl::OkStatus();
    });
  }
}

void Relay::Carry(int client) {
  const int server = Connect(target_);
  if (server < 0) return;
  const int on = 1;
  for (const int fd : {client, server}) {
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  bool going = Enter(server);
  while (going) {
    std::array<pollfd, 2> wait = {pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    if (::poll(wait.data(), wait.size(), -1) < 0) continue;
    if (wait[0].revents != 0) going = Pass(client, server);
    if (going && wait[1].revents != 0) going = Pass(server, client);
  }
  Leave(server);
}

}  // namespace kube::integration
