#ifndef NET_HTTPCLIENT_PROXY_H_
#define NET_HTTPCLIENT_PROXY_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::httpclient {

// What the environment says about proxies. (httpproxy.Config)
struct ProxyEnvironment {
  // "http://proxy:3128", or without the scheme; https, socks5 and socks5h are others. Empty: none.
  std::string http_proxy = {};   // for http URLs
  std::string https_proxy = {};  // for https URLs
  // Who is reached without: hosts and domains ("example.com" with all below, ".example.com" without
  // itself), addresses and networks ("10.0.0.0/8"), each perhaps with a port; "*" is everybody.
  // Separated by commas.
  std::string no_proxy = {};
  // A CGI program: HTTP_PROXY is then what a client sent as header, and http_proxy is not believed.
  bool cgi = false;
};

// HTTP_PROXY, HTTPS_PROXY and NO_PROXY, else their names in lower case; REQUEST_METHOD for cgi. Not
// thread-safe where another thread changes the environment. (httpproxy.FromEnvironment)
ProxyEnvironment ProxyFromEnvironment();

// The proxy for a URL, as ConnectionOptions::proxy_url wants it; empty: none. Pure. "localhost" and
// loopback addresses never have one. A proxy that is no URL is returned as it is, and no client can
// be made with it; Go ignores it, and connects directly. (httpproxy.Config.ProxyFunc)
std::string ProxyFor(absl::string_view url, const ProxyEnvironment& environment);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_PROXY_H_
