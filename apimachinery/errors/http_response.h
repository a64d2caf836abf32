#ifndef APIMACHINERY_ERRORS_HTTP_RESPONSE_H_
#define APIMACHINERY_ERRORS_HTTP_RESPONSE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"

namespace kube::errors {

// Longer bodies are not decoded, so a reader may stop here. The limit is far above the size of any
// Status.
inline constexpr size_t kMaxErrorBodyBytes = size_t{16} << 20;

// The maximum number of bytes of a body that become part of an error's message.
inline constexpr size_t kMaxErrorTextBytes = 2048;

// Describes the request that failed.
struct FailedRequest {
  // The HTTP method, upper-case.
  absl::string_view method = {};
  // Empty if the path is not that of a resource; the error then does not name it.
  schema::GroupResource resource = {};
  absl::string_view name = {};
  // The content type assumed for a body without a Content-Type header. Default: JSON.
  absl::string_view content_type = "application/json";
};

// A response whose code is not in the range 200 to 206.
struct ErrorResponse {
  int code = 0;
  // The values of these headers, or empty. For Retry-After see ParseRetryAfter.
  absl::string_view content_type = {};
  absl::string_view retry_after = {};
  absl::string_view body = {};
};

// Returns the error of a response; never OK. client-go: `Request.Do` and `Result.Error`.
//
// If the body is a Status with the status "Failure" in JSON, YAML or protobuf, as its content type
// says, it becomes the error, whatever resource was requested. Otherwise the error is that of
// GenericServerResponse for the code, and IsUnexpectedServerError returns true for it. Its message
// then includes a body of type "text/…" or without a type, trimmed and cut after
// kMaxErrorTextBytes; for other types it includes "unknown".
//
// The error contains nothing else of the exchange: no URL, and no header except Retry-After. If
// Retry-After is a date, it is compared with the time of base::Runtime. Thread-safe.
absl::Status FromHttpResponse(const FailedRequest& request, const ErrorResponse& response);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_HTTP_RESPONSE_H_
