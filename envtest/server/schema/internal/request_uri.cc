#include "envtest/server/schema/internal/request_uri.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "envtest/server/schema/internal/ip_formats.h"

namespace kube::envtest::crd_schema::internal {
namespace {

// Which part of a URI a percent sign is in.
enum class Part { kPath, kHost, kZone, kUser };

// Bytes that stand for themselves in a host. (url.shouldEscape)
bool IsHostByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         absl::StrContains("-_.~!$&'()*+,;=:[]<>\"", absl::string_view(&c, 1));
}

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

int Unhex(char c) { return c <= '9' ? c - '0' : absl::ascii_tolower(c) - 'a' + 10; }

bool IsHex(char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); }

// Whether url.unescape takes it. In hosts only bytes beyond ASCII may be escaped, in zones what may
// be in hosts, and in both a percent sign.
bool Unescapes(absl::string_view text, Part part) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      const bool strict = part == Part::kHost || part == Part::kZone;
      if (strict && IsAscii(text[i]) && !IsHostByte(text[i])) return false;
      continue;
    }
    if (i + 2 >= text.size() || !IsHex(text[i + 1]) || !IsHex(text[i + 2])) return false;
    const bool percent = text.substr(i, 3) == "%25";
    const auto byte = static_cast<char>(Unhex(text[i + 1]) << 4 | Unhex(text[i + 2]));
    if (part == Part::kHost && IsAscii(byte) && !percent) return false;
    if (part == Part::kZone && !percent && byte != ' ' && !IsHostByte(byte)) return false;
    i += 2;
  }
  return true;
}

bool IsOptionalPort(absl::string_view text) {
  return text.empty() || (text[0] == ':' && absl::c_all_of(text.substr(1), absl::ascii_isdigit));
}

// "[fe80::1%25en0]:80"
bool IsLiteralHost(absl::string_view host) {
  const size_t end = host.rfind(']');
  if (end == absl::string_view::npos || !IsOptionalPort(host.substr(end + 1))) return false;
  absl::string_view address = host.substr(1, end - 1);
  const size_t zone = address.find("%25");
  if (zone != absl::string_view::npos) {
    // An empty zone is none.
    if (!Unescapes(address.substr(zone), Part::kZone) || zone + 3 == address.size()) return false;
    address = address.substr(0, zone);
  }
  return IsStrictIpv6(address);
}

bool IsHost(absl::string_view scheme, absl::string_view host) {
  const size_t bracket = host.rfind('[');
  if (bracket != absl::string_view::npos) return bracket == 0 && IsLiteralHost(host);
  size_t colon = host.find(':');
  // Of other schemes there may be a list of hosts with ports.
  const std::string lower = absl::AsciiStrToLower(scheme);
  if (lower != "http" && lower != "https") colon = host.rfind(':');
  if (colon != absl::string_view::npos && !IsOptionalPort(host.substr(colon))) return false;
  return Unescapes(host, Part::kHost);
}

bool IsUserInfo(absl::string_view text) {
  return absl::c_all_of(text,
                        [](char c) {
                          return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                                 absl::StrContains("-._:~!$&'()*+,;=%@", absl::string_view(&c, 1));
                        }) &&
         Unescapes(text.substr(0, text.find(':')), Part::kUser) &&
         (!absl::StrContains(text, ':') || Unescapes(text.substr(text.find(':') + 1), Part::kUser));
}

// The length of the scheme; zero: there is none; nullopt: there is a colon and no scheme.
std::optional<size_t> SchemeLength(absl::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (absl::ascii_isalpha(c)) continue;
    if (c == ':') return i == 0 ? std::nullopt : std::optional<size_t>(i);
    if (i == 0 || !(absl::ascii_isdigit(c) || c == '+' || c == '-' || c == '.')) return 0;
  }
  return 0;
}

}  // namespace

std::optional<RequestUri> ParseRequestUri(absl::string_view text) {
  if (text.empty() || absl::c_any_of(text, absl::ascii_iscntrl)) return std::nullopt;
  RequestUri uri;
  if (text == "*") return uri;
  const std::optional<size_t> scheme = SchemeLength(text);
  if (!scheme.has_value()) return std::nullopt;
  uri.scheme = std::string(text.substr(0, *scheme));
  absl::string_view rest = *scheme == 0 ? text : text.substr(*scheme + 1);
  rest = rest.substr(0, rest.find('?'));
  if (!absl::StartsWith(rest, "/")) {
    // mailto:somebody
    return uri.scheme.empty() ? std::nullopt : std::optional<RequestUri>(uri);
  }
  if (!uri.scheme.empty() && absl::StartsWith(rest, "//")) {
    const size_t slash = std::min(rest.find('/', 2), rest.size());
    const absl::string_view authority = rest.substr(2, slash - 2);
    rest = rest.substr(slash);
    const size_t at = authority.rfind('@');
    const absl::string_view host =
        at == absl::string_view::npos ? authority : authority.substr(at + 1);
    if (!IsHost(uri.scheme, host)) return std::nullopt;
    if (at != absl::string_view::npos && !IsUserInfo(authority.substr(0, at))) return std::nullopt;
    uri.host = std::string(host);
  }
  if (!Unescapes(rest, Part::kPath)) return std::nullopt;
  return uri;
}

}  // namespace kube::envtest::crd_schema::internal
