#ifndef CLIENTSET_REST_INTERNAL_REDACTION_H_
#define CLIENTSET_REST_INTERNAL_REDACTION_H_

#include <string>

#include "absl/strings/string_view.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"

// Redaction: what logs and messages may show of a request and its response. Pure functions:
// thread-safe.
namespace kube::rest::internal {

// Returns the value of a header for a log. A value that may be a credential becomes "<masked>"; a
// well-known scheme before it is kept ("Bearer <masked>"). (client-go: `transport.maskValue`, which
// masks only Authorization)
std::string ShownHeaderValue(absl::string_view name, absl::string_view value);

// Returns all headers, sorted: "accept: application/json\nauthorization: Bearer <masked>\n".
std::string ShownHeaders(const http::Headers& headers);

// Returns the URL without its user, and with the values of query parameters masked that may be
// credentials.
std::string ShownUrl(absl::string_view url);

// Returns the URL of a proxy, or the text that was meant to be one, without anything that may be a
// user and a password.
std::string ShownProxyUrl(absl::string_view url);

// Returns whether the bodies of this request and its responses may contain credentials. This is the
// case for Secrets and tokens, and for requests that are proxied to other programs.
bool HasSecretBodies(const Request& request);

// Returns as much of a body as the verbosity allows: 1024 bytes at 8, 10240 at 9, all of it at 10.
// Returns only the size of a binary body such as protobuf, because names and values would be
// readable in it.
std::string ShownBody(absl::string_view body, int verbosity);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REDACTION_H_
