#include "net/httpclient/proxy_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "net/url/path.h"
#include "net/url/url.h"

namespace kube::httpclient {
namespace {

using Scheme = ProxyAddress::Scheme;

constexpr int kMaxPort = 65535;

// A text without "://", such as "proxy:3128" or "user:password@proxy", gets the scheme http.
absl::StatusOr<url::Url> ParseWithScheme(absl::string_view text) {
  if (absl::StrContains(text, "://")) return url::Parse(text);
  return url::Parse(absl::StrCat("http://", text));
}

std::optional<Scheme> SchemeOf(absl::string_view name) {
  if (name == "http") return Scheme::kHttp;
  if (name == "https") return Scheme::kHttps;
  if (name == "socks5" || name == "socks5h") return Scheme::kSocks5;
  return std::nullopt;
}

int DefaultPort(Scheme scheme) {
  return scheme == Scheme::kHttp ? 80 : scheme == Scheme::kHttps ? 443 : 1080;
}

bool IsNameCharacter(unsigned char c) {
  return absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '_' || c >= 0x80;
}

bool IsAscii(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

// Returns whether `host` has only characters without a meaning in a URL, also for curl.
bool IsHost(absl::string_view host) {
  const absl::string_view address = host.substr(0, host.find('%'));
  const absl::string_view zone = host.substr(std::min(address.size() + 1, host.size()));
  in6_addr parsed;
  if (absl::StrContains(address, ':')) {
    if (::inet_pton(AF_INET6, std::string(address).c_str(), &parsed) != 1) return false;
    if (zone.empty() && address.size() != host.size()) return false;
    return std::all_of(zone.begin(), zone.end(), IsNameCharacter);
  }
  return std::all_of(host.begin(), host.end(), IsNameCharacter);
}

}  // namespace

std::string ProxyAddress::url() const {
  const absl::string_view name = scheme == Scheme::kHttp    ? "http"
                                 : scheme == Scheme::kHttps ? "https"
                                                            : "socks5h";
  if (!absl::StrContains(host, ':')) return absl::StrCat(name, "://", host, ":", port);
  const size_t zone = host.find('%');
  if (zone == std::string::npos) return absl::StrCat(name, "://[", host, "]:", port);
  return absl::StrCat(name, "://[", host.substr(0, zone), "%25", host.substr(zone + 1), "]:", port);
}

absl::StatusOr<ProxyAddress> ParseProxyAddress(absl::string_view url) {
  KUBE_ASSIGN_OR_RETURN(const url::Url parsed, ParseWithScheme(url), "proxy_url");
  const std::optional<Scheme> scheme = SchemeOf(parsed.scheme);
  if (!scheme.has_value()) {
    // Only a scheme that "://" and a host follow is quoted; anything else may be a user's name.
    const bool shown =
        !parsed.host.empty() && absl::StartsWithIgnoreCase(url, absl::StrCat(parsed.scheme, "://"));
    return absl::InvalidArgumentError(absl::StrCat(
        "proxy_url: unsupported scheme", shown ? absl::StrCat(" \"", parsed.scheme, "\"") : "",
        ", must be http, https, socks5 or socks5h"));
  }
  // In "http://user:/password@proxy" the parsed host is the user's name, which an error would show.
  for (const std::string* const part : {&parsed.path, &parsed.query, &parsed.fragment}) {
    if (!absl::StrContains(*part, '@')) continue;
    return absl::InvalidArgumentError(
        "proxy_url: \"@\" after the host, percent-encode the user name and the password");
  }
  ProxyAddress proxy = {.scheme = *scheme,
                        .host = std::string(url::HostName(parsed.host)),
                        .port = DefaultPort(*scheme),
                        .user = parsed.user};
  if (proxy.host.empty()) return absl::InvalidArgumentError("proxy_url: no host");
  if (!IsHost(proxy.host)) return absl::InvalidArgumentError("proxy_url: invalid host");
  // Certificates contain the ASCII form of a name.
  if (proxy.scheme == Scheme::kHttps && !IsAscii(proxy.host)) {
    return absl::InvalidArgumentError(
        "proxy_url: host is not ASCII, use its Punycode form (\"xn--...\")");
  }
  const absl::string_view port = url::Port(parsed.host);
  if (!port.empty() &&
      (!absl::SimpleAtoi(port, &proxy.port) || proxy.port < 1 || proxy.port > kMaxPort)) {
    return absl::InvalidArgumentError("proxy_url: invalid port");
  }
  if (proxy.scheme == Scheme::kSocks5 && proxy.user.has_value()) {
    // SOCKS encodes each length in one byte (RFC 1929), and curl's strings end at a zero byte.
    const size_t colon = std::min(proxy.user->find(':'), proxy.user->size());
    for (const absl::string_view part :
         {absl::string_view(*proxy.user).substr(0, colon),
          absl::string_view(*proxy.user).substr(std::min(colon + 1, proxy.user->size()))}) {
      const std::string plain = url::UnescapePath(part).value_or("");
      if (plain.size() > 255 || absl::StrContains(plain, '\0')) {
        return absl::InvalidArgumentError(
            "proxy_url: user name and password for SOCKS must have at most 255 bytes and no NUL");
      }
    }
  }
  return proxy;
}

std::string ProxyAuthorization(const ProxyAddress& proxy) {
  if (!proxy.user.has_value()) return "";
  std::string user = url::UnescapePath(*proxy.user).value_or("");
  if (!absl::StrContains(*proxy.user, ':')) user += ':';
  return absl::StrCat("Basic ", absl::Base64Escape(user));
}

}  // namespace kube::httpclient
