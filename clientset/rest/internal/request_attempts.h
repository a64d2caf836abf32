#ifndef CLIENTSET_REST_INTERNAL_REQUEST_ATTEMPTS_H_
#define CLIENTSET_REST_INTERNAL_REQUEST_ATTEMPTS_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/internal/client_core.h"
#include "clientset/rest/internal/retry.h"
#include "clientset/rest/request.h"
#include "clientset/rest/trace.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {

// One request with all its tries, from building its URL to a successful response. (client-go:
// `rest.Request.request`)
//
// Thread-compatible. Send may be called once. The client and the request must outlive it.
class RequestAttempts {
 public:
  // `upgrade` means that the request asks for another protocol: only 101 is a success, redirects
  // are not followed, and there is no timeout.
  RequestAttempts(const ClientCore& client, const Request& request, bool upgrade = false);

  // Blocks until there is a successful response, whose body is still to be read, or a final error,
  // which does not yet describe the request. Once the request's timeout has begun, `ctx` is
  // replaced by the context that ends with it.
  absl::StatusOr<httpclient::HttpResponse> Send(Context& ctx);

  // Returns whether the final error is an answer of the server.
  bool refused() const { return refused_; }

  // Logs a response body that was read completely.
  void LogResponseBody(const Context& ctx, absl::string_view body) const;

  // Returns the span, or null if there is no tracer or the span was taken before.
  std::unique_ptr<Span> TakeSpan() { return std::move(span_); }

 private:
  absl::StatusOr<httpclient::HttpResponse> SendTries(const Context& ctx);
  absl::Status WaitForTurn(const Context& ctx, absl::string_view reason);
  // Waits before a try: for the back-off, for `step.wait` and, before a retry, for the rate
  // limiter. For the first try, `step` is empty.
  absl::Status BeforeTry(const Context& ctx, const RetryStep& step);
  absl::StatusOr<httpclient::HttpResponse> Try(const Context& ctx);
  // Returns a request with the current authentication. Each try and each redirect needs a new one,
  // because the transport takes it.
  httpclient::HttpRequest MakeRequest(const std::string& url) const;
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx, const std::string& url);
  TryOutcome AfterTry(const absl::StatusOr<httpclient::HttpResponse>& response);
  bool IsSuccess(int status) const;
  // After a 401, returns whether there is another credential to try.
  bool RenewCredential(const Context& ctx);
  absl::StatusOr<httpclient::HttpResponse> Finish(
      const Context& ctx, absl::StatusOr<httpclient::HttpResponse> response);
  void HandleWarnings(const Context& ctx, const http::Headers& headers) const;

  const ClientCore& client_;
  const bool upgrade_;
  const std::unique_ptr<const Request> adjusted_request_;
  const Request& request_;
  const bool has_secret_bodies_;
  RetryState retry_;
  PreviousErrors previous_errors_;
  std::unique_ptr<Span> span_;
  std::string url_;
  http::Headers headers_;
  // The credentials of the last try.
  std::shared_ptr<const Authentication> authentication_;
  // Why the credentials could not be renewed after a 401.
  absl::Status renewal_error_;
  int tries_ = 0;
  bool refused_ = false;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REQUEST_ATTEMPTS_H_
