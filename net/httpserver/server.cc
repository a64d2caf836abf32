#include "net/httpserver/server.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/connection.h"
#include "net/httpserver/internal/listener.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/internal/tls.h"
#include "net/httpserver/internal/worker.h"

namespace kube::httpserver {

namespace {

// Returns a quarter of the shortest timeout, between 5 milliseconds and a second.
absl::Duration TickOf(const ServerOptions& options) {
  absl::Duration tick = absl::Seconds(1);
  for (const absl::Duration timeout :
       {options.handshake_timeout, options.header_timeout, options.body_timeout,
        options.idle_timeout, options.write_timeout}) {
    if (timeout > absl::ZeroDuration()) tick = std::min(tick, timeout / 4);
  }
  return std::max(tick, absl::Milliseconds(5));
}

// Raises the memory limits to the size of the longest request, so that one always fits.
ServerOptions WithRoomForRequests(ServerOptions options) {
  const size_t longest = options.max_header_bytes + options.max_body_bytes;
  for (size_t* const limit : {&options.max_connection_request_bytes, &options.max_request_bytes}) {
    if (*limit != 0) *limit = std::max(*limit, longest);
  }
  return options;
}

}  // namespace

struct Server::Impl {
  internal::ServerContext context;
  std::vector<std::shared_ptr<internal::Worker>> workers;
  std::shared_ptr<internal::Listener> listener;
  uint16_t port = 0;
  // Declared last: the threads use all of the above.
  std::vector<std::unique_ptr<base::Thread>> threads;

  // A handler that waited for the end of its own thread would wait forever.
  void CheckNotInHandler() const {
    for (const auto& worker : workers) {
      KUBE_CHECK(!worker->IsThisThread())
          << "an HTTP server must not be shut down or destroyed by its own handler";
    }
  }
};

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options,
                                                      Handler& handler) {
  if (!options.http1 && !options.http2) {
    return absl::InvalidArgumentError("start HTTP server: neither HTTP/1 nor HTTP/2 is enabled");
  }
  auto impl = std::make_unique<Impl>();
  impl->context.options = WithRoomForRequests(options);
  impl->context.handler = &handler;
  impl->context.memory =
      std::make_shared<internal::MemoryLimit>(impl->context.options.max_request_bytes);
  if (options.tls) {
    KUBE_ASSIGN_OR_RETURN(impl->context.tls,
                          internal::TlsContexts::Make(*options.tls, options.http1, options.http2),
                          "start HTTP server");
  }
  for (int i = 0; i < std::max(1, options.io_threads); ++i) {
    impl->workers.push_back(std::make_shared<internal::Worker>(TickOf(options)));
    KUBE_RETURN_IF_ERROR(impl->workers.back()->Open(), "start HTTP server");
  }
  KUBE_ASSIGN_OR_RETURN(internal::ListeningSocket listening,
                        internal::Listen(options.address, options.port), "start HTTP server on ",
                        options.address, " port ", options.port);
  impl->port = listening.port;
  impl->listener = std::make_shared<internal::Listener>(std::move(listening.socket), impl->workers,
                                                        impl->context);
  impl->context.wake_listener = [worker = impl->workers.front(),
                                 weak = std::weak_ptr<internal::Listener>(impl->listener)] {
    worker->Post([weak] {
      if (const std::shared_ptr<internal::Listener> listener = weak.lock()) listener->Resume();
    });
  };
  impl->listener->Start(impl->listener);
  auto server = std::make_unique<Server>(Key(), std::move(impl));
  // The threads wait in the kernel, so they use the real Runtime, even in a simulation.
  const base::RuntimeScope real(base::Runtime::Real());
  for (const std::shared_ptr<internal::Worker>& worker : server->impl_->workers) {
    server->impl_->threads.push_back(std::make_unique<base::Thread>());
    KUBE_RETURN_IF_ERROR(server->impl_->threads.back()->Start(
                             Context(), "http-server", [worker](const Context&) { worker->Run(); }),
                         "start HTTP server");
  }
  return server;
}

Server::Server(Key, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
  impl_->CheckNotInHandler();
  for (const std::shared_ptr<internal::Worker>& worker : impl_->workers) worker->RequestStop();
  impl_->threads.clear();
}

absl::Status Server::Shutdown(const Context& ctx) {
  impl_->CheckNotInHandler();
  for (const std::shared_ptr<internal::Worker>& worker : impl_->workers) worker->RequestShutdown();
  absl::Status status = absl::OkStatus();
  for (const std::shared_ptr<internal::Worker>& worker : impl_->workers) {
    if (status.ok()) status = worker->ended().Wait(ctx);
  }
  for (const std::shared_ptr<internal::Worker>& worker : impl_->workers) worker->RequestStop();
  for (const std::unique_ptr<base::Thread>& thread : impl_->threads) thread->Join();
  return status;
}

uint16_t Server::port() const { return impl_->port; }

std::string Server::url() const {
  const ServerOptions& options = impl_->context.options;
  const bool v6 = absl::StrContains(options.address, ':');
  return absl::StrCat(options.tls ? "https://" : "http://", v6 ? "[" : "", options.address,
                      v6 ? "]:" : ":", impl_->port);
}

ServerStatistics Server::statistics() const {
  const internal::Counters& counters = impl_->context.counters;
  return {.connections = counters.connections,
          .exchanges = counters.exchanges,
          .accepted_connections = counters.accepted_connections,
          .requests = counters.requests,
          .failed_handshakes = counters.failed_handshakes,
          .timeouts = counters.timeouts,
          .evictions = counters.evictions,
          .slow_readers = counters.slow_readers};
}

}  // namespace kube::httpserver
