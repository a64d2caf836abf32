#include "net/url/internal/authority.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "net/url/internal/escape.h"

namespace kube::url::internal {
namespace {

constexpr size_t kNowhere = absl::string_view::npos;

// (Go: `netip.ParseAddr`)
bool IsIpv6(absl::string_view text) {
  const size_t zone = text.find('%');
  if (zone != kNowhere && zone + 1 == text.size()) return false;
  in6_addr address;
  return ::inet_pton(AF_INET6, std::string(text.substr(0, zone)).c_str(), &address) == 1;
}

// Does not quote the port: in "user:password/with/slash@host" it would be a part of the password.
absl::Status InvalidPort() { return absl::InvalidArgumentError("invalid port after host"); }

absl::StatusOr<std::string> ParseBracketedHost(absl::string_view host) {
  const size_t close = host.rfind(']');
  if (close == kNowhere) return absl::InvalidArgumentError("missing ']' in host");
  const absl::string_view port = host.substr(close + 1);
  if (!IsPortOrNothing(port)) return InvalidPort();
  const absl::string_view name = host.substr(1, close - 1);
  const size_t zone = name.find("%25");
  KUBE_ASSIGN_OR_RETURN(std::string address, Unescape(name.substr(0, zone), Part::kHost));
  if (zone != kNowhere) {
    KUBE_ASSIGN_OR_RETURN(const std::string plain, Unescape(name.substr(zone), Part::kZone));
    address += plain;
  }
  if (!IsIpv6(address)) return absl::InvalidArgumentError("invalid address in brackets");
  return absl::StrCat("[", address, "]", port);
}

}  // namespace

bool IsPortOrNothing(absl::string_view text) {
  if (text.empty()) return true;
  return text[0] == ':' && std::all_of(text.begin() + 1, text.end(),
                                       [](unsigned char c) { return absl::ascii_isdigit(c); });
}

absl::StatusOr<std::string> ParseHost(absl::string_view scheme, absl::string_view host) {
  const size_t bracket = host.rfind('[');
  if (bracket == 0) return ParseBracketedHost(host);
  if (bracket != kNowhere) return absl::InvalidArgumentError("invalid address in brackets");
  // URLs of some databases have lists of hosts, each with a port.
  const bool one_host = scheme == "http" || scheme == "https";
  const size_t colon = one_host ? host.find(':') : host.rfind(':');
  if (colon != kNowhere && !IsPortOrNothing(host.substr(colon))) return InvalidPort();
  return Unescape(host, Part::kHost);
}

absl::StatusOr<std::string> ParseUser(absl::string_view user) {
  for (const char c : user) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) &&
        !absl::StrContains("-._:~!$&'()*+,;=%@", c)) {
      return absl::InvalidArgumentError("invalid userinfo");
    }
  }
  const size_t colon = user.find(':');
  KUBE_ASSIGN_OR_RETURN(const std::string name, Unescape(user.substr(0, colon), Part::kUser));
  if (colon == kNowhere) return Escape(name, Part::kUser);
  KUBE_ASSIGN_OR_RETURN(const std::string password, Unescape(user.substr(colon + 1), Part::kUser));
  return absl::StrCat(Escape(name, Part::kUser), ":", Escape(password, Part::kUser));
}

}  // namespace kube::url::internal
