#include "clientset/portforward/internal/local_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/io/file_descriptor.h"

namespace kube::portforward::internal {
namespace {

struct Address {
  sockaddr_storage storage = {};
  socklen_t size = 0;
};

absl::StatusOr<Address> ParseAddress(const std::string& ip, uint16_t port) {
  Address address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  if (::inet_pton(AF_INET, ip.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.size = sizeof(v4);
    return address;
  }
  if (::inet_pton(AF_INET6, ip.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.size = sizeof(v6);
    return address;
  }
  return absl::InvalidArgumentError(absl::StrCat(ip, " is not a valid IP"));
}

uint16_t PortOf(const Address& address) {
  return ntohs(address.storage.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address.storage).sin_port);
}

void SetOption(int fd, int level, int option) {
  const int on = 1;
  ::setsockopt(fd, level, option, &on, sizeof(on));
}

}  // namespace

absl::StatusOr<ListeningSocket> ListenOn(const std::string& ip, uint16_t port) {
  absl::StatusOr<Address> address = ParseAddress(ip, port);
  if (!address.ok()) return address.status();
  const int family = address->storage.ss_family;
  ListeningSocket listening;
  listening.socket =
      io::FileDescriptor(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int fd = listening.socket.get();
  if (fd < 0) return absl::ErrnoToStatus(errno, "create socket");
  // As in Go, a program that restarts can reuse its port although old connections linger.
  SetOption(fd, SOL_SOCKET, SO_REUSEADDR);
  if (family == AF_INET6) SetOption(fd, IPPROTO_IPV6, IPV6_V6ONLY);
  auto* const generic = reinterpret_cast<sockaddr*>(&address->storage);
  if (::bind(fd, generic, address->size) != 0) return absl::ErrnoToStatus(errno, "bind");
  if (::listen(fd, SOMAXCONN) != 0) return absl::ErrnoToStatus(errno, "listen");
  if (::getsockname(fd, generic, &address->size) != 0) {
    return absl::ErrnoToStatus(errno, "get the address of the socket");
  }
  listening.port = PortOf(*address);
  return listening;
}

LocalSocket::LocalSocket(io::FileDescriptor socket) : socket_(std::move(socket)) {
  buffer_.resize(kBufferBytes);
  // Has no effect on a socket pair.
  SetOption(socket_.get(), IPPROTO_TCP, TCP_NODELAY);
}

absl::StatusOr<absl::string_view> LocalSocket::Read() {
  while (true) {
    const ssize_t size = ::recv(socket_.get(), buffer_.data(), buffer_.size(), 0);
    if (size >= 0) return absl::string_view(buffer_.data(), static_cast<size_t>(size));
    if (errno != EINTR) {
      return absl::UnavailableError(absl::ErrnoToStatus(errno, "read from socket").message());
    }
  }
}

absl::Status LocalSocket::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size >= 0) {
      bytes.remove_prefix(static_cast<size_t>(size));
    } else if (errno != EINTR) {
      return absl::UnavailableError(absl::ErrnoToStatus(errno, "write to socket").message());
    }
  }
  return absl::OkStatus();
}

void LocalSocket::CloseWrite() { ::shutdown(socket_.get(), SHUT_WR); }

void LocalSocket::End() { ::shutdown(socket_.get(), SHUT_RDWR); }

}  // namespace kube::portforward::internal
