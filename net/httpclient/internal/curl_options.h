#ifndef NET_HTTPCLIENT_INTERNAL_CURL_OPTIONS_H_
#define NET_HTTPCLIENT_INTERNAL_CURL_OPTIONS_H_

#include <curl/curl.h>
#include <sys/socket.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/proxy_address.h"

namespace kube::httpclient::internal {

template <auto kCleanUp>
struct CurlDeleter {
  template <typename T>
  void operator()(T* thing) const {
    kCleanUp(thing);
  }
};
using CurlEasy = std::unique_ptr<CURL, CurlDeleter<&curl_easy_cleanup>>;
using CurlMulti = std::unique_ptr<CURLM, CurlDeleter<&curl_multi_cleanup>>;
using CurlShare = std::unique_ptr<CURLSH, CurlDeleter<&curl_share_cleanup>>;
using CurlList = std::unique_ptr<curl_slist, CurlDeleter<&curl_slist_free_all>>;

// How curl opens connections to one server. It must outlive the handles to which it was applied,
// since they point into it. Immutable.
class CurlOptions {
 public:
  // `upgrade` means connections for requests with HttpRequest::upgrade: HTTP/1.1, and a tunnel
  // through every proxy.
  CurlOptions(const Endpoint& endpoint, std::shared_ptr<const ConnectionOptions> connection,
              CURLSH* share, bool upgrade = false);

  // Applies the options to a new handle; requires proxy_status() to be OK. Returns false if out of
  // memory, or if curl has no TLS.
  bool Apply(CURL* easy) const;

  // The proxy of all connections. curl gets it without the user, because curl quotes URLs in errors
  // and ignores a proxy whose user it cannot decode.
  const std::optional<ProxyAddress>& proxy() const { return proxy_; }
  // A transport error (kProxy) if ConnectionOptions::proxy_url is malformed; then no connection can
  // be opened.
  const absl::Status& proxy_status() const { return proxy_status_; }
  // Returns whether `address` is the proxy's, as far as can be told; true if there is no proxy.
  bool IsOnTheWay(const sockaddr& address) const;

  // Returns whether connections certainly take one request at a time (HTTP/1.1).
  bool one_each() const;
  // Returns whether HTTP/2 is spoken without TLS.
  bool prior_knowledge() const;
  // Return whether TLS is used at all, and with the proxy.
  bool uses_tls() const { return tls_ || has_tls_proxy(); }
  bool has_tls_proxy() const {
    return proxy_.has_value() && proxy_->scheme == ProxyAddress::Scheme::kHttps;
  }
  // Returns whether an HTTP proxy is asked for a tunnel (CONNECT).
  bool has_tunnel() const { return (tls_ || upgrade_) && has_http_proxy(); }
  // Returns whether the connections are for requests that ask for another protocol.
  bool upgrade() const { return upgrade_; }
  // Returns whether ConnectionOptions::dialer opens the connections; then there is no proxy, and
  // curl only does the TLS handshake.
  bool has_dialer() const { return connection_->dialer != nullptr; }
  // Returns the protocols to offer by ALPN, in its wire format.
  absl::string_view protocols() const;
  // Returns whether requests without TLS are sent to an HTTP proxy in absolute form.
  PlainProxy plain_proxy() const;

  const ConnectionOptions& connection() const { return *connection_; }
  const std::string& authority() const { return authority_; }
  const std::string& tls_name() const { return tls_name_; }
  DialAddress dial_address() const { return {.host = host_, .port = port_}; }
  // Returns the name whose address is looked up: the proxy's, if there is one. Returns "" if that
  // is an address already, or with a dialer.
  absl::string_view looked_up_host() const;

 private:
  bool has_http_proxy() const {
    return proxy_.has_value() && proxy_->scheme != ProxyAddress::Scheme::kSocks5;
  }
  bool ApplyProtocol(CURL* easy) const;
  bool ApplyTls(CURL* easy) const;
  bool ApplyProxy(CURL* easy) const;

  const std::shared_ptr<const ConnectionOptions> connection_;
  CURLSH* const share_;
  const bool tls_;
  const bool upgrade_;
  const std::string host_;
  const int port_;
  const std::string authority_;  // always with the port
  const std::string tls_name_;
  absl::Status proxy_status_;
  std::optional<ProxyAddress> proxy_;
  std::string proxy_url_;
  std::string url_;
  CurlList connect_to_;
  CurlList proxy_headers_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CURL_OPTIONS_H_
