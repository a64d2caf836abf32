#include "net/httpclient/testing/test_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/certificates/certificate_authority.h"

namespace kube::httpclient {

// A connection whose waits end when the proxy is destroyed.
class TestProxy::Connection {
 public:
  Connection(int fd, int stop) : fd_(fd), stop_(stop) {}
  ~Connection() {
    SSL_free(tls_);
    if (fd_ >= 0) ::close(fd_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int fd() const { return fd_; }
  // Returns whether TLS holds data that the socket no longer shows.
  bool pending() const { return tls_ != nullptr && SSL_pending(tls_) > 0; }

  // Does the TLS handshake. Returns false if it fails.
  bool Encrypt(SSL_CTX* context) {
    tls_ = SSL_new(context);
    SSL_set_fd(tls_, fd_);
    return SSL_accept(tls_) == 1;
  }

  // Reads more into the buffer. Returns false at the end of the connection or of the proxy.
  bool Fill() {
    std::array<pollfd, 2> wait = {pollfd{fd_, POLLIN, 0}, pollfd{stop_, POLLIN, 0}};
    while (!pending() && ::poll(wait.data(), wait.size(), -1) < 0 && errno == EINTR) {
    }
    if (wait[1].revents != 0) return false;
    std::array<char, 16384> piece;
    const ssize_t size = tls_ != nullptr
                             ? SSL_read(tls_, piece.data(), static_cast<int>(piece.size()))
                             : ::recv(fd_, piece.data(), piece.size(), 0);
    if (size <= 0) return false;
    buffer_.append(piece.data(), static_cast<size_t>(size));
    return true;
  }

  // Returns the next `size` bytes; "" if they do not arrive.
  std::string Take(size_t size) {
    while (buffer_.size() < size) {
      if (!Fill()) return "";
    }
    std::string taken = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return taken;
  }
  std::string TakeUntil(const char* end) {
    size_t found = std::string::npos;
    while ((found = buffer_.find(end)) == std::string::npos) {
      if (!Fill()) return "";
    }
    return Take(found + std::char_traits<char>::length(end));
  }
  std::string TakeAll() { return std::exchange(buffer_, {}); }

  void Send(absl::string_view bytes) {
    if (tls_ != nullptr && !bytes.empty()) {
      SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()));
      return;
    }
    while (!bytes.empty()) {
      const ssize_t size = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(size));
    }
  }

 private:
  const int fd_;
  const int stop_;
  SSL* tls_ = nullptr;
  std::string buffer_;
};

namespace {

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// Connects to this machine, whatever the host in `target`.
int Connect(absl::string_view target) {
  uint32_t port = 0;
  KUBE_CHECK(absl::SimpleAtoi(target.substr(target.rfind(':') + 1), &port));
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(static_cast<uint16_t>(port));
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return fd;
  ::close(fd);
  return -1;
}

SSL_CTX* MakeTls(const certificates::Certificate& certificate) {
  SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
  BIO* bio = BIO_new_mem_buf(certificate.certificate.data(),
                             static_cast<int>(certificate.certificate.size()));
  X509* const parsed = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  KUBE_CHECK(SSL_CTX_use_certificate(context, parsed) == 1);
  X509_free(parsed);
  BIO_free(bio);
  const absl::string_view key_text = certificate.key.Reveal();
  bio = BIO_new_mem_buf(key_text.data(), static_cast<int>(key_text.size()));
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
  KUBE_CHECK(SSL_CTX_use_PrivateKey(context, key) == 1);
  EVP_PKEY_free(key);
  BIO_free(bio);
  return context;
}

// OpenSSL does not know MSG_NOSIGNAL.
void BlockPipeSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

TestProxy::TestProxy(const TestProxyOptions& options) : options_(options) {
  if (options_.tls.has_value()) tls_.reset(MakeTls(*options_.tls));
  stop_ = ::eventfd(0, EFD_CLOEXEC);
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  KUBE_CHECK(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
  KUBE_CHECK(::listen(listener_, 64) == 0);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  KUBE_CHECK(thread_.Start(Context(), "test-proxy", [this](const Context&) { Accept(); }).ok());
}

TestProxy::~TestProxy() {
  ::eventfd_write(stop_, 1);
  thread_.Join();
  connections_.Wait().IgnoreError();
  ::close(listener_);
  ::close(stop_);
}

std::string TestProxy::url(absl::string_view user_and_password) const {
  const char* const scheme = options_.socks5 ? "socks5://" : tls_ ? "https://" : "http://";
  return absl::StrCat(scheme, user_and_password, user_and_password.empty() ? "" : "@",
                      "127.0.0.1:", port_);
}

std::vector<std::string> TestProxy::targets() const {
  base::MutexLock lock(mutex_);
  return targets_;
}

void TestProxy::Accept() {
  while (true) {
    std::array<pollfd, 2> wait = {pollfd{listener_, POLLIN, 0}, pollfd{stop_, POLLIN, 0}};
    ::poll(wait.data(), wait.size(), -1);
    if (wait[1].revents != 0) return;
    if (wait[0].revents == 0) continue;
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    connections_.Go("test-proxy", [this, fd](const Context&) {
      Connection client(fd, stop_);
      Serve(client);
      return absl::OkStatus();
    });
  }
}

void TestProxy::Serve(Connection& client) {
  BlockPipeSignals();
  if (tls_ != nullptr && !client.Encrypt(tls_.get())) return;
  if (options_.stalls) {
    while (client.Fill()) {
    }
  } else if (options_.socks5) {
    ServeSocks(client);
  } else {
    ServeHttp(client);
  }
}

void TestProxy::ServeHttp(Connection& client) {
  while (true) {
    const std::string header = client.TakeUntil("\r\n\r\n");
    if (header.empty()) return;
    const std::string allowed = absl::StrCat(
        "Proxy-Authorization: Basic ",
        absl::Base64Escape(absl::StrCat(options_.user, ":", options_.password)), "\r\n");
    if (!options_.user.empty() && !absl::StrContains(header, allowed)) {
      client.Send(
          "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
          "Content-Length: 0\r\n\r\n");
      continue;
    }
    const std::string line = header.substr(0, header.find("\r\n"));
    if (!absl::StartsWith(line, "CONNECT ")) {
      client.Send(
          absl::StrCat("HTTP/1.1 200 OK\r\nContent-Length: ", line.size(), "\r\n\r\n", line));
      continue;
    }
    if (options_.status != 0) {
      return client.Send(
          absl::StrCat("HTTP/1.1 ", options_.status, " No\r\nContent-Length: 2\r\n\r\nno"));
    }
    const std::string target = line.substr(8, line.find(' ', 8) - 8);
    {
      base::MutexLock lock(mutex_);
      targets_.push_back(target);
    }
    Connection server(Connect(target), stop_);
    if (server.fd() < 0) return client.Send("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    client.Send("HTTP/1.1 200 OK\r\n\r\n");
    return Tunnel(client, server);
  }
}

void TestProxy::ServeSocks(Connection& client) {
  using std::string_literals::operator""s;
  const auto number = [&client] { return static_cast<uint8_t>(client.Take(1).append(1, 0)[0]); };
  if (client.Take(1) != "\x05") return;
  const std::string methods = client.Take(number());
  const char wanted = options_.user.empty() ? 0 : 2;
  if (!absl::StrContains(methods, std::string(1, wanted))) return client.Send("\x05\xff");
  client.Send("\x05"s + wanted);
  if (wanted != 0) {
    client.Take(1);
    const std::string user = client.Take(number());
    const std::string password = client.Take(number());
    const bool good = user == options_.user && password == options_.password;
    client.Send(good ? "\x01\x00"s : "\x01\x01"s);
    if (!good) return;
  }
  const std::string request = client.Take(4);  // version, CONNECT, zero, kind of address
  if (request.empty()) return;
  std::string host;
  if (request[3] == 3) {
    host = client.Take(number());
  } else {
    std::array<char, INET6_ADDRSTRLEN> text = {};
    const bool v4 = request[3] == 1;
    const std::string address = client.Take(v4 ? 4 : 16);
    ::inet_ntop(v4 ? AF_INET : AF_INET6, address.data(), text.data(), text.size());
    host = text.data();
  }
  const std::string port = client.Take(2);
  if (port.empty()) return;
  const std::string target =
      absl::StrCat(host, ":", static_cast<uint8_t>(port[0]) * 256 + static_cast<uint8_t>(port[1]));
  {
    base::MutexLock lock(mutex_);
    targets_.push_back(target);
  }
  Connection server(Connect(target), stop_);
  client.Send("\x05"s + (server.fd() < 0 ? '\x05' : '\x00') + "\x00\x01\x00\x00\x00\x00\x00\x00"s);
  if (server.fd() >= 0) Tunnel(client, server);
}

void TestProxy::Tunnel(Connection& client, Connection& server) {
  const int silences = silences_;
  server.Send(client.TakeAll());
  while (true) {
    std::array<pollfd, 3> wait = {pollfd{client.fd(), POLLIN, 0}, pollfd{server.fd(), POLLIN, 0},
                                  pollfd{stop_, POLLIN, 0}};
    ::poll(wait.data(), wait.size(), client.pending() ? 0 : -1);
    while (holds_ && ::poll(&wait[2], 1, 1) == 0) {
    }
    if (silences != silences_) {
      ::poll(&wait[2], 1, -1);
      return;
    }
    if (wait[2].revents != 0) return;
    if (wait[0].revents != 0 || client.pending()) {
      if (!client.Fill()) return;
      const std::string bytes = client.TakeAll();
      server.Send(bytes);
      carried_ += static_cast<int64_t>(bytes.size());
    }
    if (wait[1].revents != 0) {
      if (!server.Fill()) return;
      client.Send(server.TakeAll());
    }
  }
}

}  // namespace kube::httpclient
