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
#include "net/httpserver/exchange.h"

namespace kube::httpserver {

// What clients must show.
enum class ClientAuth {
  kNone,     // Nothing is asked for.
  kRequest,  // A certificate may be shown, and must then be a good one.
  kRequire,  // Without a good one there is no connection.
};

struct TlsOptions {
  // PEM. The server's certificate, then those between it and the authority that clients know.
  std::string certificate_chain = {};
  // PEM. Its key.
  base::Secret private_key = {};

  // PEM. The authorities that sign the certificates of clients. Needed unless client_auth is kNone.
  std::string client_ca = {};
  ClientAuth client_auth = ClientAuth::kNone;
};

// All durations are measured per connection; zero and less mean none. A deadline is noticed up to a
// quarter of the shortest one late.
struct ServerOptions {
  // An IPv4 or IPv6 address of this machine. Default: only programs on it can connect.
  std::string address = "127.0.0.1";
  // Zero, the default: any free one, see Server::port.
  uint16_t port = 0;
  // Default: no TLS. With it, TLS 1.2 or 1.3; the protocol is agreed on by ALPN.
  std::optional<TlsOptions> tls = {};
  // Which protocols are spoken. Without TLS, HTTP/2 is for clients that begin with it ("prior
  // knowledge"); nobody is upgraded.
  bool http1 = true;
  bool http2 = true;

  // Threads that serve the connections. More than one is worth it only for thousands of busy ones.
  int io_threads = 1;
  // For a connection beyond it, the one that has been without a request for longest is closed:
  // PINGs and incomplete requests do not count. Connections for which handlers are at work, or
  // whose clients have taken a piece of an answer within the last second, are not closed: if all
  // are such, the new one waits, unaccepted. Zero: as many as the process may have open files.
  int max_connections = 0;
  // Requests at a time on one connection of HTTP/2. Default: kube-apiserver's.
  uint32_t max_concurrent_streams = 100;
  // A request with a longer target and header is answered with 431.
  size_t max_header_bytes = size_t{1} << 20;
  // One with a longer body with 413.
  size_t max_body_bytes = size_t{16} << 20;
  // What the headers and bodies of the requests of one connection may hold together, from their
  // first byte until handlers have let go of them. Default: 64 MiB, four of the longest bodies. A
  // request that would take more is answered with 503 and "retry-after: 1". Zero: no limit. A value
  // below the longest request (max_header_bytes and max_body_bytes) counts as that.
  size_t max_connection_request_bytes = size_t{64} << 20;
  // The same for all connections together. Default: 512 MiB. It protects the process, not its
  // clients: a few that hold their requests back can take all of it, and others get 503. A server
  // that strangers reach sets max_connections, and here at least
  // max_connections * max_connection_request_bytes.
  size_t max_request_bytes = size_t{512} << 20;
  // Of one response, what may wait for the client. A client that is further behind is cut off.
  size_t max_buffered_bytes = size_t{64} << 20;

  // From accepting a connection to the end of its TLS handshake.
  absl::Duration handshake_timeout = absl::Seconds(10);
  // From the first byte of a request to the end of its header. Defaults as net/http's in
  // controller-runtime.
  absl::Duration header_timeout = absl::Seconds(32);
  // Between two pieces of a request's body.
  absl::Duration body_timeout = absl::Seconds(30);
  // A connection without requests is closed after it, also if its client sends PINGs.
  absl::Duration idle_timeout = absl::Seconds(90);
  // A client that takes nothing of what waits for it is cut off after it; over HTTP/2, where a
  // client can leave single answers waiting, the request is.
  absl::Duration write_timeout = absl::Seconds(30);
};

// What a server has to do now, and has done.
struct ServerStatistics {
  int64_t connections = 0;           // open now
  int64_t exchanges = 0;             // requests that are not answered yet
  int64_t accepted_connections = 0;  // since the start
  int64_t requests = 0;
  int64_t failed_handshakes = 0;
  int64_t timeouts = 0;      // connections closed by one of the deadlines
  int64_t evictions = 0;     // connections closed to make room for new ones
  int64_t slow_readers = 0;  // exchanges cut off by max_buffered_bytes or write_timeout
};

// An HTTP server: HTTP/1.1 and HTTP/2, with TLS or plain, over epoll, nghttp2, llhttp and OpenSSL.
// It is what metrics and health endpoints and the embedded API server stand on. Go: http.Server.
//
//   MyHandler handler;
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Server> server, Server::Start({}, handler));
//   std::cout << "listening on " << server->url() << "\n";
//
// Each I/O thread serves many connections and calls the handler. Not there: upgrades and CONNECT (a
// request that asks for one is handled as any other), compression, HTTP/2 push, chunks before the
// request's end. It runs on the real clock and real sockets, whatever Runtime starts it: under
// SimRuntime use a transport within the process.
//
// Thread-safe.
class Server {
 private:
  // Only Start has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Listens and starts its threads. INVALID_ARGUMENT for an address, certificate or key that is
  // none; FAILED_PRECONDITION where the port is taken; other codes as the operating system says.
  // `handler` outlives the server.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                       Handler& handler);

  struct Impl;
  Server(Key, std::unique_ptr<Impl> impl);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  // Closes every connection and joins the threads; not in a handler, which aborts the process.
  // Contexts of exchanges are then done; those that handlers still hold can be used, to no effect.
  ~Server();

  // Refuses new connections and requests, lets those that are there end, and then closes. Blocks
  // until that has happened (OK) or `ctx` is done (its status): what is left then is cut off. Not
  // in a handler, which would wait for itself: that aborts the process.
  absl::Status Shutdown(const Context& ctx);

  uint16_t port() const;
  // "https://127.0.0.1:40123", "http://[::1]:8080"
  std::string url() const;

  ServerStatistics statistics() const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_SERVER_H_
