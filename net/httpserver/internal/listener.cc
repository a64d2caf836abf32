#include "net/httpserver/internal/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/status.h"
#include "net/httpserver/internal/connection.h"
#include "net/httpserver/internal/worker.h"
#include "net/io/file_descriptor.h"

namespace kube::httpserver::internal {

// Room for a new connection: if the limit is reached and a connection waits, HasRoom asks the idle
// connection with the oldest last request to close (MakeRoom), one at a time (`making_room`), and
// the listener pauses. Whenever a connection closes or becomes idle it calls NoteRoom, which wakes
// the listener if `listener_waits` is set. That flag is set before the number of connections is
// checked again, so that a connection which closes in between is not missed. The listener also
// resumes at each tick.

namespace {

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;
};

// Go's numbers. A client whose machine has vanished is noticed after 150 seconds, also on a
// connection that no timeout applies to because it has switched protocols.
constexpr int kKeepAliveSeconds = 15;
constexpr int kKeepAliveProbes = 9;

void SetTcpOptions(int fd) {
  const auto set = [fd](int level, int option, int value) {
    ::setsockopt(fd, level, option, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);  // small events should be sent at once
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, kKeepAliveSeconds);
  set(IPPROTO_TCP, TCP_KEEPINTVL, kKeepAliveSeconds);
  set(IPPROTO_TCP, TCP_KEEPCNT, kKeepAliveProbes);
}

absl::StatusOr<SocketAddress> ParseAddress(absl::string_view text, uint16_t port) {
  const std::string address(text);
  SocketAddress parsed;
  auto& v4 = reinterpret_cast<sockaddr_in&>(parsed.storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(parsed.storage);
  if (::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    parsed.size = sizeof(v4);
    return parsed;
  }
  if (::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    parsed.size = sizeof(v6);
    return parsed;
  }
  return absl::InvalidArgumentError(absl::StrCat("invalid IP address \"", text, "\""));
}

uint16_t PortOf(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

std::string AddressText(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    return absl::StrCat("[", text.data(), "]:", PortOf(address));
  }
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
  ::inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
  return absl::StrCat(text.data(), ":", PortOf(address));
}

absl::StatusOr<ListeningSocket> Listen(absl::string_view address, uint16_t port) {
  KUBE_ASSIGN_OR_RETURN(SocketAddress to, ParseAddress(address, port));
  ListeningSocket listening;
  listening.socket = io::FileDescriptor(
      ::socket(to.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int fd = listening.socket.get();
  if (fd < 0) return absl::ErrnoToStatus(errno, "create socket");
  // A server that restarts can reuse its port although old connections linger.
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  auto* const generic = reinterpret_cast<sockaddr*>(&to.storage);
  if (::bind(fd, generic, to.size) != 0) return absl::ErrnoToStatus(errno, "bind");
  if (::listen(fd, SOMAXCONN) != 0) return absl::ErrnoToStatus(errno, "listen");
  if (::getsockname(fd, generic, &to.size) != 0) return absl::ErrnoToStatus(errno, "getsockname");
  listening.port = PortOf(to.storage);
  return listening;
}

Listener::Listener(io::FileDescriptor socket, std::vector<std::shared_ptr<Worker>> workers,
                   ServerContext& server)
    : socket_(std::move(socket)), workers_(std::move(workers)), server_(server) {}

void Listener::Start(std::shared_ptr<Listener> self) {
  workers_.front()->Add(std::move(self));
  workers_.front()->loop().Watch(socket_.get(), EPOLLIN, this);
}

void Listener::Shutdown() {
  if (!socket_.is_open()) return;
  workers_.front()->loop().Forget(socket_.get());
  socket_.Close();
  workers_.front()->Remove(this);
}

void Listener::OnEvents(int, uint32_t) {
  while (HasRoom()) {
    SocketAddress peer;
    peer.size = sizeof(peer.storage);
    io::FileDescriptor accepted(::accept4(socket_.get(), reinterpret_cast<sockaddr*>(&peer.storage),
                                          &peer.size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (accepted.is_open()) {
      Accepted(std::move(accepted), AddressText(peer.storage));
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) return;
    if (errno == EINTR || errno == ECONNABORTED) continue;
    log::Error(absl::ErrnoToStatus(errno, "accept"), "failed to accept connection");
    return Pause();
  }
  if (server_.listener_waits) Pause();
}

void Listener::OnTick(base::MonotonicTime) { Resume(); }

bool Listener::HasRoom() {
  if (!socket_.is_open()) return false;
  if (!IsFull()) return true;
  pollfd waiting = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&waiting, 1, 0) <= 0) {
    server_.listener_waits = false;
    return false;
  }
  // Set before the second check, so that every later change wakes the listener.
  server_.listener_waits = true;
  if (!IsFull()) return true;
  // Only one at a time, because the previous one may still be closing on its own thread.
  if (server_.making_room.exchange(true)) return false;
  if (const std::shared_ptr<Connection> oldest = server_.idle.TakeOldest()) {
    oldest->MakeRoom();
  } else {
    server_.making_room = false;
  }
  return false;
}

void Listener::Pause() {
  if (paused_ || !socket_.is_open()) return;
  paused_ = true;
  workers_.front()->loop().Watch(socket_.get(), 0, this);
}

void Listener::Resume() {
  if (!paused_ || !socket_.is_open()) return;
  paused_ = false;
  workers_.front()->loop().Watch(socket_.get(), EPOLLIN, this);
}

bool Listener::IsFull() const {
  const int limit = server_.options.max_connections;
  return limit > 0 && server_.counters.connections >= limit;
}

void Listener::Accepted(io::FileDescriptor socket, std::string peer_address) {
  ++server_.counters.accepted_connections;
  ++server_.counters.connections;  // until it is closed
  SetTcpOptions(socket.get());
  const std::shared_ptr<Worker> worker = workers_[next_worker_++ % workers_.size()];
  auto start = [worker, &server = server_, socket = std::move(socket),
                peer = std::move(peer_address)]() mutable {
    Connection::Start(worker, std::move(socket), std::move(peer), server);
  };
  if (worker == workers_.front()) {
    start();
  } else {
    worker->Post(std::move(start));
  }
}

}  // namespace kube::httpserver::internal
