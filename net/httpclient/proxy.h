#ifndef NET_HTTPCLIENT_PROXY_H_
#define NET_HTTPCLIENT_PROXY_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::httpclient {

// The settings of proxies in the environment. (Go: `httpproxy.Config`)
struct ProxyEnvironment {
  // "http://proxy:3128", with or without a scheme (http, https, socks5 or socks5h). Empty: none.
  std::string http_proxy = {};   // for http URLs
  std::string https_proxy = {};  // for https URLs
  // The hosts that are reached without a proxy, separated by commas: domains ("example.com" with
  // its subdomains, ".example.com" only the subdomains), addresses and networks ("10.0.0.0/8"). A
  // host or address may have a port. "*" matches all hosts.
  std::string no_proxy = {};
  // Whether this is a CGI program. There HTTP_PROXY may come from a header of the client, so
  // `http_proxy` is ignored.
  bool cgi = false;
};

// Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or their lower-case names, and REQUEST_METHOD for
// `cgi`. Not thread-safe if another thread changes the environment.
// (Go: `httpproxy.FromEnvironment`)
ProxyEnvironment ProxyFromEnvironment();

// Returns the proxy for a URL in the form of ConnectionOptions::proxy_url, or "" for no proxy.
// "localhost" and loopback addresses never have one. A malformed proxy is returned as it is, so
// that making a client with it fails; Go ignores it and connects directly. Thread-safe.
// (Go: `httpproxy.Config.ProxyFunc`)
std::string ProxyFor(absl::string_view url, const ProxyEnvironment& environment);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_PROXY_H_
