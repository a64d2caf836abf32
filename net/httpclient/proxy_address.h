#ifndef NET_HTTPCLIENT_PROXY_ADDRESS_H_
#define NET_HTTPCLIENT_PROXY_ADDRESS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::httpclient {

// A proxy, taken apart from its URL. A value.
struct ProxyAddress {
  enum class Scheme {
    kHttp,
    kHttps,   // HTTP, with TLS to the proxy itself
    kSocks5,  // the proxy resolves names: socks5 and socks5h are the same, as in Go
  };
  Scheme scheme = Scheme::kHttp;
  std::string host = {};  // without brackets: "proxy", "10.0.0.1", "fe80::1%eth0"
  int port = 0;           // by default 80, 443 and 1080, as in Go
  // "name:password" or "name", both escaped. A secret.
  std::optional<std::string> user = {};

  // "socks5h://[::1]:1080": never with the user.
  std::string url() const;
};

// INVALID_ARGUMENT if it is no URL of a proxy: "http://proxy:3128", https, socks5 or socks5h.
// "http://" may be missing. The error quotes the scheme at most.
absl::StatusOr<ProxyAddress> ParseProxyAddress(absl::string_view url);

// "Basic dXNlcjpwdw==", the value of a Proxy-Authorization header, byte for byte as Go's; "" if
// there is no user. A secret.
std::string ProxyAuthorization(const ProxyAddress& proxy);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_PROXY_ADDRESS_H_
