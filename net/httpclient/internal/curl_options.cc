#include "net/httpclient/internal/curl_options.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/proxy_address.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

template <typename Value>
bool Set(CURL* easy, CURLoption option, Value value) {
  return curl_easy_setopt(easy, option, value) == CURLE_OK;
}

// Sets an option to `data`, which the handle points into; leaves the default if it is empty.
bool SetBlob(CURL* easy, CURLoption option, absl::string_view data) {
  if (data.empty()) return true;
  curl_blob blob = {
      .data = const_cast<char*>(data.data()), .len = data.size(), .flags = CURL_BLOB_NOCOPY};
  return Set(easy, option, &blob);
}

// A name that never resolves (RFC 6761): if curl tried to reach the server directly, bypassing the
// proxy, it would fail.
constexpr char kNowhere[] = "proxied.invalid";

// With a ConnectionDialer, curl connects a socket of which nothing is sent (see Dialer) to this
// address, so that no name is looked up.
constexpr char kConnectToPlaceholder[] = "::127.0.0.1:9";

// Returns the bytes of a literal address; "" if `host` is a name.
std::string AddressOf(absl::string_view host) {
  const std::string text(host.substr(0, host.find('%')));
  in6_addr v6;
  if (::inet_pton(AF_INET6, text.c_str(), &v6) == 1) {
    return std::string(reinterpret_cast<const char*>(&v6), sizeof(v6));
  }
  in_addr v4;
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) {
    return std::string(reinterpret_cast<const char*>(&v4), sizeof(v4));
  }
  return "";
}

}  // namespace

CurlOptions::CurlOptions(const Endpoint& endpoint,
                         std::shared_ptr<const ConnectionOptions> connection, CURLSH* share,
                         bool upgrade)
    : connection_(std::move(connection)),
      share_(share),
      tls_(endpoint.tls),
      upgrade_(upgrade),
      host_(endpoint.host),
      port_(endpoint.port),
      authority_(absl::StrCat(BracketHost(endpoint.host), ":", endpoint.port)),
      tls_name_(endpoint.tls && !connection_->tls_server_name.empty() ? connection_->tls_server_name
                                                                      : endpoint.host) {
  if (!connection_->proxy_url.empty() && !has_dialer()) {
    absl::StatusOr<ProxyAddress> proxy = ParseProxyAddress(connection_->proxy_url);
    if (proxy.ok()) {
      proxy_url_ = proxy->url();
      proxy_ = *std::move(proxy);
    } else {
      proxy_status_ = MakeTransportError(
          {.kind = TransportErrorKind::kProxy, .maybe_sent = false},
          absl::StrCat("connect to ", authority_, " via proxy: ", proxy.status().message()));
    }
  }
  url_ =
      absl::StrCat(tls_ ? "https://" : "http://",
                   plain_proxy().used ? kNowhere : BracketHost(tls_name_), ":", endpoint.port, "/");
  // Connects to the address of the host, but verifies the name `tls_name_`.
  if (has_dialer()) {
    connect_to_.reset(curl_slist_append(nullptr, kConnectToPlaceholder));
  } else if (tls_name_ != endpoint.host) {
    connect_to_.reset(curl_slist_append(nullptr, absl::StrCat("::", authority_).c_str()));
  }
  if (has_tunnel() && proxy_->user.has_value()) {
    proxy_headers_.reset(curl_slist_append(
        nullptr, absl::StrCat("Proxy-Authorization: ", ProxyAuthorization(*proxy_)).c_str()));
  }
}

bool CurlOptions::IsOnTheWay(const sockaddr& address) const {
  if (!proxy_.has_value()) return true;
  const std::string wanted = AddressOf(proxy_->host);
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    const absl::string_view bytes(reinterpret_cast<const char*>(&v4.sin_addr), sizeof(v4.sin_addr));
    return ntohs(v4.sin_port) == proxy_->port && (wanted.empty() || bytes == wanted);
  }
  if (address.sa_family != AF_INET6) return false;
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
  const absl::string_view bytes(reinterpret_cast<const char*>(&v6.sin6_addr), sizeof(v6.sin6_addr));
  return ntohs(v6.sin6_port) == proxy_->port && (wanted.empty() || bytes == wanted);
}

absl::string_view CurlOptions::looked_up_host() const {
  if (has_dialer()) return "";
  const std::string& host = proxy_.has_value() ? proxy_->host : host_;
  return AddressOf(host).empty() ? absl::string_view(host) : absl::string_view();
}

bool CurlOptions::one_each() const {
  if (upgrade_ || connection_->http_version == HttpVersion::kHttp1) return true;
  return !tls_ && !prior_knowledge();
}

bool CurlOptions::prior_knowledge() const {
  return !tls_ && !upgrade_ && connection_->http_version == HttpVersion::kHttp2Only;
}

absl::string_view CurlOptions::protocols() const {
  if (upgrade_) return "\x08http/1.1";
  switch (connection_->http_version) {
    case HttpVersion::kHttp1:
      return "\x08http/1.1";
    case HttpVersion::kHttp2Only:
      return "\x02h2";
    case HttpVersion::kAny:
      break;
  }
  return "\x02h2\x08http/1.1";
}

PlainProxy CurlOptions::plain_proxy() const {
  if (!has_http_proxy() || has_tunnel()) return {};
  return {.used = true, .authorization = ProxyAuthorization(*proxy_)};
}

bool CurlOptions::Apply(CURL* easy) const {
  const absl::Duration opening = connection_->connect_timeout + connection_->tls_handshake_timeout;
  // Every option is set explicitly, so that no environment variable or file takes effect.
  return Set(easy, CURLOPT_URL, url_.c_str()) && ApplyProtocol(easy) && ApplyProxy(easy) &&
         (!tls_ || ApplyTls(easy)) && Set(easy, CURLOPT_NOSIGNAL, 1L) &&
         Set(easy, CURLOPT_NETRC, long{CURL_NETRC_IGNORED}) &&
         Set(easy, CURLOPT_CONNECTTIMEOUT_MS, long{absl::ToInt64Milliseconds(opening)}) &&
#if LIBCURL_VERSION_NUM >= 0x075700
         // Without this, giving up waits for the resolver's thread.
         Set(easy, CURLOPT_QUICK_EXIT, 1L) &&
#endif
         Set(easy, CURLOPT_SHARE, share_);
}

bool CurlOptions::ApplyProtocol(CURL* easy) const {
#if LIBCURL_VERSION_NUM >= 0x075500
  if (!Set(easy, CURLOPT_PROTOCOLS_STR, "http,https")) return false;
#else
  if (!Set(easy, CURLOPT_PROTOCOLS, long{CURLPROTO_HTTP | CURLPROTO_HTTPS})) return false;
#endif
  // The protocol is negotiated without curl: see Dialer.
  return Set(easy, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1}) &&
         Set(easy, CURLOPT_SSL_ENABLE_ALPN, 0L);
}

bool CurlOptions::ApplyTls(CURL* easy) const {
  const ConnectionOptions& options = *connection_;
  const long verify = options.insecure_skip_tls_verify ? 0 : 1;  // NOLINT: curl's type
  bool ok = Set(easy, CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2}) &&
            Set(easy, CURLOPT_SSL_VERIFYPEER, verify) &&
            Set(easy, CURLOPT_SSL_VERIFYHOST, 2 * verify) &&
            SetBlob(easy, CURLOPT_SSLCERT_BLOB, options.client_certificate) &&
            SetBlob(easy, CURLOPT_SSLKEY_BLOB, options.client_key.Reveal()) &&
            // Without this, OpenSSL asks the terminal for the passphrase of an encrypted key.
            Set(easy, CURLOPT_KEYPASSWD, "");
  if (!options.ca_certificates.empty()) {
    // Without CURLOPT_CAPATH = null, the system's authorities would be trusted as well.
    ok = ok && SetBlob(easy, CURLOPT_CAINFO_BLOB, options.ca_certificates) &&
         Set(easy, CURLOPT_CAPATH, static_cast<char*>(nullptr));
  }
  if (connect_to_ != nullptr) ok = ok && Set(easy, CURLOPT_CONNECT_TO, connect_to_.get());
  return ok;
}

bool CurlOptions::ApplyProxy(CURL* easy) const {
  // "" disables proxies, even if the environment has one.
  bool ok = Set(easy, CURLOPT_PROXY, proxy_url_.c_str()) && Set(easy, CURLOPT_NOPROXY, "") &&
            Set(easy, CURLOPT_HTTPPROXYTUNNEL, has_tunnel() ? 1L : 0L) &&
            Set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) &&
            Set(easy, CURLOPT_HEADEROPT, long{CURLHEADER_SEPARATE});
  if (proxy_headers_ != nullptr) ok = ok && Set(easy, CURLOPT_PROXYHEADER, proxy_headers_.get());
  if (proxy_.has_value() && !has_http_proxy() && proxy_->user.has_value()) {
    // curl unescapes it.
    ok = ok && Set(easy, CURLOPT_PROXYUSERPWD, proxy_->user->c_str());
  }
  if (!has_tls_proxy()) return ok;
  const long verify = connection_->insecure_skip_tls_verify ? 0 : 1;  // NOLINT: curl's type
  ok = ok && Set(easy, CURLOPT_PROXY_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2}) &&
       Set(easy, CURLOPT_PROXY_SSL_VERIFYPEER, verify) &&
       Set(easy, CURLOPT_PROXY_SSL_VERIFYHOST, 2 * verify);
  if (connection_->ca_certificates.empty()) return ok;
  return ok && SetBlob(easy, CURLOPT_PROXY_CAINFO_BLOB, connection_->ca_certificates) &&
         Set(easy, CURLOPT_PROXY_CAPATH, static_cast<char*>(nullptr));
}

}  // namespace kube::httpclient::internal
