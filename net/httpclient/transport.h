#ifndef NET_HTTPCLIENT_TRANSPORT_H_
#define NET_HTTPCLIENT_TRANSPORT_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "net/httpclient/http_message.h"

namespace kube::httpclient {

// Sends a request and returns the response. (Go: `http.RoundTripper`)
//
// MakeHttpTransport makes the one over the network. Wrap a transport to log, trace, record or add
// headers; replace it in tests (ScriptedTransport). Several clients, also of different clusters,
// may share a transport; unlike in client-go no transport is shared implicitly.
//
//   class Stamp final : public Transport {
//    public:
//     explicit Stamp(std::shared_ptr<Transport> next) : next_(std::move(next)) {}
//     absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override {
//       request.headers.Set("x-request-id", base::RandomString(16));
//       return next_->RoundTrip(ctx, std::move(request));
//     }
//     ...
//
// Thread-safe.
class Transport {
 public:
  virtual ~Transport() = default;

  // Sends the request and blocks until the header of the response has arrived or `ctx` is done.
  // `ctx` does not apply to the body, whose Read takes a context of its own. Does not follow
  // redirects and does not retry. A response with an error code is not an error here.
  //
  // Returns ctx.status() soon after `ctx` is done; the request is then given up, and the server may
  // or may not have seen it. Returns INVALID_ARGUMENT if the request cannot be sent. Otherwise
  // returns a transport error, which tells whether the request may have been sent
  // (transport_error.h).
  virtual absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) = 0;

  // Closes the connections that carry no request. (Go: `http.Client.CloseIdleConnections`)
  virtual void CloseIdleConnections() = 0;

  // Closes the connections that were opened with options equal to the argument. Requests on them
  // fail with kLost (transport_error.h), and so do those that wait for one, which can be sent
  // again; later requests with these options open others. Does not wait until they are closed. A
  // wrapper passes it on. Default: does nothing, for transports without connections. (client-go:
  // `connrotation.Dialer.CloseAll`)
  virtual void CloseConnections(const ConnectionOptions& /*connection*/) {}
};

// Makes a transport that wraps another. (client-go: `transport.WrapperFunc`)
using TransportWrapper = std::function<std::shared_ptr<Transport>(std::shared_ptr<Transport>)>;

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TRANSPORT_H_
