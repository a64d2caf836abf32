#ifndef NET_HTTPCLIENT_INTERNAL_HTTP_ENGINE_H_
#define NET_HTTPCLIENT_INTERNAL_HTTP_ENGINE_H_

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/connection_group.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dial_threads.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/internal/transport_metrics.h"
#include "net/io/event_loop.h"

namespace kube::httpclient::internal {

// The work of the I/O thread: owns the connections of all servers in groups. Start, CloseIdle,
// Close, Shutdown and Stop are thread-safe; the other methods belong to the thread that calls Run.
class HttpEngine {
 public:
  // All arguments must outlive the engine.
  HttpEngine(const HttpTransportOptions& options, io::EventLoop& loop, TransportMetrics& metrics);
  ~HttpEngine();
  HttpEngine(const HttpEngine&) = delete;
  HttpEngine& operator=(const HttpEngine&) = delete;

  // Must be called once, before all other methods; any thread may call it.
  absl::Status Open();

  // Hands a transfer to the I/O thread. Returns false if Run has ended; then nothing happens.
  bool Start(std::shared_ptr<Transfer> transfer);
  void CloseIdle();
  // Closes the connections of all groups with these options; their requests fail with kLost.
  void Close(const ConnectionOptions& connection);
  // Lets Run return once all requests have ended, except those whose protocol was switched, which
  // then fail with kClosed; new requests fail with kClosed.
  void Shutdown();
  // Lets Run return soon; requests in progress fail with kClosed.
  void Stop();

  void Run();

 private:
  void Begin(std::shared_ptr<Transfer> transfer);
  ConnectionGroup& GroupOf(const Endpoint& endpoint, const HttpRequest& request);
  void Sweep();
  void SetSweepTimer();
  bool Busy() const;

  const HttpTransportOptions& options_;
  io::EventLoop& loop_;
  const std::shared_ptr<const ConnectionOptions> default_connection_;
  CurlShare share_;
  DialThreads dials_;
  const ConnectionGroup::Shared shared_;
  // By host, port, TLS, and whether the requests are long-running or upgrades.
  std::map<std::tuple<std::string, int, bool, bool, bool>,
           std::vector<std::unique_ptr<ConnectionGroup>>>
      groups_;
  io::EventLoop::Timer sweep_timer_;
  bool shutting_down_ = false;
  bool stopped_ = false;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_HTTP_ENGINE_H_
