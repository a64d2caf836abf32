#ifndef CLIENTSET_REST_INTERNAL_REQUEST_HEADERS_H_
#define CLIENTSET_REST_INTERNAL_REQUEST_HEADERS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"

// Pure functions: thread-safe.
namespace kube::rest::internal {

// A key of ImpersonationConfig::extra as it stands in a header's name: "a/b" is "a%2Fb".
// (transport.headerKeyEscape)
std::string EscapeHeaderKey(absl::string_view key);

// Impersonate-User, -Uid, -Group and -Extra-…; none of nobody.
http::Headers ImpersonationHeaders(const ImpersonationConfig& impersonate);

// INVALID_ARGUMENT, without the value, if HTTP does not allow one of them.
absl::Status CheckHeaders(const http::Headers& headers);

// Everything that a request is sent with but credentials: its own headers, the type of its body,
// and those of `defaults` that it does not have. A header whose first value is empty counts as
// missing, and is replaced. A request with an Impersonate-User of its own gets none of the
// defaults' impersonation; one without gets all of it, besides the groups and extra that it has
// itself.
http::Headers HeadersOf(const Request& request, const http::Headers& defaults,
                        absl::string_view default_content_type);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REQUEST_HEADERS_H_
