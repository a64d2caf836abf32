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

struct InProcessTransportOptions {
  // Of one response, what a handler that does not ask PauseUntilDrained may have waiting for its
  // reader; beyond it the response breaks off. Default: as httpserver::Server.
  size_t max_buffered_bytes = size_t{64} << 20;
  // Who the client is, as if by a certificate. Default: nobody; a token of the request counts.
  std::optional<httpserver::ClientCertificate> client_certificate = {};
};

// Carries requests to a handler in the same process: no sockets, no threads. With ApiHandler it is
// an API server that runs under SimRuntime, where each run of a seed is the same, and elsewhere.
//
//   ApiHandler server;
//   KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(InProcessConfig(server)));
//
// The handler is called by the thread that sends, and what answers later by whichever thread
// writes. Bodies are read while they arrive: a watch is paused when its reader is slow, and goes on
// when he reads. Giving a request up, by its context or by destroying its body, ends its exchange
// before that call returns.
//
// Transport errors: kTimeout (header_timeout); kReset where the handler broke off or was destroyed.
//
// What it does not imitate: TCP, so nothing is refused, lost or late but by ApiHandler::faults; TLS
// and certificates; ConnectionOptions, which it ignores; HTTP's framing and its limits of headers
// and bodies, gzip, 1xx responses and trailers, connections and their idle times. ApiServer has all
// of these.
//
// Thread-safe. The handler outlives every RoundTrip; bodies may outlive both.
class InProcessTransport final : public httpclient::Transport {
 public:
  explicit InProcessTransport(httpserver::Handler& handler, InProcessTransportOptions options = {});

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override;
  // There are none.
  void CloseIdleConnections() override {}

 private:
  httpserver::Handler& handler_;
  const InProcessTransportOptions options_;
};

// Who may do everything: "admin" of the group system:masters.
apiserver::User AdminUser();

// For rest::MakeClient: a transport to `server`, and a new token of `user` for it. `server`
// outlives the clients.
rest::Config InProcessConfig(apiserver::ApiHandler& server, apiserver::User user = AdminUser());

}  // namespace kube::envtest

#endif  // ENVTEST_IN_PROCESS_TRANSPORT_H_
