#ifndef CLIENTSET_REST_INTERNAL_URL_H_
#define CLIENTSET_REST_INTERNAL_URL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// URLs as Go's net/url takes them apart and writes them, as far as a client of an API server needs
// it. Pure functions: thread-safe.
namespace kube::rest::internal {

// "https://user@host:6443/base?query#fragment"
struct Url {
  std::string scheme = {};  // in lower case
  bool has_user = false;
  std::string host = {};  // with the port, and the brackets of an IPv6 address
  std::string path = {};  // as it is written: escaped
  bool has_query = false;
  std::string query = {};
  bool has_fragment = false;
};

// INVALID_ARGUMENT, with a text that shows nothing of a user's password. A text without a scheme
// and "//" is a path. (url.Parse)
absl::StatusOr<Url> ParseUrl(absl::string_view text);

// Without the port and brackets: "10.0.0.1", "::1". (URL.Hostname)
std::string HostName(absl::string_view host);
// "6443"; "" where there is none. (URL.Port)
std::string PortOf(absl::string_view host);

// 127.0.0.0/8, ::1 or localhost: what is sent there stays on the machine.
bool IsLoopback(absl::string_view host_name);

// "%2F" is "/". INVALID_ARGUMENT for a "%" without two digits. (url.PathUnescape)
absl::StatusOr<std::string> UnescapePath(absl::string_view path);

// As it stands in a URL: all but letters, digits and "-_.~$&+,/:;=@" is "%XX". (URL.EscapedPath)
std::string EscapePath(absl::string_view path);

// A path that begins with "/", without empty elements, "." and "..", and without a "/" at the end
// but of "/" itself. (path.Clean)
std::string CleanPath(absl::string_view path);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_URL_H_
