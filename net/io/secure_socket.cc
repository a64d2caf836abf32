#include "net/io/secure_socket.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace kube::io {

// Without TLS the socket is read and written directly. With TLS, OpenSSL does it through a BIO of
// our own, which calls recv and send without raising SIGPIPE, counts what is sent, and applies the
// limit of set_sent_limit; with an https proxy the peer's TLS runs over a BIO on the proxy's TLS.
// Finish translates OpenSSL's results: WANT_READ and WANT_WRITE become kLater, every kind of closed
// connection kEnd, and the rest an error.
//
// `drained_` is set when recv returned less than asked for. Since OpenSSL reads ahead (PrepareTls),
// bytes may then still be inside it, so may_have_more also asks SSL_has_pending.

namespace {

using Kind = SecureSocket::ErrorKind;

// Bytes read from the socket at a time: four TLS records.
constexpr size_t kReadBytes = 64 << 10;

bool IsLater(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

void SetBio(SSL* tls, BIO* bio) {
  BIO_up_ref(bio);
  SSL_set0_rbio(tls, bio);
  SSL_set0_wbio(tls, bio);
}

}  // namespace

Kind SecureSocket::KindOf(int system_error) {
  switch (system_error) {
    case ECONNRESET:
    case EPIPE:
    case ECONNABORTED:
      return Kind::kReset;
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case ENETUNREACH:
      return Kind::kLost;
    default:
      return Kind::kClosed;
  }
}

void PrepareTls(SSL_CTX* context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, kReadBytes);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

// ---- A BIO over the socket, which unlike OpenSSL's own does not raise SIGPIPE

int SecureSocket::ReadBio(BIO* bio, char* buffer, int size) {
  SecureSocket& socket = *static_cast<SecureSocket*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const ssize_t count = ::recv(socket.fd_, buffer, size, 0);
  socket.drained_ = count < size;
  if (count < 0 && IsLater(errno)) BIO_set_retry_read(bio);
  return static_cast<int>(count);
}

int SecureSocket::WriteBio(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  SecureSocket& socket = *static_cast<SecureSocket*>(BIO_get_data(bio));
  const ssize_t count = socket.Send(bytes, static_cast<size_t>(size));
  if (count < 0 && IsLater(errno)) BIO_set_retry_write(bio);
  return static_cast<int>(count);
}

BIO_METHOD* SecureSocket::Method() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* const made =
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket without signals");
    BIO_meth_set_read(made, &ReadBio);
    BIO_meth_set_write(made, &WriteBio);
    BIO_meth_set_ctrl(made, [](BIO*, int command, long, void*) {  // NOLINT: OpenSSL's type
      return long{command == BIO_CTRL_FLUSH};                     // NOLINT
    });
    return made;
  }();
  return method;
}

void SecureSocket::Use(SSL* tls) {
  BIO* const bio = BIO_new(Method());
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SetBio(tls, bio);
}

// ---- The socket

ssize_t SecureSocket::Send(const char* bytes, size_t size) {
  const uint64_t allowed = sent_limit_ - std::min(sent_limit_, sent_bytes_);
  if (allowed == 0) {
    errno = EAGAIN;
    return -1;
  }
  const ssize_t count = ::send(fd_, bytes, std::min<uint64_t>(size, allowed), MSG_NOSIGNAL);
  if (count > 0) sent_bytes_ += static_cast<uint64_t>(count);
  return count;
}

SecureSocket::SecureSocket(int fd, SSL* proxy, SSL* peer)
    : fd_(fd), proxy_(proxy), tls_(peer != nullptr ? peer : proxy) {
  if (proxy != nullptr) Use(proxy);
  if (peer == nullptr) return;
  if (proxy == nullptr) {
    Use(peer);
    return;
  }
  BIO* const bio = BIO_new(BIO_f_ssl());
  BIO_set_ssl(bio, proxy, BIO_NOCLOSE);
  SetBio(peer, bio);
}

bool SecureSocket::may_have_more() const {
  if (!drained_) return true;
  return (tls_ != nullptr && SSL_has_pending(tls_) != 0) ||
         (proxy_ != nullptr && SSL_has_pending(proxy_) != 0);
}

SecureSocket::Result SecureSocket::Read(char* buffer, size_t size) {
  if (tls_ != nullptr) {
    ERR_clear_error();
    errno = 0;
    const int count = SSL_read(tls_, buffer, static_cast<int>(std::min(size, size_t{INT_MAX})));
    if (count > 0) received_ = true;
    return Finish(count);
  }
  const ssize_t count = ::recv(fd_, buffer, size, 0);
  drained_ = count < static_cast<ssize_t>(size);
  if (count > 0) return {.bytes = static_cast<size_t>(count)};
  return count == 0 ? Result{.state = State::kEnd} : FailBySystem(errno);
}

SecureSocket::Result SecureSocket::Write(absl::string_view bytes) {
  if (tls_ != nullptr) {
    ERR_clear_error();
    errno = 0;
    return Finish(
        SSL_write(tls_, bytes.data(), static_cast<int>(std::min(bytes.size(), size_t{INT_MAX}))));
  }
  const ssize_t count = Send(bytes.data(), bytes.size());
  return count >= 0 ? Result{.bytes = static_cast<size_t>(count)} : FailBySystem(errno);
}

SecureSocket::Result SecureSocket::SayGoodbye() {
  if (tls_ == nullptr || !is_ready()) return {};
  ERR_clear_error();
  errno = 0;
  const int result = SSL_shutdown(tls_);  // zero: close_notify was sent
  return result >= 0 ? Result{} : Finish(result);
}

SecureSocket::Result SecureSocket::FailBySystem(int error) {
  if (IsLater(error)) return {.state = State::kLater};
  error_ = {.kind = KindOf(error), .cause = absl::AsciiStrToLower(std::strerror(error))};
  return {.state = State::kError};
}

SecureSocket::Result SecureSocket::Finish(int result) {
  if (result > 0) return {.bytes = static_cast<size_t>(result)};
  const int system_error = errno;
  switch (SSL_get_error(tls_, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return {.state = State::kLater};
    case SSL_ERROR_ZERO_RETURN:
      return {.state = State::kEnd};
    case SSL_ERROR_SYSCALL:
      if (system_error == 0) return {.state = State::kEnd};
      return FailBySystem(system_error);
    default:
      break;
  }
  const unsigned long code = ERR_peek_error();  // NOLINT: OpenSSL's type
  ERR_clear_error();
#ifdef SSL_R_UNEXPECTED_EOF_WHILE_READING
  // Many peers close without close_notify.
  if (ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING) return {.state = State::kEnd};
#endif
  const bool alert = ERR_GET_REASON(code) > SSL_AD_REASON_OFFSET;
  const char* const reason = ERR_reason_error_string(code);
  error_ = {.kind = IsCertificateRefused(ERR_GET_REASON(code)) ? Kind::kCertificateRefused
                    : alert                                    ? Kind::kReset
                                                               : Kind::kProtocol,
            .cause = reason == nullptr ? "TLS protocol error" : reason};
  return {.state = State::kError};
}

// With TLS 1.3 the server checks the client's certificate after the client's side of the handshake
// is complete, but before it reads a request. After a later alert, or one about anything else, the
// server may have processed requests.
bool SecureSocket::IsCertificateRefused(int reason) const {
  // With two layers of TLS, an alert from the proxy is not the server's.
  const bool of_server = (SSL_get_shutdown(tls_) & SSL_RECEIVED_SHUTDOWN) != 0;
  if (received_ || !of_server) return false;
  switch (reason - SSL_AD_REASON_OFFSET) {
    case SSL_AD_BAD_CERTIFICATE:
    case SSL_AD_UNSUPPORTED_CERTIFICATE:
    case SSL_AD_CERTIFICATE_REVOKED:
    case SSL_AD_CERTIFICATE_EXPIRED:
    case SSL_AD_CERTIFICATE_UNKNOWN:
    case SSL_AD_UNKNOWN_CA:
    case SSL_AD_ACCESS_DENIED:
#ifdef SSL_AD_CERTIFICATE_REQUIRED
    case SSL_AD_CERTIFICATE_REQUIRED:
#endif
      return true;
    default:
      return false;
  }
}

absl::string_view SecureSocket::protocol() const {
  if (tls_ == nullptr) return "";
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(tls_, &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

}  // namespace kube::io
