#ifndef NET_HTTPSERVER_SERVER_H_
#define NET_HTTPSERVER_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "net/certificates/certificate_source.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver {

// Whether clients authenticate with certificates.
enum class ClientAuth {
  kNone,     // No certificate is requested.
  kRequest,  // A certificate is optional, but must be valid if sent.
  kRequire,  // A valid certificate is required.
};

struct TlsOptions {
  // PEM. The server's certificate, followed by the intermediate certificates.
  std::string certificate_chain = {};
  // PEM. The key of the server's certificate.
  base::Secret private_key = {};

  // PEM. Authorities that sign the clients' certificates. Required unless client_auth is kNone.
  std::string client_ca = {};
  ClientAuth client_auth = ClientAuth::kNone;

  // Provides the certificates instead of the three texts above, which must then be empty, so that
  // they can change while the server runs; see certificates::CertificateFiles. Each new connection
  // gets the newest ones, and a connection keeps those with which it began. If the newest ones
  // cannot be used, the log says why, and new connections get the previous ones. Server::Start
  // fails if the source has no certificates yet. Default: the certificates do not change.
  std::shared_ptr<const certificates::CertificateSource> source = nullptr;
};

// Options of a Server. A duration of zero or less disables the timeout. Timeouts are checked every
// quarter of the shortest one, at least once a second.
struct ServerOptions {
  // An IPv4 or IPv6 address of this machine. Default: only local programs can connect.
  std::string address = "127.0.0.1";
  // Zero, the default, takes any free port; see Server::port.
  uint16_t port = 0;
  // Default: no TLS. Otherwise TLS 1.2 or 1.3, with the protocol negotiated by ALPN.
  std::optional<TlsOptions> tls = {};
  // The protocols to speak. Without TLS, HTTP/2 is for clients that start with it ("prior
  // knowledge"): there is no upgrade from HTTP/1.1 to HTTP/2 ("h2c").
  bool http1 = true;
  bool http2 = true;

  // Threads that serve the connections. More than one helps only with thousands of busy
  // connections.
  int io_threads = 1;
  // The maximum number of connections. To accept another one, the server closes the one whose last
  // request is oldest; PINGs and incomplete requests do not count. It never closes a connection
  // whose handlers are working, that has switched protocols, or whose client has taken a piece of
  // an answer within the last second; if there are only such, the new connection waits, unaccepted.
  // Zero: limited only by the descriptors of the process.
  int max_connections = 0;
  // Concurrent requests on an HTTP/2 connection. Default: that of kube-apiserver.
  uint32_t max_concurrent_streams = 100;
  // Requests whose target and header are longer get 431.
  size_t max_header_bytes = size_t{1} << 20;
  // Requests whose body is longer get 413.
  size_t max_body_bytes = size_t{16} << 20;
  // Maximum memory for the headers and bodies of the requests of one connection, from their first
  // byte until handlers release them. Default: 64 MiB, four of the longest bodies. A request that
  // would exceed it gets 503 and "retry-after: 1". Zero: no limit. A value below the longest
  // request (max_header_bytes + max_body_bytes) counts as that.
  size_t max_connection_request_bytes = size_t{64} << 20;
  // A limit like this for all connections together. Default: 512 MiB. It protects the process, but
  // not other clients: a few that hold back their requests can use all of it, and others get 503. A
  // server that strangers can reach should set max_connections, and this to at least
  // max_connections * max_connection_request_bytes.
  size_t max_request_bytes = size_t{512} << 20;
  // Maximum number of bytes of one response that wait for the client. If there are more, the
  // response is aborted.
  size_t max_buffered_bytes = size_t{64} << 20;

  // From accepting a connection to the end of its TLS handshake.
  absl::Duration handshake_timeout = absl::Seconds(10);
  // From the first byte of a request to the end of its header; without TLS also from accepting a
  // connection to its first bytes. The default is that of controller-runtime's servers.
  absl::Duration header_timeout = absl::Seconds(32);
  // Between two pieces of a request's body.
  absl::Duration body_timeout = absl::Seconds(30);
  // How long a connection without requests is kept, even if its client sends PINGs. It does not
  // apply after SwitchProtocols: the protocol that follows must notice when its peer is silent. TCP
  // notices after two and a half minutes that the machine of a client has vanished.
  absl::Duration idle_timeout = absl::Seconds(90);
  // A client that takes none of its waiting bytes for this long is disconnected. Over HTTP/2 only
  // the request is reset if the client's flow control holds it back. It does not apply after
  // SwitchProtocols, where a client that does not read slows the handler down.
  absl::Duration write_timeout = absl::Seconds(30);
};

// Current and total numbers of a server.
struct ServerStatistics {
  int64_t connections = 0;           // open now
  int64_t exchanges = 0;             // requests not completely answered, and switched connections
  int64_t accepted_connections = 0;  // since the start, as the numbers below
  int64_t requests = 0;
  int64_t failed_handshakes = 0;
  int64_t timeouts = 0;      // connections closed by a timeout
  int64_t evictions = 0;     // connections closed to make room
  int64_t slow_readers = 0;  // exchanges aborted by max_buffered_bytes or write_timeout
};

// An HTTP/1.1 and HTTP/2 server, with or without TLS, over epoll, nghttp2, llhttp and OpenSSL. It
// serves metrics, health endpoints and the embedded API server. (Go: `http.Server`)
//
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Server> server, Server::Start({}, handler));
//   const std::string url = server->url();  // http://127.0.0.1:40123
//
// Each I/O thread serves many connections and calls the handler. A handler may answer a request of
// HTTP/1.1 by switching to another protocol, such as WebSocket (Exchange::SwitchProtocols). In each
// direction of such a connection at most about 512 KiB wait in the server; beyond that, the
// handler's Write blocks, and the server reads nothing more until the handler has read. Not
// supported: other protocols over HTTP/2 (RFC 8441) and CONNECT, compression, HTTP/2 push, and
// reading a request's body before it is complete. The server uses the real clock and real sockets,
// whatever the current Runtime is; under SimRuntime use an in-process transport.
//
// Thread-safe.
class Server {
 private:
  // Restricts the constructor to Start.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Listens and starts the threads. Returns INVALID_ARGUMENT for an invalid address, certificate or
  // key, or if neither protocol is enabled, FAILED_PRECONDITION if the port is in use, and other
  // errors of the operating system. `handler` must outlive the server.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                       Handler& handler);

  struct Impl;
  Server(Key, std::unique_ptr<Impl> impl);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  // Closes all connections and joins the threads. Calling it in a handler aborts the process. The
  // contexts of all exchanges are done afterwards; handlers may still use exchanges that they hold,
  // to no effect, and connections that have switched protocols, which return UNAVAILABLE.
  ~Server();

  // Refuses new connections and requests, waits for the requests in progress, and for connections
  // that have switched protocols until their handlers or clients close them, and closes all
  // connections. Blocks until that is done, and then returns OK, or until `ctx` is done; then it
  // closes the remaining connections and returns the status of `ctx`. Handlers are not told: a
  // program that has long-lived ones ends them first. Calling it in a handler aborts the process.
  absl::Status Shutdown(const Context& ctx);

  uint16_t port() const;
  // Returns a URL such as "https://127.0.0.1:40123" or "http://[::1]:8080".
  std::string url() const;

  ServerStatistics statistics() const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_SERVER_H_
