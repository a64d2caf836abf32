// Any text as a proxy, from the environment and from a kubeconfig: what is a proxy's URL leads to
// that proxy and nowhere else, what is none to an error, and no error shows a password.

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/curl_error.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/proxy.h"
#include "net/httpclient/proxy_address.h"
#include "net/url/url.h"

namespace kube::httpclient::internal {
namespace {

constexpr absl::string_view kCanary = "s3cretcanary";
constexpr absl::string_view kUrl = "https://10.1.2.3:6443/";
constexpr int kServerPort = 6443;

// Whether a text may not be shown: the canary stands before an "@", and is no part of a scheme.
bool IsSecret(absl::string_view text) {
  const size_t canary = text.find(kCanary);
  if (canary == absl::string_view::npos) return false;
  const size_t colon = text.find(':');
  const bool in_scheme =
      canary < colon && absl::StartsWith(text.substr(std::min(colon, text.size())), "://");
  return !in_scheme && absl::StrContains(text.substr(canary), '@');
}

// Where curl wants to connect to; it is not let.
struct Attempts {
  std::vector<int> ports = {};

  static curl_socket_t Open(void* self, curlsocktype, curl_sockaddr* address) {
    auto& attempts = *static_cast<Attempts*>(self);
    const int port = address->family == AF_INET6
                         ? reinterpret_cast<const sockaddr_in6&>(address->addr).sin6_port
                         : reinterpret_cast<const sockaddr_in&>(address->addr).sin_port;
    attempts.ports.push_back(ntohs(static_cast<uint16_t>(port)));
    return CURL_SOCKET_BAD;
  }
};

void Connect(const CurlOptions& options, bool secret) {
  const ProxyAddress& proxy = *options.proxy();
  static CURL* const easy = curl_easy_init();
  curl_easy_reset(easy);
  KUBE_CHECK(options.Apply(easy));
  // All names and addresses are known: nobody is asked.
  const CurlList resolve(curl_slist_append(
      curl_slist_append(nullptr, absl::StrCat("*:", proxy.port, ":127.0.0.2").c_str()),
      absl::StrCat("*:", kServerPort, ":127.0.0.3").c_str()));
  Attempts attempts;
  std::array<char, CURL_ERROR_SIZE> text = {};
  curl_easy_setopt(easy, CURLOPT_RESOLVE, resolve.get());
  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, text.data());
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &Attempts::Open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &attempts);
  const CURLcode code = curl_easy_perform(easy);
  KUBE_CHECK(code != CURLE_OK);
  for (const int port : attempts.ports) KUBE_CHECK_EQ(port, proxy.port);
  const absl::Status status =
      ErrorOf({.code = code, .text = text.data(), .authority = options.authority()});
  KUBE_CHECK(!secret || !absl::StrContains(status.message(), kCanary)) << status;
}

// `url` is not empty.
void Check(const std::string& url, bool secret) {
  const absl::StatusOr<ProxyAddress> proxy = ParseProxyAddress(url);
  KUBE_CHECK(!secret || proxy.ok() || !absl::StrContains(proxy.status().message(), kCanary))
      << proxy.status();
  const absl::StatusOr<url::Url> parsed = url::Parse(url);
  if (proxy.ok()) {
    KUBE_CHECK(proxy->port > 0 && proxy->port < 65536);
    // What curl is given is the same proxy, without its user.
    const absl::StatusOr<url::Url> again = url::Parse(proxy->url());
    KUBE_CHECK(again.ok()) << again.status();
    KUBE_CHECK(!again->user.has_value());
    KUBE_CHECK_EQ(url::HostName(again->host), proxy->host);
    KUBE_CHECK_EQ(url::Port(again->host), absl::StrCat(proxy->port));
    if (parsed.ok() && !parsed->host.empty()) KUBE_CHECK(parsed->user == proxy->user);
  }
  for (const bool tls : {true, false}) {
    const CurlOptions options(
        {.tls = tls, .host = "10.1.2.3", .port = kServerPort, .authority = "10.1.2.3:6443"},
        std::make_shared<ConnectionOptions>(ConnectionOptions{.proxy_url = url}), nullptr);
    KUBE_CHECK_EQ(options.proxy().has_value(), proxy.ok());
    KUBE_CHECK_EQ(options.proxy_status().ok(), proxy.ok());
    KUBE_CHECK(!secret || !absl::StrContains(options.proxy_status().message(), kCanary));
    if (proxy.ok()) Connect(options, secret);
  }
}

}  // namespace
}  // namespace kube::httpclient::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::httpclient::internal::Check;
  using kube::httpclient::internal::kCanary;
  if (size < 2) return 0;
  // The canary stands anywhere, or nowhere; once only, as that tells what it is.
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (absl::StrContains(text, kCanary)) return 0;
  if (data[0] < text.size()) text.insert(data[0], kCanary.data(), kCanary.size());
  const bool secret = kube::httpclient::internal::IsSecret(text);
  const std::string found =
      kube::httpclient::ProxyFor(kube::httpclient::internal::kUrl, {.https_proxy = text});
  KUBE_CHECK(!found.empty());
  Check(found, secret);
  Check(text, secret);
  // As a kubeconfig's goes on, which has one of these schemes. (clientcmd: ParseProxyUrl)
  const absl::StatusOr<kube::url::Url> parsed = kube::url::Parse(text);
  if (!parsed.ok()) return 0;
  for (const absl::string_view scheme : {"http", "https", "socks5"}) {
    if (parsed->scheme == scheme) Check(parsed->ToString(), secret);
  }
  return 0;
}
