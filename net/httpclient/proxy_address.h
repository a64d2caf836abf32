#ifndef NET_HTTPCLIENT_PROXY_ADDRESS_H_
#define NET_HTTPCLIENT_PROXY_ADDRESS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::httpclient {

// The parts of a proxy's URL. A value.
struct ProxyAddress {
  enum class Scheme {
    kHttp,
    kHttps,   // HTTP, with TLS to the proxy itself
    kSocks5,  // the proxy resolves names, as with socks5h
  };
  Scheme scheme = Scheme::kHttp;
  std::string host = {};  // without brackets: "10.0.0.1", "fe80::1%eth0"
  int port = 0;           // default: 80, 443 or 1080, as in Go
  // "name:password" or "name", escaped. Secret.
  std::optional<std::string> user = {};

  // Returns a URL such as "socks5h://[::1]:1080", without the user.
  std::string url() const;
};

// Parses "http://proxy:3128", or a URL with https, socks5 or socks5h; "http://" may be omitted.
// Returns INVALID_ARGUMENT if it is malformed. The error quotes at most the scheme.
absl::StatusOr<ProxyAddress> ParseProxyAddress(absl::string_view url);

// Returns the value of a Proxy-Authorization header, such as "Basic dXNlcjpwdw==", exactly as Go
// does; "" if there is no user. Secret.
std::string ProxyAuthorization(const ProxyAddress& proxy);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_PROXY_ADDRESS_H_
