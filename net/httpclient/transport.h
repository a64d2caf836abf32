#ifndef NET_HTTPCLIENT_TRANSPORT_H_
#define NET_HTTPCLIENT_TRANSPORT_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "net/httpclient/http_message.h"

namespace kube::httpclient {

// Sends a request and gets the response. (http.RoundTripper)
//
// MakeHttpTransport makes the real one, over the network. Wrap it to log, trace, record or add
// headers; replace it for tests (ScriptedTransport). One transport may serve many clients, also of
// different clusters: it is theirs to share on purpose, and there is none behind the scenes.
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

  // Blocks until the header of the response has come or `ctx` is done; after that `ctx` does not
  // matter: reading the body has its own. No redirect is followed and nothing is tried again.
  //
  // Errors: ctx.status(), soon after it is done, and then the request is given up, whether or not
  // the server has seen it; INVALID_ARGUMENT for a request that cannot be sent; otherwise a
  // transport error, which says whether it was sent: see transport_error.h. A response with an
  // error code is no error here.
  virtual absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) = 0;

  // Closes the connections that have no request. (http.Client.CloseIdleConnections)
  virtual void CloseIdleConnections() = 0;
};

// Makes one transport of another. (transport.WrapperFunc)
using TransportWrapper = std::function<std::shared_ptr<Transport>(std::shared_ptr<Transport>)>;

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TRANSPORT_H_
