#ifndef NET_IO_SECURE_SOCKET_H_
#define NET_IO_SECURE_SOCKET_H_

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::io {

// Bytes over a socket that is open, with TLS or without, for clients and servers. It never waits.
// Thread-compatible.
class SecureSocket {
 public:
  // A socket that does not block; over it the TLS with an https proxy, and over that the TLS with
  // the peer; null: none. A handshake that is not done is done by Read. None of them is its own:
  // they outlive it, but are not used otherwise from now on.
  SecureSocket(int fd, SSL* proxy, SSL* peer);
  SecureSocket(const SecureSocket&) = delete;
  SecureSocket& operator=(const SecureSocket&) = delete;

  enum class State {
    kDone,   // so many bytes were moved
    kLater,  // when the socket has something, or has room: see wants_room
    kEnd,    // the peer has closed
    kError,
  };
  struct Result {
    State state = State::kDone;
    size_t bytes = 0;
  };
  Result Read(char* buffer, size_t size);
  // Some of the bytes, from the first on. After kLater again the same ones, perhaps more. Not
  // before the handshake is done.
  Result Write(absl::string_view bytes);
  // With TLS: says that nothing follows. kLater: when the socket has room.
  Result SayGoodbye();

  bool is_secure() const { return tls_ != nullptr; }
  // Whether bytes may be written: the handshake is done, or there is none to do.
  bool is_ready() const { return tls_ == nullptr || SSL_is_init_finished(tls_) != 0; }
  // After kLater of Read: whether it waits for room, not for bytes.
  bool wants_room() const { return tls_ != nullptr && SSL_want_write(tls_) != 0; }
  // After a Read: whether another one now may give something. False: not before the next event.
  bool may_have_more() const;

  // So many have gone into the socket, those of TLS included. At `limit` it is as if it had no room
  // any more: for servers that are to be slow.
  uint64_t sent_bytes() const { return sent_bytes_; }
  void set_sent_limit(uint64_t limit) { sent_limit_ = limit; }

  // After kError.
  enum class ErrorKind {
    kClosed,              // and everything else that the system says
    kReset,               // cut: ECONNRESET, EPIPE, an alert of TLS
    kLost,                // nothing was heard for too long, or there is no way
    kProtocol,            // what came is no TLS
    kCertificateRefused,  // an alert about the client's certificate: nothing was done
  };
  struct Error {
    ErrorKind kind = ErrorKind::kClosed;
    std::string cause = {};
  };
  const Error& error() const { return error_; }

  // What an error of the system means for a connection that is open, or nearly.
  static ErrorKind KindOf(int system_error);

  int fd() const { return fd_; }
  SSL* tls() const { return tls_; }
  // "h2", "http/1.1"; "": nothing was chosen, or there is no TLS.
  absl::string_view protocol() const;

 private:
  static int ReadBio(BIO* bio, char* buffer, int size);
  static int WriteBio(BIO* bio, const char* bytes, int size);
  static BIO_METHOD* Method();

  void Use(SSL* tls);
  // Sends what the limit allows. As send(2).
  ssize_t Send(const char* bytes, size_t size);
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
  uint64_t sent_bytes_ = 0;
  uint64_t sent_limit_ = UINT64_MAX;
  Error error_;
};

// What of TLS has to be set before the handshake, for the sake of what follows it.
void PrepareTls(SSL_CTX* context);

}  // namespace kube::io

#endif  // NET_IO_SECURE_SOCKET_H_
