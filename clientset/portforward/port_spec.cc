#include "clientset/portforward/port_spec.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"

namespace kube::portforward {
namespace {

// `side` is "local" or "remote".
absl::StatusOr<uint16_t> ParsePort(absl::string_view side, absl::string_view text) {
  uint32_t port = 0;
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
  if (!digits || !absl::SimpleAtoi(text, &port) || port > UINT16_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("error parsing ", side, " port '", text, "': not a number from 0 to 65535"));
  }
  return static_cast<uint16_t>(port);
}

absl::StatusOr<ForwardedPort> ParseSpec(const std::string& spec) {
  const std::vector<absl::string_view> parts = absl::StrSplit(spec, ':');
  if (parts.size() > 2) {
    return absl::InvalidArgumentError(absl::StrCat("invalid port format '", spec, "'"));
  }
  // Only the form with a colon may leave out the local port.
  const bool is_any = parts.size() == 2 && parts[0].empty();
  ForwardedPort port;
  KUBE_ASSIGN_OR_RETURN(port.local, ParsePort("local", is_any ? "0" : parts[0]));
  KUBE_ASSIGN_OR_RETURN(port.remote, ParsePort("remote", parts.back()));
  if (port.remote == 0) return absl::InvalidArgumentError("remote port must be > 0");
  return port;
}

// Returns the address as the system writes it, or "" if it is not an IP address.
std::string Canonical(const std::string& address) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  in_addr v4 = {};
  if (::inet_pton(AF_INET, address.c_str(), &v4) == 1) {
    ::inet_ntop(AF_INET, &v4, text.data(), text.size());
    return text.data();
  }
  in6_addr v6 = {};
  if (::inet_pton(AF_INET6, address.c_str(), &v6) == 1) {
    ::inet_ntop(AF_INET6, &v6, text.data(), text.size());
    return text.data();
  }
  return "";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ForwardedPort& port) {
  return out << port.local << " -> " << port.remote;
}

absl::StatusOr<std::vector<ForwardedPort>> ParsePorts(absl::Span<const std::string> specs) {
  if (specs.empty()) return absl::InvalidArgumentError("you must specify at least 1 port");
  std::vector<ForwardedPort> ports;
  for (const std::string& spec : specs) {
    KUBE_ASSIGN_OR_RETURN(const ForwardedPort port, ParseSpec(spec));
    ports.push_back(port);
  }
  return ports;
}

absl::StatusOr<std::vector<ListenAddress>> ParseAddresses(absl::Span<const std::string> addresses) {
  if (addresses.empty()) return absl::InvalidArgumentError("you must specify at least 1 address");
  // The value says whether only the name localhost asks for the address.
  std::map<std::string, bool> parsed;
  for (const std::string& address : addresses) {
    if (address == "localhost") {
      parsed.emplace("127.0.0.1", true);
      parsed.emplace("::1", true);
      continue;
    }
    const std::string ip = Canonical(address);
    if (ip.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(address, " is not a valid IP"));
    }
    parsed[ip] = false;
  }
  std::vector<ListenAddress> result;
  for (const auto& [ip, from_localhost] : parsed) {
    result.push_back({.ip = ip, .from_localhost = from_localhost});
  }
  return result;
}

std::string JoinHostPort(const std::string& ip, uint16_t port) {
  return absl::StrContains(ip, ':') ? absl::StrCat("[", ip, "]:", port)
                                    : absl::StrCat(ip, ":", port);
}

}  // namespace kube::portforward
