#ifndef CLIENTSET_REST_INTERNAL_REDACTION_H_
#define CLIENTSET_REST_INTERNAL_REDACTION_H_

#include <string>

#include "absl/strings/string_view.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"

// What may be shown to people of a request and its response. Pure functions: thread-safe.
namespace kube::rest::internal {

// The value of a header, for a log; "<masked>" where it may be a credential, after the scheme
// ("Bearer <masked>") if that is a known one. (transport.maskValue, which knows Authorization
// alone)
std::string ShownHeaderValue(absl::string_view name, absl::string_view value);

// "accept: application/json\nauthorization: Bearer <masked>\n", sorted.
std::string ShownHeaders(const http::Headers& headers);

// The URL without user and without the values of parameters that may be credentials.
std::string ShownUrl(absl::string_view url);

// The URL of a proxy, or what a user took for one, without whatever may be its user and password.
std::string ShownProxyUrl(absl::string_view url);

// Whether bodies of this request and its responses may be credentials: Secrets, tokens, and what
// goes through a proxy to programs that we know nothing of.
bool HasSecretBodies(const Request& request);

// A body, as much of it as the verbosity allows (1024 bytes at 8, 10240 at 9, all at 10).
// Of one that is no text, such as protobuf, its size alone: names and values stand readable in it.
std::string ShownBody(absl::string_view body, int verbosity);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REDACTION_H_
