#include "net/httpclient/proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "net/url/url.h"

namespace kube::httpclient {
namespace {

std::string Variable(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

// An address as 16 bytes; IPv4 addresses are mapped to ::ffff:0:0/96.
struct Address {
  std::array<uint8_t, 16> bytes = {};
  bool v4 = false;
};

std::optional<Address> ParseAddress(absl::string_view text) {
  const std::string copy(text);
  Address address;
  if (::inet_pton(AF_INET, copy.c_str(), address.bytes.data() + 12) == 1) {
    address.bytes[10] = address.bytes[11] = 0xff;
    address.v4 = true;
    return address;
  }
  address = {};
  if (::inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) != 1) return std::nullopt;
  static constexpr std::array<uint8_t, 12> kV4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  address.v4 = std::equal(kV4.begin(), kV4.end(), address.bytes.begin());
  return address;
}

bool IsLoopback(const Address& address) {
  if (address.v4) return address.bytes[12] == 127;
  Address loopback;
  loopback.bytes[15] = 1;
  return address.bytes == loopback.bytes;
}

// Returns whether `address` is in `network`; nullopt if `network` is not a network.
std::optional<bool> InNetwork(absl::string_view network, const Address& address) {
  const size_t slash = network.find('/');
  if (slash == absl::string_view::npos) return std::nullopt;
  const std::optional<Address> base = ParseAddress(network.substr(0, slash));
  const absl::string_view digits = network.substr(slash + 1);
  int bits = 0;
  if (!base.has_value() || digits.empty() ||
      !std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit) ||
      !absl::SimpleAtoi(digits, &bits)) {
    return std::nullopt;
  }
  const bool v4 = !absl::StrContains(network, ':');
  if (bits > (v4 ? 32 : 128)) return std::nullopt;
  if (v4) bits += 96;
  if (base->v4 != address.v4) return false;
  for (int i = 0; i < bits; ++i) {
    const int shift = 7 - i % 8;
    if (((base->bytes[i / 8] ^ address.bytes[i / 8]) >> shift & 1) != 0) return false;
  }
  return true;
}

struct HostPort {
  std::string host = {};
  std::string port = {};
};

// Splits as Go's `net.SplitHostPort`; returns nullopt if there is no port.
std::optional<HostPort> SplitHostPort(absl::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos) return std::nullopt;
  absl::string_view host = text.substr(0, colon);
  if (absl::StartsWith(host, "[")) {
    if (!absl::EndsWith(host, "]")) return std::nullopt;
    host = host.substr(1, host.size() - 2);
  } else if (absl::StrContains(host, ':')) {
    return std::nullopt;
  }
  return HostPort{.host = std::string(host), .port = std::string(text.substr(colon + 1))};
}

struct Target {
  bool https = false;
  std::string host = {};
  std::string port = {};
  std::optional<Address> address = {};
};

std::optional<Target> ParseTarget(absl::string_view text) {
  const absl::StatusOr<url::Url> url = url::Parse(text);
  if (!url.ok() || (url->scheme != "http" && url->scheme != "https")) return std::nullopt;
  Target target = {.https = url->scheme == "https",
                   .host = std::string(url::HostName(url->host)),
                   .port = std::string(url::Port(url->host))};
  if (target.port.empty()) target.port = target.https ? "443" : "80";
  target.address = ParseAddress(target.host);
  return target;
}

// Returns whether an element of NO_PROXY, in lower case, matches the target.
bool Matches(absl::string_view element, const Target& target) {
  if (target.address.has_value()) {
    const std::optional<bool> in_network = InNetwork(element, *target.address);
    if (in_network.has_value()) return *in_network;
  }
  HostPort wanted = SplitHostPort(element).value_or(HostPort{.host = std::string(element)});
  if (wanted.host.empty()) return false;
  if (!wanted.port.empty() && wanted.port != target.port) return false;
  const std::optional<Address> address = ParseAddress(wanted.host);
  if (address.has_value() != target.address.has_value()) return false;
  if (address.has_value()) return address->bytes == target.address->bytes;
  const std::string host = absl::AsciiStrToLower(target.host);
  absl::string_view domain = wanted.host;
  if (absl::StartsWith(domain, "*.")) domain.remove_prefix(1);
  if (absl::StartsWith(domain, ".")) return absl::EndsWith(host, domain);
  return host == domain || absl::EndsWith(host, absl::StrCat(".", domain));
}

bool IsExcepted(const Target& target, absl::string_view no_proxy) {
  if (target.host == "localhost") return true;
  if (target.address.has_value() && IsLoopback(*target.address)) return true;
  for (const absl::string_view part : absl::StrSplit(no_proxy, ',')) {
    const std::string element = absl::AsciiStrToLower(absl::StripAsciiWhitespace(part));
    if (element == "*" || (!element.empty() && Matches(element, target))) return true;
  }
  return false;
}

}  // namespace

ProxyEnvironment ProxyFromEnvironment() {
  return {.http_proxy = Variable({"HTTP_PROXY", "http_proxy"}),
          .https_proxy = Variable({"HTTPS_PROXY", "https_proxy"}),
          .no_proxy = Variable({"NO_PROXY", "no_proxy"}),
          .cgi = !Variable({"REQUEST_METHOD"}).empty()};
}

std::string ProxyFor(absl::string_view url, const ProxyEnvironment& environment) {
  const std::optional<Target> target = ParseTarget(url);
  if (!target.has_value()) return "";
  const std::string& proxy = target->https ? environment.https_proxy : environment.http_proxy;
  if (proxy.empty() || (!target->https && environment.cgi)) return "";
  if (IsExcepted(*target, environment.no_proxy)) return "";
  return absl::StrContains(proxy, "://") ? proxy : absl::StrCat("http://", proxy);
}

}  // namespace kube::httpclient
