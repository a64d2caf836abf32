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

// Escapes a key of ImpersonationConfig::extra for the name of a header: "a/b" becomes "a%2Fb".
// (client-go: `transport.headerKeyEscape`)
std::string EscapeHeaderKey(absl::string_view key);

// Returns Impersonate-User, -Uid, -Group and -Extra-…; no headers if nobody is impersonated.
http::Headers ImpersonationHeaders(const ImpersonationConfig& impersonate);

// Returns INVALID_ARGUMENT if HTTP does not allow the name or the value of a header. The error does
// not contain the value.
absl::Status CheckHeaders(const http::Headers& headers);

// Returns all headers of a request except its credentials: its own headers, the type of its body,
// and those of `defaults` that it does not have itself. A header whose first value is empty counts
// as missing and is replaced. If the request has an Impersonate-User header of its own, no default
// impersonation header is added; otherwise all are, in addition to the groups and extra values of
// the request.
http::Headers HeadersOf(const Request& request, const http::Headers& defaults,
                        absl::string_view default_content_type);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REQUEST_HEADERS_H_
