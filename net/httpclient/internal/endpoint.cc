#include "net/httpclient/internal/endpoint.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::httpclient::internal {
namespace {

bool IsUrlCharacter(char c) { return c > ' ' && c < '\x7f'; }

// Splits "host:port" or "[::1]:port"; the port is optional.
bool SplitHostPort(absl::string_view authority, int default_port, Endpoint& endpoint) {
  absl::string_view port;
  if (absl::StartsWith(authority, "[")) {
    const size_t end = authority.find(']');
    if (end == absl::string_view::npos) return false;
    endpoint.host = absl::AsciiStrToLower(authority.substr(1, end - 1));
    port = authority.substr(end + 1);
  } else {
    const size_t colon = std::min(authority.find(':'), authority.size());
    endpoint.host = absl::AsciiStrToLower(authority.substr(0, colon));
    port = authority.substr(colon);
  }
  endpoint.port = default_port;
  if (endpoint.host.empty()) return false;
  if (port.empty() || port == ":") return true;
  return port[0] == ':' && absl::SimpleAtoi(port.substr(1), &endpoint.port) && endpoint.port > 0 &&
         endpoint.port < 65536;
}

}  // namespace

std::string BracketHost(absl::string_view host) {
  return absl::StrContains(host, ':') ? absl::StrCat("[", host, "]") : std::string(host);
}

absl::StatusOr<Endpoint> ParseEndpoint(absl::string_view url) {
  Endpoint endpoint;
  absl::string_view rest = url;
  if (absl::StartsWithIgnoreCase(rest, "https://")) {
    endpoint.tls = true;
    rest.remove_prefix(8);
  } else if (absl::StartsWithIgnoreCase(rest, "http://")) {
    rest.remove_prefix(7);
  } else {
    return absl::InvalidArgumentError(
        "send request: unsupported protocol scheme, must be http or https");
  }
  const size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  const absl::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  rest = rest.substr(0, rest.find('#'));
  if (!std::all_of(url.begin(), url.end(), IsUrlCharacter)) {
    return absl::InvalidArgumentError(
        "send request: invalid character in URL, must be percent-encoded");
  }
  if (absl::StrContains(authority, '@')) {
    return absl::InvalidArgumentError("send request: the URL must not contain user information");
  }
  if (!SplitHostPort(authority, endpoint.tls ? 443 : 80, endpoint)) {
    // In "user:pass/word@host" the parsed host is the user and a part of the password.
    if (absl::StrContains(url, '@')) {
      return absl::InvalidArgumentError("send request: invalid host in URL");
    }
    return absl::InvalidArgumentError(
        absl::StrCat("send request: invalid host \"", authority, "\" in URL"));
  }
  endpoint.authority = std::string(authority);
  endpoint.target = absl::StrCat(absl::StartsWith(rest, "/") ? "" : "/", rest);
  return endpoint;
}

}  // namespace kube::httpclient::internal
