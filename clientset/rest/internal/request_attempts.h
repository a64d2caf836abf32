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

// One request with all its tries, from its URL to a response of success. (rest.Request.request)
//
// Thread-compatible; Send once. The client and the request outlive it.
class RequestAttempts {
 public:
  RequestAttempts(const ClientCore& client, const Request& request);

  // Blocks until there is a response of success, whose body is still to be read, or an error that
  // is final; it does not yet say what was asked. `ctx` becomes the one that ends with the
  // request's timeout, once that has begun.
  absl::StatusOr<httpclient::HttpResponse> Send(Context& ctx);

  // Of a body that was read whole.
  void LogResponseBody(absl::string_view body) const;

  // Null: nobody traces, or it was taken.
  std::unique_ptr<Span> TakeSpan() { return std::move(span_); }

 private:
  absl::StatusOr<httpclient::HttpResponse> SendTries(const Context& ctx);
  absl::Status WaitForTurn(const Context& ctx, absl::string_view reason);
  // Of the first try, `step` says nothing.
  absl::Status BeforeTry(const Context& ctx, const RetryStep& step);
  absl::StatusOr<httpclient::HttpResponse> Try(const Context& ctx);
  // With the last authentication. Of each try and redirect its own: the transport keeps it.
  httpclient::HttpRequest MakeRequest(const std::string& url) const;
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx, const std::string& url);
  TryOutcome AfterTry(const absl::StatusOr<httpclient::HttpResponse>& response);
  bool IsSuccess(int status) const;
  // Whether the server's 401 is worth a try with another credential.
  bool RenewCredential(const Context& ctx);
  absl::StatusOr<httpclient::HttpResponse> Finish(
      const Context& ctx, absl::StatusOr<httpclient::HttpResponse> response);
  void HandleWarnings(const http::Headers& headers) const;

  const ClientCore& client_;
  const std::unique_ptr<const Request> request_with_timeout_;
  const Request& request_;
  const bool has_secret_bodies_;
  RetryState retry_;
  PreviousErrors previous_errors_;
  std::unique_ptr<Span> span_;
  std::string url_;
  http::Headers headers_;
  // What the last try was sent with.
  std::shared_ptr<const Authentication> authentication_;
  // Why a 401 stayed what it was.
  absl::Status renewal_error_;
  int tries_ = 0;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REQUEST_ATTEMPTS_H_
