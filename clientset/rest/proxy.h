#ifndef CLIENTSET_REST_PROXY_H_
#define CLIENTSET_REST_PROXY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::rest {

// What an environment says of proxies; the names of variables are those of golang.org/x/net's
// httpproxy, which reads the upper-case one first, then the lower-case one.
struct ProxyEnvironment {
  std::string http_proxy = {};
  std::string https_proxy = {};
  // Names, with subdomains ("example.com"; ".example.com": of subdomains alone), addresses and
  // networks ("10.0.0.0/8"), with a port or without, between commas. "*": all.
  std::string no_proxy = {};
  // REQUEST_METHOD is set: a CGI program, whose HTTP_PROXY may be its client's header Proxy.
  bool is_cgi = false;
};

// The process' own.
ProxyEnvironment ReadProxyEnvironment();

// The proxy for requests to `url`, as ConnectionOptions::proxy_url wants it; empty: none, which is
// always so for localhost and the addresses of loopback. INVALID_ARGUMENT, naming the variable and
// not its value, if that is no URL. Pure: thread-safe. (httpproxy.Config.ProxyFunc)
absl::StatusOr<std::string> ProxyFor(absl::string_view url, const ProxyEnvironment& environment);

// Both in one. (http.ProxyFromEnvironment)
absl::StatusOr<std::string> ProxyFromEnvironment(absl::string_view url);
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
// loopback addresses never have one. Differs from Go in that a proxy that is no URL is no error: it
// is returned as it is, and connecting to it fails. (httpproxy.Config.ProxyFunc)
std::string ProxyFor(absl::string_view url, const ProxyEnvironment& environment);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_PROXY_H_
