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

}  // namespace kube::rest

#endif  // CLIENTSET_REST_PROXY_H_
