#ifndef APIMACHINERY_ERRORS_HTTP_RESPONSE_H_
#define APIMACHINERY_ERRORS_HTTP_RESPONSE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"

namespace kube::errors {

// A longer body is not decoded: who reads one may stop here. Far more than any Status has.
inline constexpr size_t kMaxErrorBodyBytes = size_t{16} << 20;

// The most that the text of an error takes from a body.
inline constexpr size_t kMaxErrorTextBytes = 2048;

// What was asked for.
struct FailedRequest {
  // The HTTP method, upper-case.
  absl::string_view method = {};
  // Empty for a path that is no resource's: the error then does not name it.
  schema::GroupResource resource = {};
  absl::string_view name = {};
  // What a body without a Content-Type is taken for. Default: JSON.
  absl::string_view content_type = "application/json";
};

// An answer whose code is not 200 to 206.
struct ErrorResponse {
  int code = 0;
  // The headers of these names; empty where they are missing. Retry-After: see ParseRetryAfter.
  absl::string_view content_type = {};
  absl::string_view retry_after = {};
  absl::string_view body = {};
};

// The error of an answer; never OK. (client-go's Request.Do and Result.Error)
//
// A body that is a Status in JSON, YAML or protobuf, as its content type says, with the status
// "Failure", is the error as it is: whatever resource was asked for, a protobuf body of a custom
// one too. Otherwise the error follows from the code (GenericServerResponse), and
// IsUnexpectedServerError says yes to it: of a body of type "text/…" or of no type it has the text,
// without white space around it, at most kMaxErrorTextBytes; of others "unknown".
//
// Nothing else of the exchange gets into the error: no URL, no header but Retry-After. The present
// time, for a Retry-After that is a date, is base::Runtime's. Thread-safe.
absl::Status FromHttpResponse(const FailedRequest& request, const ErrorResponse& response);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_HTTP_RESPONSE_H_
