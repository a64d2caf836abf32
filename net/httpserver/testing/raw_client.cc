#include "net/httpserver/testing/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace kube::httpserver {

RawClient::RawClient(uint16_t port, const std::string& from)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience = {.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  if (::inet_pton(AF_INET, from.c_str(), &address.sin_addr) != 1 ||
      ::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return;
  }
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connected_ =
      ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

void RawClient::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
}

std::string RawClient::ReadUntil(absl::string_view end) {
  for (;;) {
    const size_t found = buffer_.find(end.data(), 0, end.size());
    if (found != std::string::npos) {
      std::string read = buffer_.substr(0, found + end.size());
      buffer_.erase(0, read.size());
      return read;
    }
    if (!Fill()) return std::exchange(buffer_, {});
  }
}

std::string RawClient::ReadToEnd() {
  while (Fill()) {
  }
  return std::exchange(buffer_, {});
}

bool RawClient::Fill() {
  std::array<char, 65536> bytes;
  const ssize_t size = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (size < 0) was_reset_ = errno == ECONNRESET;
  if (size <= 0) return false;
  buffer_.append(bytes.data(), static_cast<size_t>(size));
  return true;
}

void RawClient::HalfClose() { ::shutdown(socket_.get(), SHUT_WR); }

void RawClient::Reset() {
  const linger now = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  socket_.Close();
}

}  // namespace kube::httpserver
