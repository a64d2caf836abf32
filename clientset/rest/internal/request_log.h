#ifndef CLIENTSET_REST_INTERNAL_REQUEST_LOG_H_
#define CLIENTSET_REST_INTERNAL_REQUEST_LOG_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "net/httpclient/http_message.h"

// Logs requests and responses as client-go does at the same verbosities, without secrets:
//    6  method, URL, status and duration of each try
//    7  also the request's headers
//    8  also the response's headers, and the first 1024 bytes of bodies
//    9  10240 bytes of bodies
//   10  whole bodies
// The lines have the log fields of `ctx`, the context of the request. Thread-safe.
namespace kube::rest::internal {

void LogRequest(const Context& ctx, const httpclient::HttpRequest& request);

// Logs the response, or the error if there was none, `took` after the request was sent.
void LogResponse(const Context& ctx, absl::string_view method, absl::string_view url,
                 const absl::StatusOr<httpclient::HttpResponse>& response, absl::Duration took);

// Logs a body. `what` names it ("request body"); `is_secret` is the result of HasSecretBodies.
void LogBody(const Context& ctx, absl::string_view what, absl::string_view body, bool is_secret);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REQUEST_LOG_H_
