#include "net/httpclient/testing/raw_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient {
namespace {

SSL_CTX* MakeTls(const certificates::CertificateAuthority& authority) {
  const auto issued = authority.Issue(
      {.common_name = "server", .dns_names = {"localhost"}, .ip_addresses = {"127.0.0.1"}});
  KUBE_CHECK(issued.ok()) << issued.status();
  SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
  BIO* bio =
      BIO_new_mem_buf(issued->certificate.data(), static_cast<int>(issued->certificate.size()));
  X509* const certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  KUBE_CHECK(SSL_CTX_use_certificate(context, certificate) == 1);
  X509_free(certificate);
  BIO_free(bio);
  const absl::string_view text = issued->key.Reveal();
  bio = BIO_new_mem_buf(text.data(), static_cast<int>(text.size()));
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
  KUBE_CHECK(SSL_CTX_use_PrivateKey(context, key) == 1);
  EVP_PKEY_free(key);
  BIO_free(bio);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
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

// ---- A connection

RawServer::Connection::Connection(io::FileDescriptor socket, int stop)
    : socket_(std::move(socket)), stop_(stop) {
  // What is written is sent at once, and so before a Reset. Has no effect on Unix domain sockets.
  const int on = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

RawServer::Connection::~Connection() { SSL_free(tls_); }

bool RawServer::Connection::Await(short events) {  // NOLINT: poll's type
  std::array<pollfd, 2> wait = {pollfd{socket_.get(), events, 0}, pollfd{stop_, POLLIN, 0}};
  while (::poll(wait.data(), wait.size(), -1) < 0 && errno == EINTR) {
  }
  return wait[1].revents == 0;
}

bool RawServer::Connection::AwaitTls(int result) {
  switch (SSL_get_error(tls_, result)) {
    case SSL_ERROR_WANT_READ:
      return Await(POLLIN);
    case SSL_ERROR_WANT_WRITE:
      return Await(POLLOUT);
    default:
      return false;
  }
}

bool RawServer::Connection::Encrypt(SSL_CTX* context) {
  tls_ = SSL_new(context);
  // The calls on the socket must not block, so that they end with the server.
  BIO* const bio = BIO_new_socket(socket_.get(), BIO_NOCLOSE);
  BIO_socket_nbio(socket_.get(), 1);
  SSL_set_bio(tls_, bio, bio);
  for (;;) {
    const int result = SSL_accept(tls_);
    if (result == 1) return true;
    if (!AwaitTls(result)) return false;
  }
}

std::string RawServer::Connection::Read() {
  if (!buffer_.empty()) return std::exchange(buffer_, {});
  std::array<char, 65536> bytes;
  for (;;) {
    if (tls_ != nullptr) {
      const int size = SSL_read(tls_, bytes.data(), static_cast<int>(bytes.size()));
      if (size > 0) return std::string(bytes.data(), static_cast<size_t>(size));
      if (!AwaitTls(size)) return "";
      continue;
    }
    if (!Await(POLLIN)) return "";
    const ssize_t size = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size > 0) return std::string(bytes.data(), static_cast<size_t>(size));
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) return "";
  }
}

std::string RawServer::Connection::ReadUntil(absl::string_view end) {
  std::string all;
  for (;;) {
    const size_t found = all.find(end.data(), 0, end.size());
    if (found != std::string::npos) {
      buffer_ = all.substr(found + end.size());
      all.resize(found + end.size());
      return all;
    }
    const std::string more = Read();
    if (more.empty()) return "";
    all += more;
  }
}

bool RawServer::Connection::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    if (tls_ != nullptr) {
      const int size = SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()));
      if (size > 0) {
        bytes.remove_prefix(static_cast<size_t>(size));
      } else if (!AwaitTls(size)) {
        return false;
      }
      continue;
    }
    if (!Await(POLLOUT)) return false;
    const ssize_t size =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) {
      bytes.remove_prefix(static_cast<size_t>(size));
    } else if (errno != EAGAIN && errno != EINTR) {
      return false;
    }
  }
  return true;
}

void RawServer::Connection::AwaitStop() {
  pollfd wait = {stop_, POLLIN, 0};
  while (::poll(&wait, 1, -1) < 0 && errno == EINTR) {
  }
}

void RawServer::Connection::Reset() {
  const linger now = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  socket_.Close();
}

// ---- The server

RawServer::RawServer(Serve serve, const RawServerOptions& options)
    : serve_(std::move(serve)), options_(options), authority_([] {
        auto made = certificates::CertificateAuthority::Make("raw-ca");
        KUBE_CHECK(made.ok()) << made.status();
        return *std::move(made);
      }()) {
  if (options_.tls) tls_.reset(MakeTls(authority_));
  stop_ = io::FileDescriptor(::eventfd(0, EFD_CLOEXEC));
  Listen();
  KUBE_CHECK_OK(thread_.Start(Context(), "raw-server", [this](const Context&) { Accept(); }));
}

RawServer::~RawServer() {
  ::eventfd_write(stop_.get(), 1);
  thread_.Join();
  connections_.Wait().IgnoreError();
}

void RawServer::Listen() {
  if (!options_.path.empty()) {
    listener_ = io::FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    KUBE_CHECK(options_.path.size() < sizeof(address.sun_path)) << options_.path;
    options_.path.copy(address.sun_path, options_.path.size());
    KUBE_CHECK(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0)
        << options_.path;
  } else {
    listener_ = io::FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    KUBE_CHECK(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  KUBE_CHECK(::listen(listener_.get(), 64) == 0);
}

void RawServer::Accept() {
  for (;;) {
    std::array<pollfd, 2> wait = {pollfd{listener_.get(), POLLIN, 0},
                                  pollfd{stop_.get(), POLLIN, 0}};
    ::poll(wait.data(), wait.size(), -1);
    if (wait[1].revents != 0) return;
    if (wait[0].revents == 0) continue;
    Adopt(io::FileDescriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)));
  }
}

void RawServer::Adopt(io::FileDescriptor socket) {
  ++count_;
  ++running_;
  connections_.Go("raw-server", [this, socket = std::move(socket)](const Context&) mutable {
    BlockPipeSignals();
    {
      Connection connection(std::move(socket), stop_.get());
      if (tls_ == nullptr || connection.Encrypt(tls_.get())) serve_(connection);
    }
    --running_;
    return absl::OkStatus();
  });
}

std::string RawServer::url(absl::string_view target) const {
  return absl::StrCat(options_.tls ? "https://" : "http://", "127.0.0.1:", port_, target);
}

ConnectionOptions RawServer::connection() const {
  return {.ca_certificates = authority_.certificate()};
}

}  // namespace kube::httpclient
