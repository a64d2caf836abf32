#ifndef NET_HTTPCLIENT_TESTING_RAW_SERVER_H_
#define NET_HTTPCLIENT_TESTING_RAW_SERVER_H_

#include <openssl/ssl.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient {

struct RawServerOptions {
  // Whether clients must speak TLS, without ALPN. The certificate is for 127.0.0.1 and "localhost".
  bool tls = false;
  // The Unix domain socket to listen on. Empty: a port of 127.0.0.1.
  std::string path = {};
};

// A server that sends and receives bytes as the test says, with a thread for each connection: for
// tests of clients with protocols other than HTTP, and with broken HTTP. A failure to set it up
// aborts the test program. Thread-safe.
class RawServer {
 public:
  // A connection with blocking calls, all of which end when the server is destroyed.
  // Thread-compatible.
  class Connection {
   public:
    Connection(io::FileDescriptor socket, int stop);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Does the TLS handshake. Returns false if it fails.
    bool Encrypt(SSL_CTX* context);

    // Returns the next bytes; "" at the end, and after an error.
    std::string Read();
    // Returns the bytes up to and including `end`; "" if it does not come.
    std::string ReadUntil(absl::string_view end);
    // Returns false if the client has gone.
    bool Write(absl::string_view bytes);
    // Blocks until the server is destroyed.
    void AwaitStop();
    // Closes with RST, which drops what was not sent.
    void Reset();

   private:
    // Blocks until the socket has one of the events. Returns false when the server is destroyed.
    bool Await(short events);  // NOLINT: poll's type
    // After an incomplete call of OpenSSL with this result: blocks until it can go on. Returns
    // false if it cannot.
    bool AwaitTls(int result);

    io::FileDescriptor socket_;
    const int stop_;
    SSL* tls_ = nullptr;
    std::string buffer_;  // read and not returned yet
  };

  // `serve` is called on the connection's thread; the connection ends when it returns.
  using Serve = std::function<void(Connection&)>;
  explicit RawServer(Serve serve, const RawServerOptions& options = {});
  ~RawServer();

  // Serves a connection that was made in another way, such as one end of a socketpair.
  void Adopt(io::FileDescriptor socket);

  int port() const { return port_; }
  // Returns a URL of the server on its port.
  std::string url(absl::string_view target = "/") const;
  // Returns options that trust the server's certificate.
  ConnectionOptions connection() const;
  // Return the number of connections so far, and of those that are being served.
  int connections() const { return count_; }
  int running() const { return running_; }

 private:
  struct FreeTls {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  void Listen();
  void Accept();

  const Serve serve_;
  const RawServerOptions options_;
  const certificates::CertificateAuthority authority_;
  std::unique_ptr<SSL_CTX, FreeTls> tls_;
  io::FileDescriptor listener_;
  io::FileDescriptor stop_;  // becomes readable at the end
  int port_ = 0;
  std::atomic<int> count_{0};
  std::atomic<int> running_{0};
  base::ThreadGroup connections_{Context()};
  base::Thread thread_;
};

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TESTING_RAW_SERVER_H_
