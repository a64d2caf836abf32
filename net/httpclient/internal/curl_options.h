#ifndef NET_HTTPCLIENT_INTERNAL_CURL_OPTIONS_H_
#define NET_HTTPCLIENT_INTERNAL_CURL_OPTIONS_H_

#include <curl/curl.h>
#include <sys/socket.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
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

// How curl opens connections to one server. Outlives the handles that it was applied to: they point
// into it.
class CurlOptions {
 public:
  CurlOptions(const Endpoint& endpoint, std::shared_ptr<const ConnectionOptions> connection,
              CURLSH* share);

  // To a new handle; not if proxy_status() is an error. False: out of memory, or curl is one
  // without TLS.
  bool Apply(CURL* easy) const;

  // The proxy that all connections go through. It is given to curl without its user: curl quotes
  // URLs in errors, and goes on without a proxy whose user it cannot decode.
  const std::optional<ProxyAddress>& proxy() const { return proxy_; }
  // A transport error (kProxy) if ConnectionOptions::proxy_url is no proxy's. Then there are no
  // connections.
  const absl::Status& proxy_status() const { return proxy_status_; }
  // Whether a connection to `address` leads to the proxy, as far as can be told, or there is none.
  bool IsOnTheWay(const sockaddr& address) const;

  // Whether a connection is for one request at a time, for certain.
  bool one_each() const;
  // HTTP/2 without TLS.
  bool prior_knowledge() const;
  // Whether there is any, and with the proxy.
  bool uses_tls() const { return tls_ || has_tls_proxy(); }
  bool has_tls_proxy() const {
    return proxy_.has_value() && proxy_->scheme == ProxyAddress::Scheme::kHttps;
  }
  // Whether a proxy of HTTP is asked for a tunnel (CONNECT).
  bool has_tunnel() const { return tls_ && has_http_proxy(); }
  // What may be spoken, for ALPN, in its format.
  absl::string_view protocols() const;
  // Of requests without TLS: whether a proxy gets them as such.
  PlainProxy plain_proxy() const;

  const ConnectionOptions& connection() const { return *connection_; }
  const std::string& authority() const { return authority_; }
  const std::string& tls_name() const { return tls_name_; }

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
  const std::string authority_;  // with the port, always
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
