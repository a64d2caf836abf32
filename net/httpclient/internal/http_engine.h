#ifndef NET_HTTPCLIENT_INTERNAL_HTTP_ENGINE_H_
#define NET_HTTPCLIENT_INTERNAL_HTTP_ENGINE_H_

#include <cstddef>
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
#include "net/httpclient/internal/event_loop.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/internal/transport_metrics.h"

namespace kube::httpclient::internal {

// The I/O thread's work: takes commands and looks after connections. Thread-compatible, on the
// thread that calls Run.
class HttpEngine {
 public:
  // All outlive it.
  HttpEngine(const HttpTransportOptions& options, CommandQueue& commands,
             TransportMetrics& metrics);
  ~HttpEngine();
  HttpEngine(const HttpEngine&) = delete;
  HttpEngine& operator=(const HttpEngine&) = delete;

  // Once, before all else; may be on another thread.
  absl::Status Open();

  // Until the queue says stop, or, after kShutdown, all requests have ended. What is left then is
  // given up.
  void Run();

 private:
  using Command = CommandQueue::Command;

  void Handle(Command& command);
  void Start(std::shared_ptr<Transfer> transfer);
  ConnectionGroup& GroupOf(const Endpoint& endpoint,
                           std::shared_ptr<const ConnectionOptions> connection, bool long_running);
  // Lets everything that has changed be looked after, and then wakes callers.
  void Process();
  void Sweep();
  void SetSweepTimer();
  void CloseIdle();
  bool Busy() const;
  void GiveUp();

  const HttpTransportOptions& options_;
  CommandQueue& commands_;
  TransportMetrics& metrics_;
  const std::shared_ptr<const ConnectionOptions> default_connection_;
  EventLoop loop_;
  CurlShare share_;
  ConnectionGroup::Shared shared_;
  // By the server's host, port and whether with TLS, and whether for what is long_running.
  std::map<std::tuple<std::string, int, bool, bool>, std::vector<std::unique_ptr<ConnectionGroup>>>
      groups_;
  EventLoop::Timer sweep_timer_;
  bool shutting_down_ = false;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_HTTP_ENGINE_H_
