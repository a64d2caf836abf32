#ifndef ENVTEST_IN_PROCESS_TRANSPORT_H_
#define ENVTEST_IN_PROCESS_TRANSPORT_H_

#include <cstddef>
#include <optional>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest {

// Options of an InProcessTransport.
struct InProcessTransportOptions {
  // Limit of unread bytes of one response, for handlers that do not call PauseUntilDrained; beyond
  // it the response is aborted. Default: 64 MiB, as in httpserver::Server.
  size_t max_buffered_bytes = size_t{64} << 20;
  // The client's certificate, as if it was used. Default: none; the token of the request counts.
  std::optional<httpserver::ClientCertificate> client_certificate = {};
};

// Delivers requests to a handler in the same process, without sockets or threads. With ApiHandler
// it is an API server that also works under SimRuntime, where each run with the same seed is
// identical.
//
//   apiserver::ApiHandler server;
//   const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
//
// The handler is called on the thread that sends; later parts of a response are written on other
// threads. Bodies are read while they arrive: if the reader is slow, a watch is paused until it
// reads on. Abandoning a request, through its context or by destroying its body, ends the exchange
// before that call returns.
//
// A request with `upgrade` can have another protocol: the handler switches protocols, and the
// response has a connection, which is a pipe (net/io/pipe.h). Such a request counts as HTTP/1.1,
// all others as HTTP/2.
//
// Transport errors are kTimeout (header_timeout) and kReset (the handler aborted, was destroyed, or
// has closed the connection).
//
// Not imitated: TCP, so nothing is refused, lost or delayed except by ApiHandler::faults; TLS and
// certificates; ConnectionOptions, which are ignored; HTTP framing, limits of headers and bodies,
// gzip, 1xx responses, trailers, connections and idle timeouts. ApiServer has all of these.
//
// Thread-safe. The handler must outlive all calls of RoundTrip; bodies may outlive both.
class InProcessTransport final : public httpclient::Transport {
 public:
  explicit InProcessTransport(httpserver::Handler& handler, InProcessTransportOptions options = {});

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override;
  // Does nothing, as there are no connections.
  void CloseIdleConnections() override {}

 private:
  httpserver::Handler& handler_;
  const InProcessTransportOptions options_;
};

// Returns a user who may do everything: "admin" in the group system:masters.
apiserver::User AdminUser();

// Returns a configuration for rest::MakeClient, with a transport to `server` and a new token for
// `user`. `server` must outlive the clients.
rest::Config InProcessConfig(apiserver::ApiHandler& server, apiserver::User user = AdminUser());

}  // namespace kube::envtest

#endif  // ENVTEST_IN_PROCESS_TRANSPORT_H_
