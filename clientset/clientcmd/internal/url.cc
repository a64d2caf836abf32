#include "clientset/clientcmd/internal/url.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/internal/go_text.h"

namespace kube::clientcmd::internal {
namespace {

constexpr size_t kNowhere = absl::string_view::npos;

// What is being escaped: each has characters of its own that need not be.
enum class Part { kPath, kHost, kZone, kUser, kFragment };

bool Contains(absl::string_view set, char c) { return absl::StrContains(set, c); }

// (shouldEscape)
bool MustEscape(char c, Part part) {
  if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || Contains("-_.~", c)) return false;
  switch (part) {
    case Part::kHost:
    case Part::kZone:
      return !Contains("!$&'()*+,;=:[]<>\"", c);
    case Part::kPath:
      return !Contains("$&+,/:;=@", c);
    case Part::kUser:
      return !Contains("$&+,;=", c);
    case Part::kFragment:
      return !Contains("$&+,/:;=?@!()*", c);
  }
  return true;
}

std::string Escape(absl::string_view text, Part part) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (MustEscape(c, part)) {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    } else {
      out.push_back(c);
    }
  }
  return out;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = absl::ascii_tolower(static_cast<unsigned char>(c));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Nothing for an escape that is none, or that this part of an address must not have.
std::optional<std::string> Unescape(absl::string_view text, Part part) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '%') {
      const bool ascii = static_cast<unsigned char>(c) < 0x80;
      if ((part == Part::kHost || part == Part::kZone) && ascii && MustEscape(c, part)) {
        return std::nullopt;
      }
      out.push_back(c);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = HexDigit(text[i + 1]);
    const int low = HexDigit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    const char byte = static_cast<char>(high << 4 | low);
    const bool percent = text.substr(i, 3) == "%25";
    // Of hosts, only bytes beyond ASCII are escaped, and the percent of a zone (RFC 6874).
    if (part == Part::kHost && high < 8 && !percent) return std::nullopt;
    if (part == Part::kZone && !percent && byte != ' ' && MustEscape(byte, Part::kHost)) {
      return std::nullopt;
    }
    out.push_back(byte);
    i += 2;
  }
  return out;
}

// Keeps escapes that were not needed, where the whole could have been written so. (EscapedPath)
std::optional<std::string> Reescape(absl::string_view raw, Part part) {
  const std::optional<std::string> plain = Unescape(raw, part);
  if (!plain.has_value()) return std::nullopt;
  const bool valid = std::all_of(raw.begin(), raw.end(), [part](char c) {
    return Contains("!$&'()*+,;=:@[]%", c) || !MustEscape(c, part);
  });
  return valid ? std::string(raw) : Escape(*plain, part);
}

bool IsPortOrNothing(absl::string_view text) {
  return text.empty() || (text[0] == ':' && std::all_of(text.begin() + 1, text.end(), [](char c) {
                            return absl::ascii_isdigit(static_cast<unsigned char>(c));
                          }));
}

bool IsIpv6(absl::string_view text) {
  const size_t zone = text.find('%');
  if (zone != kNowhere && zone + 1 == text.size()) return false;
  in6_addr address;
  return inet_pton(AF_INET6, std::string(text.substr(0, zone)).c_str(), &address) == 1;
}

// "[::1]:80", "[fe80::1%25en0]".
std::optional<std::string> ParseBracketedHost(absl::string_view host) {
  const size_t close = host.rfind(']');
  if (close == kNowhere || !IsPortOrNothing(host.substr(close + 1))) return std::nullopt;
  const absl::string_view name = host.substr(1, close - 1);
  const size_t zone = name.find("%25");
  std::optional<std::string> address = Unescape(name.substr(0, zone), Part::kHost);
  if (!address.has_value()) return std::nullopt;
  if (zone != kNowhere) {
    const std::optional<std::string> zone_name = Unescape(name.substr(zone), Part::kZone);
    if (!zone_name.has_value()) return std::nullopt;
    *address += *zone_name;
  }
  if (!IsIpv6(*address)) return std::nullopt;
  return absl::StrCat("[", *address, "]", host.substr(close + 1));
}

std::optional<std::string> ParseHost(absl::string_view scheme, absl::string_view host) {
  const size_t bracket = host.rfind('[');
  if (bracket == 0) return ParseBracketedHost(host);
  if (bracket != kNowhere) return std::nullopt;
  // http and https know one colon, other schemes lists of hosts.
  const bool strict = scheme == "http" || scheme == "https";
  const size_t colon = strict ? host.find(':') : host.rfind(':');
  if (colon != kNowhere && !IsPortOrNothing(host.substr(colon))) return std::nullopt;
  return Unescape(host, Part::kHost);
}

std::optional<std::string> ParseUser(absl::string_view user) {
  for (const char c : user) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && !Contains("-._:~!$&'()*+,;=%@", c)) {
      return std::nullopt;
    }
  }
  const size_t colon = user.find(':');
  const std::optional<std::string> name = Unescape(user.substr(0, colon), Part::kUser);
  if (!name.has_value()) return std::nullopt;
  if (colon == kNowhere) return Escape(*name, Part::kUser);
  const std::optional<std::string> password = Unescape(user.substr(colon + 1), Part::kUser);
  if (!password.has_value()) return std::nullopt;
  return absl::StrCat(Escape(*name, Part::kUser), ":", Escape(*password, Part::kUser));
}

bool ParseAuthority(absl::string_view authority, Url& url) {
  const size_t at = authority.rfind('@');
  const absl::string_view host = at == kNowhere ? authority : authority.substr(at + 1);
  std::optional<std::string> parsed = ParseHost(url.scheme, host);
  if (!parsed.has_value()) return false;
  url.host = *std::move(parsed);
  if (at == kNowhere) return true;
  std::optional<std::string> user = ParseUser(authority.substr(0, at));
  if (!user.has_value()) return false;
  url.user = *std::move(user);
  url.has_user = true;
  return true;
}

// Takes the scheme off `rest`. False for ":x". (getScheme)
bool TakeScheme(absl::string_view& rest, std::string& scheme) {
  for (size_t i = 0; i < rest.size(); ++i) {
    const auto c = static_cast<unsigned char>(rest[i]);
    if (absl::ascii_isalpha(c)) continue;
    if (c == ':') {
      scheme = absl::AsciiStrToLower(rest.substr(0, i));
      rest.remove_prefix(i + 1);
      return i != 0;
    }
    if (i == 0 || !(absl::ascii_isdigit(c) || Contains("+-.", rest[i]))) return true;
  }
  return true;
}

void TakeQuery(absl::string_view& rest, Url& url) {
  const size_t mark = rest.find('?');
  if (mark == kNowhere) return;
  url.forces_query = mark + 1 == rest.size();
  url.query = std::string(rest.substr(mark + 1));
  rest = rest.substr(0, mark);
}

// (parse)
std::optional<Url> Parse(absl::string_view text, bool for_request) {
  for (const char c : text) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) return std::nullopt;
  }
  if (text.empty() && for_request) return std::nullopt;
  Url url;
  if (text == "*") {
    url.path = "*";
    return url;
  }
  absl::string_view rest = text;
  if (!TakeScheme(rest, url.scheme)) return std::nullopt;
  TakeQuery(rest, url);
  if (!absl::StartsWith(rest, "/")) {
    if (!url.scheme.empty()) {
      url.opaque = std::string(rest);
      return url;
    }
    if (for_request) return std::nullopt;
    // Such as "host:80", which has no scheme.
    if (Contains(rest.substr(0, rest.find('/')), ':')) return std::nullopt;
  }
  const bool may_have_host =
      !url.scheme.empty() || (!for_request && !absl::StartsWith(rest, "///"));
  if (may_have_host && absl::StartsWith(rest, "//")) {
    const size_t slash = rest.find('/', 2);
    if (!ParseAuthority(rest.substr(2, slash == kNowhere ? kNowhere : slash - 2), url)) {
      return std::nullopt;
    }
    rest = slash == kNowhere ? "" : rest.substr(slash);
  } else if (!url.scheme.empty() && absl::StartsWith(rest, "/")) {
    url.omits_host = true;
  }
  std::optional<std::string> path = Reescape(rest, Part::kPath);
  if (!path.has_value()) return std::nullopt;
  url.path = *std::move(path);
  return url;
}

std::string Quoted(absl::string_view text) {
  std::string quoted;
  base::internal::AppendQuoted(quoted, text);
  return quoted;
}

}  // namespace

std::optional<Url> ParseUrl(absl::string_view text) {
  const size_t hash = text.find('#');
  std::optional<Url> url = Parse(text.substr(0, hash), /*for_request=*/false);
  if (!url.has_value() || hash == kNowhere) return url;
  std::optional<std::string> fragment = Reescape(text.substr(hash + 1), Part::kFragment);
  if (!fragment.has_value()) return std::nullopt;
  url->fragment = *std::move(fragment);
  return url;
}

std::optional<Url> ParseRequestUri(absl::string_view text) {
  return Parse(text, /*for_request=*/true);
}

std::string ToString(const Url& url) {
  std::string out;
  if (!url.scheme.empty()) absl::StrAppend(&out, url.scheme, ":");
  if (!url.opaque.empty()) {
    out += url.opaque;
  } else {
    const bool has_authority = !url.host.empty() || url.has_user;
    if (has_authority || (!url.scheme.empty() && !url.omits_host && !url.path.empty())) out += "//";
    if (url.has_user) absl::StrAppend(&out, url.user, "@");
    out += Escape(url.host, Part::kHost);
    if (!url.path.empty() && url.path[0] != '/' && !url.host.empty()) out += "/";
    if (out.empty() && Contains(absl::string_view(url.path).substr(0, url.path.find('/')), ':')) {
      out += "./";
    }
    out += url.path;
  }
  if (url.forces_query || !url.query.empty()) absl::StrAppend(&out, "?", url.query);
  if (!url.fragment.empty()) absl::StrAppend(&out, "#", url.fragment);
  return out;
}

std::string WithoutQuery(absl::string_view server) {
  std::optional<Url> url = ParseRequestUri(server);
  if (!url.has_value() || !url->opaque.empty()) return std::string(server);
  const std::optional<std::string> path = Unescape(url->path, Part::kPath);
  if (!path.has_value() || path->size() <= 1) return std::string(server);
  url->query.clear();
  return ToString(*url);
}

bool IsTls(absl::string_view server) {
  // Upstream's default host, with its default scheme.
  if (server.empty()) return false;
  const std::optional<Url> url = ParseUrl(server);
  return url.has_value() && url->scheme == "https" && !url->host.empty();
}

std::string WithoutUser(absl::string_view text) {
  const size_t at = text.rfind('@');
  if (at == kNowhere) return std::string(text);
  const size_t slashes = text.find("//");
  const size_t start = slashes == kNowhere || slashes > at ? 0 : slashes + 2;
  return absl::StrCat(text.substr(0, start), "<redacted>", text.substr(at));
}

absl::StatusOr<std::string> ParseProxyUrl(absl::string_view text) {
  const std::optional<Url> url = ParseUrl(text);
  if (!url.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("could not parse: ", WithoutUser(text)));
  }
  if (url->scheme != "http" && url->scheme != "https" && url->scheme != "socks5") {
    return absl::InvalidArgumentError(absl::StrCat("unsupported scheme ", Quoted(url->scheme),
                                                   ", must be http, https, or socks5"));
  }
  return ToString(*url);
}

}  // namespace kube::clientcmd::internal
