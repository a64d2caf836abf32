#ifndef NET_HTTPCLIENT_INTERNAL_SECURE_SOCKET_H_
#define NET_HTTPCLIENT_INTERNAL_SECURE_SOCKET_H_

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

// Bytes over a socket that is open, with TLS or without. It never waits. Thread-compatible.
class SecureSocket {
 public:
  // A socket that does not block; over it the TLS with an https proxy, and over that the TLS with
  // the server; null: none. The handshakes are done. None of them is its own: they outlive it, but
  // are not used otherwise from now on.
  SecureSocket(int fd, SSL* proxy, SSL* server);
  SecureSocket(const SecureSocket&) = delete;
  SecureSocket& operator=(const SecureSocket&) = delete;

  enum class State {
    kDone,   // so many bytes were moved
    kLater,  // when the socket has something, or has room: see wants_output
    kEnd,    // the peer has closed
    kError,
  };
  struct Result {
    State state = State::kDone;
    size_t bytes = 0;
  };
  Result Read(char* buffer, size_t size);
  // Some of the bytes, from the first on. After kLater again the same ones, perhaps more.
  Result Write(absl::string_view bytes);

  // After a Read: whether another one now may give something. False: not before the next event.
  bool may_have_more() const;

  // After kError. kTls: the server does not take the client's certificate, and has not done
  // anything.
  struct Error {
    TransportErrorKind kind = TransportErrorKind::kEof;
    std::string cause = {};
  };
  const Error& error() const { return error_; }

  int fd() const { return fd_; }
  // "h2", "http/1.1"; "": the server has chosen none, or there is no TLS.
  absl::string_view protocol() const;

 private:
  static int ReadBio(BIO* bio, char* buffer, int size);
  static int WriteBio(BIO* bio, const char* bytes, int size);
  static BIO_METHOD* Method();

  void Use(SSL* tls);
  Result Finish(int result);
  // Whether the alert that was received is about the client's certificate.
  bool IsCertificateRefused(int reason) const;
  Result FailBySystem(int error);

  const int fd_;
  SSL* const proxy_;
  SSL* const tls_;        // the upper one
  bool drained_ = false;  // there was less in it than asked for
  // Whether anything but the handshake was received.
  bool received_ = false;
  Error error_;
};

// What an error of the system means for a connection that is open, or nearly.
TransportErrorKind KindOfSystemError(int error);

// What of TLS has to be set before the handshake, for the sake of what follows it.
// `protocols`: for ALPN, in its format.
void PrepareTls(SSL_CTX* context, absl::string_view protocols);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_SECURE_SOCKET_H_
