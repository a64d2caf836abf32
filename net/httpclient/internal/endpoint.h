#ifndef NET_HTTPCLIENT_INTERNAL_ENDPOINT_H_
#define NET_HTTPCLIENT_INTERNAL_ENDPOINT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::httpclient::internal {

// The destination of a URL.
struct Endpoint {
  bool tls = false;
  // In lower case, without the brackets of an IPv6 address.
  std::string host = {};
  int port = 0;
  // As in the URL: "10.0.0.1:6443", "[::1]", "example.org".
  std::string authority = {};
  // The URL from the path on, without the fragment.
  std::string target = {};
};

// Parses an absolute http or https URL. Written for speed, since it runs for each request:
// url::Parse takes twice as long and accepts more. Returns INVALID_ARGUMENT for any other URL, and
// for one with a user or with characters that must be escaped. The error quotes at most the scheme
// and host.
absl::StatusOr<Endpoint> ParseEndpoint(absl::string_view url);

// Returns the host, in brackets if it is an IPv6 address.
std::string BracketHost(absl::string_view host);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_ENDPOINT_H_
