#ifndef CLIENTSET_REST_INTERNAL_CURL_OPTIONS_H_
#define CLIENTSET_REST_INTERNAL_CURL_OPTIONS_H_

#include <curl/curl.h>

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "clientset/rest/http_message.h"
#include "clientset/rest/internal/endpoint.h"
#include "clientset/rest/internal/session.h"

namespace kube::rest::internal {

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

  // To a new handle. False: out of memory, or curl is one without TLS.
  bool Apply(CURL* easy) const;

  // Whether a connection is for one request at a time, for certain.
  bool one_each() const;
  // HTTP/2 without TLS.
  bool prior_knowledge() const;
  // Whether there is any, and with the proxy.
  bool uses_tls() const { return tls_ || has_tls_proxy(); }
  bool has_tls_proxy() const;
  // What may be spoken, for ALPN, in its format.
  absl::string_view protocols() const;
  // Of requests without TLS: whether a proxy gets them as such.
  PlainProxy plain_proxy() const;

  const ConnectionOptions& connection() const { return *connection_; }
  const std::string& authority() const { return authority_; }
  const std::string& tls_name() const { return tls_name_; }

 private:
  bool ApplyProtocol(CURL* easy) const;
  bool ApplyTls(CURL* easy) const;
  bool ApplyProxy(CURL* easy) const;

  const std::shared_ptr<const ConnectionOptions> connection_;
  CURLSH* const share_;
  const bool tls_;
  const std::string authority_;  // with the port, always
  const std::string tls_name_;
  std::string url_;
  std::string proxy_url_;
  CurlList connect_to_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CURL_OPTIONS_H_
