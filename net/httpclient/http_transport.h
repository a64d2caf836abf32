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
  // Connections without a request are kept for the next one: so many for each host, so long;
  // those of watches are counted apart.
  // More are kept for one to eleven seconds: requests of HTTP/1.1 that come all the time must not
  // connect anew.
  int max_idle_connections_per_host = 25;
  absl::Duration idle_connection_timeout = absl::Seconds(90);

  // A connection on which nothing was heard is asked after the first, every second one, and given
  // up with its requests after the third: HTTP/2 by PING, once, HTTP/1.1 by TCP.
  absl::Duration keep_alive_idle = absl::Seconds(30);
  absl::Duration keep_alive_interval = absl::Seconds(15);
  absl::Duration lost_after = absl::Seconds(45);

  // Requests at a time on a connection of HTTP/2: what the server allows, and at most this.
  int max_streams_per_connection = 1000;
  // Of one response, what may wait for its reader before the server is made to wait; with HTTP/2
  // once more as much, which the server may send until it learns of it (the stream's window).
  size_t max_buffered_bytes = size_t{1} << 20;
  // A longer header is a protocol error; over HTTP/2 as is one of more than some 140 kB as
  // compressed, which nghttp2 does not take.
  size_t max_header_bytes = size_t{1} << 20;

  // Default: none.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// What a transport has to do now, and has done.
struct HttpTransportStatistics {
  int64_t connections = 0;  // open now, or being opened
  int64_t requests = 0;     // sent or waiting; until their bodies were read, or given up
  int64_t opened_connections = 0;
  int64_t failed_connections = 0;
  int64_t paused = 0;          // times that a reader was too slow for a server
  int64_t buffered_bytes = 0;  // now, of all responses
};

// The transport over the network: one I/O thread, all protocols and hosts. Connections are opened
// by libcurl, which must have been built with OpenSSL.
// (http.Transport)
//
// Few connections: with HTTP/2 requests share one as long as the server lets them (kube-apiserver:
// 100, then another is opened). Watches, which never end, share others, so that they hold nobody
// up, and a long list does not hold up their events. Of either there are at most two more than
// needed. With HTTP/1.1 each request has one of its own; it is kept for the next.
//
// TLS is 1.2 or newer, and is always verified, unless ConnectionOptions say otherwise.
//
// It runs on the real clock and real sockets, whatever Runtime made it: under SimRuntime use a
// transport within the process. Thread-safe.
class HttpTransport final : public Transport {
 private:
  // Only MakeHttpTransport has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  class Impl;
  HttpTransport(Key, std::unique_ptr<Impl> impl);
  // Gives up what is running (kClosed) and joins the thread. Bodies of responses may outlive it.
  ~HttpTransport() override;

  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override;
  void CloseIdleConnections() override;

  // Refuses new requests (kClosed), lets those that are there end, and closes. Blocks until that
  // has happened (OK) or `ctx` is done (its status): what is left then is given up.
  absl::Status Shutdown(const Context& ctx);

  HttpTransportStatistics statistics() const;

 private:
  friend absl::StatusOr<std::shared_ptr<HttpTransport>> MakeHttpTransport(
      const HttpTransportOptions& options);

  const std::unique_ptr<Impl> impl_;
};

// Starts the thread. RESOURCE_EXHAUSTED: no threads, descriptors or memory.
absl::StatusOr<std::shared_ptr<HttpTransport>> MakeHttpTransport(
    const HttpTransportOptions& options = {});

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_HTTP_TRANSPORT_H_
