#include "clientset/rest/internal/url.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"

namespace kube::rest::internal {

namespace {

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

bool IsHexDigit(char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); }

int HexValue(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

bool IsDigits(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

// Where the port's colon is; the end if there is none.
size_t PortColon(absl::string_view host) {
  const size_t from = absl::StartsWith(host, "[") ? std::min(host.find(']'), host.size()) : 0;
  return std::min(host.find(':', from), host.size());
}

// Cuts the scheme off; leaves it empty where there is none. A colon that comes first, or stands in
// a first element that is no scheme, is an error: net/url takes it for a mistake.
absl::Status TakeScheme(absl::string_view& text, Url& url) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (absl::ascii_isalpha(static_cast<unsigned char>(c))) continue;
    if (i > 0 &&
        (absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.')) {
      continue;
    }
    if (c != ':') return absl::OkStatus();
    if (i == 0) return absl::InvalidArgumentError("missing protocol scheme");
    url.scheme = absl::AsciiStrToLower(text.substr(0, i));
    text.remove_prefix(i + 1);
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

bool IsHostCharacter(char c) {
  return IsAlphanumeric(c) || absl::string_view("-_.~").find(c) != absl::string_view::npos;
}

// "fe80::1", or "fe80::1%25eth0" with the network that it is good in.
bool IsIpv6Address(absl::string_view text) {
  const size_t zone = text.find("%25");
  if (zone != absl::string_view::npos) {
    const absl::string_view name = text.substr(zone + 3);
    if (name.empty() || !std::all_of(name.begin(), name.end(), IsHostCharacter)) return false;
  }
  in6_addr address;
  return inet_pton(AF_INET6, std::string(text.substr(0, zone)).c_str(), &address) == 1;
}

// Stricter than net/url, which also takes what stands in no host's name: quotes, percent signs ...
absl::Status CheckHost(absl::string_view host) {
  const size_t colon = PortColon(host);
  absl::string_view name = host.substr(0, colon);
  const absl::string_view port = host.substr(std::min(colon + 1, host.size()));
  if (!IsDigits(port)) return absl::InvalidArgumentError("invalid port after host");
  bool valid = false;
  if (absl::ConsumePrefix(&name, "[")) {
    valid = absl::ConsumeSuffix(&name, "]") && IsIpv6Address(name);
  } else {
    valid = std::all_of(name.begin(), name.end(), IsHostCharacter);
  }
  return valid ? absl::OkStatus() : absl::InvalidArgumentError("invalid character in host name");
}

}  // namespace

absl::StatusOr<Url> ParseUrl(absl::string_view text) {
  Url url;
  if (const size_t hash = text.find('#'); hash != absl::string_view::npos) {
    url.has_fragment = true;
    text = text.substr(0, hash);
  }
  if (std::any_of(text.begin(), text.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
    return absl::InvalidArgumentError("invalid control character in URL");
  }
  KUBE_RETURN_IF_ERROR(TakeScheme(text, url));
  if (const size_t mark = text.find('?'); mark != absl::string_view::npos) {
    url.has_query = true;
    url.query = std::string(text.substr(mark + 1));
    text = text.substr(0, mark);
  }
  if (!absl::StartsWith(text, "/")) {
    // After a scheme it is opaque, "mailto:x"; before one, "10.0.0.1:80" is no path.
    if (url.scheme.empty() && text.substr(0, text.find('/')).find(':') != absl::string_view::npos) {
      return absl::InvalidArgumentError("first path segment in URL cannot contain colon");
    }
  }
  if (absl::ConsumePrefix(&text, "//")) {
    absl::string_view authority = text.substr(0, text.find('/'));
    text.remove_prefix(authority.size());
    if (const size_t at = authority.rfind('@'); at != absl::string_view::npos) {
      url.has_user = true;
      authority.remove_prefix(at + 1);
    }
    KUBE_RETURN_IF_ERROR(CheckHost(authority));
    url.host = std::string(authority);
  }
  KUBE_RETURN_IF_ERROR(UnescapePath(text).status());
  url.path = std::string(text);
  return url;
}

std::string HostName(absl::string_view host) {
  absl::string_view name = host.substr(0, PortColon(host));
  if (absl::ConsumePrefix(&name, "[")) absl::ConsumeSuffix(&name, "]");
  return std::string(name);
}

std::string PortOf(absl::string_view host) {
  const size_t colon = PortColon(host);
  return std::string(host.substr(std::min(colon + 1, host.size())));
}

bool IsLoopback(absl::string_view host_name) {
  if (absl::EqualsIgnoreCase(host_name, "localhost") || host_name == "::1") return true;
  const std::vector<absl::string_view> parts = absl::StrSplit(host_name, '.');
  return parts.size() == 4 && parts[0] == "127" &&
         std::all_of(parts.begin(), parts.end(), [](absl::string_view part) {
           int number = 0;
           return IsDigits(part) && absl::SimpleAtoi(part, &number) && number <= 255;
         });
}

absl::StatusOr<std::string> UnescapePath(absl::string_view path) {
  std::string out;
  out.reserve(path.size());
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      out += path[i];
      continue;
    }
    if (path.size() - i < 3 || !IsHexDigit(path[i + 1]) || !IsHexDigit(path[i + 2])) {
      return absl::InvalidArgumentError("invalid URL escape");
    }
    out += static_cast<char>(HexValue(path[i + 1]) * 16 + HexValue(path[i + 2]));
    i += 2;
  }
  return out;
}

std::string EscapePath(absl::string_view path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(path.size());
  for (const char c : path) {
    if (IsAlphanumeric(c) ||
        absl::string_view("-_.~$&+,/:;=@").find(c) != absl::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += kDigits[static_cast<unsigned char>(c) >> 4];
      out += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return out;
}

std::string CleanPath(absl::string_view path) {
  std::vector<absl::string_view> elements;
  for (const absl::string_view element : absl::StrSplit(path, '/', absl::SkipEmpty())) {
    if (element == "..") {
      if (!elements.empty()) elements.pop_back();
    } else if (element != ".") {
      elements.push_back(element);
    }
  }
  return absl::StrCat("/", absl::StrJoin(elements, "/"));
}

}  // namespace kube::rest::internal
