#ifndef CLIENTSET_REST_INTERNAL_CURL_OPTIONS_H_
#define CLIENTSET_REST_INTERNAL_CURL_OPTIONS_H_

#include <curl/curl.h>

#include <memory>
#include <string>

#include "clientset/rest/http_message.h"
#include "clientset/rest/internal/endpoint.h"

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

// What all requests to one server have in common. Outlives the handles that it was applied to: they
// point into it.
class CurlOptions {
 public:
  CurlOptions(const Endpoint& endpoint, std::shared_ptr<const ConnectionOptions> connection,
              CURLSH* share);

  // To a new handle. False: out of memory, or curl is one without TLS.
  bool Apply(CURL* easy) const;

  // The URL that curl must be given for one of the server's: see tls_server_name.
  std::string UrlOf(const Endpoint& endpoint) const;
  // Whether its host differs from the one that the server must see in the request.
  bool needs_host() const { return needs_host_; }
  // Whether a connection is for one request at a time, for certain.
  bool one_each() const;
  // HTTP/2 without TLS. Its connections are not used again: curl 7.88 begins HTTP/2 a second time
  // on them.
  bool prior_knowledge() const;

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
  const bool needs_host_;
  const std::string tls_name_;
  std::string proxy_url_;
  CurlList connect_to_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CURL_OPTIONS_H_
