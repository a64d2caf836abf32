#ifndef NET_IO_SECURE_SOCKET_H_
#define NET_IO_SECURE_SOCKET_H_

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::io {

// Reads and writes bytes on an open socket, with TLS or without, for clients and servers. Never
// blocks. Thread-compatible.
class SecureSocket {
 public:
  // `fd` is a non-blocking socket. `proxy` is the TLS with an https proxy, and `peer` the TLS with
  // the peer, which runs inside it; either may be null. A handshake that is not complete is done by
  // Read. The arguments are not owned: they must outlive this object and must not be used otherwise
  // meanwhile.
  SecureSocket(int fd, SSL* proxy, SSL* peer);
  SecureSocket(const SecureSocket&) = delete;
  SecureSocket& operator=(const SecureSocket&) = delete;

  enum class State {
    kDone,   // `bytes` were moved
    kLater,  // try again when the socket is ready; see wants_room
    kEnd,    // the peer has closed
    kError,
  };
  struct Result {
    State state = State::kDone;
    size_t bytes = 0;
  };
  Result Read(char* buffer, size_t size);
  // Writes the front of `bytes`, or all of it. After kLater the next call must begin with the same
  // bytes; it may have more. Call it only when is_ready().
  Result Write(absl::string_view bytes);
  // Sends TLS's close_notify; does nothing without TLS. Returns kLater if the socket has no room.
  Result SayGoodbye();

  bool is_secure() const { return tls_ != nullptr; }
  // Returns whether bytes may be written: the handshake is complete, or there is no TLS.
  bool is_ready() const { return tls_ == nullptr || SSL_is_init_finished(tls_) != 0; }
  // After kLater from Read: returns whether it waits until the socket can send, instead of receive.
  bool wants_room() const { return tls_ != nullptr && SSL_want_write(tls_) != 0; }
  // Returns whether another Read may return bytes now. If not, wait for the next event.
  bool may_have_more() const;

  // The number of bytes sent on the socket, including those of TLS. At `limit` the socket behaves
  // as if it had no room: test servers use it to be slow.
  uint64_t sent_bytes() const { return sent_bytes_; }
  void set_sent_limit(uint64_t limit) { sent_limit_ = limit; }

  // The error after kError.
  enum class ErrorKind {
    kClosed,              // any other error of the system
    kReset,               // ECONNRESET, EPIPE, or a TLS alert
    kLost,                // a timeout, or no route to the peer
    kProtocol,            // not valid TLS
    kCertificateRefused,  // an alert about the client's certificate; the server processed nothing
  };
  struct Error {
    ErrorKind kind = ErrorKind::kClosed;
    std::string cause = {};
  };
  const Error& error() const { return error_; }

  // Returns what a system error means for a connection that is open or being opened.
  static ErrorKind KindOf(int system_error);

  int fd() const { return fd_; }
  SSL* tls() const { return tls_; }
  // Returns the protocol chosen by ALPN: "h2" or "http/1.1"; "" without TLS or without a choice.
  absl::string_view protocol() const;

 private:
  static int ReadBio(BIO* bio, char* buffer, int size);
  static int WriteBio(BIO* bio, const char* bytes, int size);
  static BIO_METHOD* Method();

  void Use(SSL* tls);
  // Sends what the limit allows. Returns and sets errno as send(2).
  ssize_t Send(const char* bytes, size_t size);
  Result Finish(int result);
  // Returns whether the received alert is about the client's certificate.
  bool IsCertificateRefused(int reason) const;
  Result FailBySystem(int error);

  const int fd_;
  SSL* const proxy_;
  SSL* const tls_;        // the innermost layer
  bool drained_ = false;  // the last read got less than asked for
  // Whether any data was received after the handshake.
  bool received_ = false;
  uint64_t sent_bytes_ = 0;
  uint64_t sent_limit_ = UINT64_MAX;
  Error error_;
};

// Sets the options that SecureSocket requires; call it before the handshake.
void PrepareTls(SSL_CTX* context);

}  // namespace kube::io

#endif  // NET_IO_SECURE_SOCKET_H_
