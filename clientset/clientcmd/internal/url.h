#ifndef CLIENTSET_CLIENTCMD_INTERNAL_URL_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_URL_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Addresses as Go's net/url takes them apart, as far as kubeconfig files need it: what it refuses,
// and what it makes of the rest, decide whether credentials are sent.
namespace kube::clientcmd::internal {

struct Url {
  std::string scheme;  // in lower case
  std::string opaque;  // what follows the scheme without a slash
  std::string user;    // "name:password", escaped
  bool has_user = false;
  std::string host;  // "h:1", "[::1]:1"
  bool omits_host = false;
  std::string path;  // escaped
  bool forces_query = false;
  std::string query;
  std::string fragment;  // escaped
};

// (url.Parse, url.ParseRequestURI) Nothing where Go has an error.
std::optional<Url> ParseUrl(absl::string_view text);
std::optional<Url> ParseRequestUri(absl::string_view text);

// (URL.String)
std::string ToString(const Url& url);

// Of a server's address with a path: without query and fragment. Others stay as they are.
std::string WithoutQuery(absl::string_view server);

// Whether a client without any settings of TLS would speak TLS to this server.
// (rest.IsConfigTransportTLS)
bool IsTls(absl::string_view server);

// For messages: the name and password in an address, even a malformed one, are hidden.
std::string WithoutUser(absl::string_view text);

// A proxy's address, written anew. INVALID_ARGUMENT with upstream's cause. (parseProxyURL)
absl::StatusOr<std::string> ParseProxyUrl(absl::string_view text);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_URL_H_
