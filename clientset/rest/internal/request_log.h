#ifndef CLIENTSET_REST_INTERNAL_REQUEST_LOG_H_
#define CLIENTSET_REST_INTERNAL_REQUEST_LOG_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "net/httpclient/http_message.h"

// What client-go logs of requests at the same verbosities, without secrets:
//   6  of each try its method, URL, status and time
//   7  headers of requests; 8 of responses too, and the first 1024 bytes of bodies
//   9  10240 bytes of bodies; 10 all
// Thread-safe.
namespace kube::rest::internal {

void LogRequest(const httpclient::HttpRequest& request);

// What came, or did not, `took` after the request.
void LogResponse(absl::string_view method, absl::string_view url,
                 const absl::StatusOr<httpclient::HttpResponse>& response, absl::Duration took);

// `what`: "request body". `is_secret`: HasSecretBodies.
void LogBody(absl::string_view what, absl::string_view body, bool is_secret);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REQUEST_LOG_H_
