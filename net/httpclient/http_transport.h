#ifndef NET_HTTPCLIENT_HTTP_TRANSPORT_H_
#define NET_HTTPCLIENT_HTTP_TRANSPORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "net/httpclient/transport.h"

namespace kube::httpclient {

struct HttpTransportOptions {
  // Maximum number of idle connections that are kept for each server and ConnectionOptions; those
  // of long-running requests (watches) are counted separately. Connections above the limit are
  // closed after one to eleven idle seconds, so that a steady stream of HTTP/1.1 requests does not
  // reconnect for each of them.
  int max_idle_connections_per_host = 25;
  // How long an idle connection is kept.
  absl::Duration idle_connection_timeout = absl::Seconds(90);

  // After `keep_alive_idle` of silence a connection is probed: with one PING on HTTP/2, with TCP
  // keep-alives every `keep_alive_interval` on HTTP/1.1. After `lost_after` of silence it is closed
  // and its requests fail (kLost). TCP counts whole seconds. After an upgrade `lost_after` applies
  // to the probes but not to data that the server does not take, since the program at the other end
  // may pause for as long as it likes.
  absl::Duration keep_alive_idle = absl::Seconds(30);
  absl::Duration keep_alive_interval = absl::Seconds(15);
  absl::Duration lost_after = absl::Seconds(45);

  // Maximum number of concurrent requests on an HTTP/2 connection, if the server allows more.
  int max_streams_per_connection = 1000;
  // The number of bytes of one response that wait for its reader before the server is slowed down.
  // With HTTP/2 the server may send as much again until it notices (the stream's window). After an
  // upgrade, Write blocks while more than this number of bytes, or than 256 KiB, wait to be sent.
  size_t max_buffered_bytes = size_t{1} << 20;
  // A response whose header is longer fails with kProtocol. Over HTTP/2 so does one of more than
  // about 140 kB in compressed form, which is nghttp2's limit.
  size_t max_header_bytes = size_t{1} << 20;

  // Where the transport registers its metrics. Default: nowhere.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// Current and total numbers of a transport.
struct HttpTransportStatistics {
  int64_t connections = 0;  // open, or being opened
  int64_t requests = 0;     // until the body or the upgraded connection has ended or is given up
  int64_t opened_connections = 0;
  int64_t failed_connections = 0;
  int64_t paused = 0;          // times that a reader was too slow
  int64_t buffered_bytes = 0;  // of all responses, now
};

// The transport over the network. One I/O thread serves all protocols and servers. libcurl, which
// must have been built with OpenSSL, opens the connections. (Go: `http.Transport`)
//
// It opens few connections. HTTP/2 requests share one up to the server's limit (100 in
// kube-apiserver), then another is opened. Long-running requests share connections of their own, so
// that they and short requests do not delay each other. For either sort, at most two connections
// more than necessary are opened. Each HTTP/1.1 request has a connection to itself, which is then
// kept for the next. A request with HttpRequest::upgrade has one that is opened for it and never
// used again.
//
// TLS is at least version 1.2, and the server is always verified, unless ConnectionOptions disable
// it.
//
// The transport uses the real clock and real sockets, whatever the current Runtime is; under
// SimRuntime use an in-process transport. Thread-safe.
class HttpTransport final : public Transport {
 private:
  // Restricts the constructor to MakeHttpTransport.
  struct Key {
    explicit Key() = default;
  };

 public:
  class Impl;
  HttpTransport(Key, std::unique_ptr<Impl> impl);
  // Gives up the requests in progress, which fail with kClosed, and joins the thread. Waits for
  // dialers (connection_dialer.h) that have not returned. Bodies of responses and connections of
  // upgrades may outlive the transport.
  ~HttpTransport() override;

  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override;
  void CloseIdleConnections() override;
  void CloseConnections(const ConnectionOptions& connection) override;

  // Refuses new requests (kClosed), waits for those in progress, and closes all connections. Blocks
  // until that is done, and then returns OK, or until `ctx` is done; then it gives up the remaining
  // requests and returns the status of `ctx`. Does not wait for the connections of upgrades that
  // have got their 101: they are given up (kClosed) when the other requests have ended.
  absl::Status Shutdown(const Context& ctx);

  HttpTransportStatistics statistics() const;

 private:
  friend absl::StatusOr<std::shared_ptr<HttpTransport>> MakeHttpTransport(
      const HttpTransportOptions& options);

  const std::unique_ptr<Impl> impl_;
};

// Makes a transport and starts its thread. Returns RESOURCE_EXHAUSTED if there are no threads,
// descriptors or memory, and the error of `options.metrics` if the metrics cannot be registered.
absl::StatusOr<std::shared_ptr<HttpTransport>> MakeHttpTransport(
    const HttpTransportOptions& options = {});

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_HTTP_TRANSPORT_H_
