#include "apimachinery/cel/internal/library/url.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/internal/library/netip.h"

namespace kube::cel::internal {
namespace {

constexpr size_t kNowhere = absl::string_view::npos;

absl::Status Wrong(absl::string_view message) { return absl::InvalidArgumentError(message); }

bool IsAlnum(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); }

int HexDigit(char c) { return IsDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

enum class Part { kPath, kHost, kZone, kUser, kFragment };

// Returns whether a byte must be escaped in a part. (Go: `shouldEscape`)
bool MustEscape(char c, Part part) {
  if (IsAlnum(c) || absl::StrContains("-_.~", c)) return false;
  switch (part) {
    case Part::kHost:
    case Part::kZone:
      return !absl::StrContains("!$&'()*+,;=:[]<>\"", c);
    case Part::kPath:
      return !absl::StrContains("$&+,/:;=@", c);
    case Part::kUser:
      return !absl::StrContains("$&+,;=", c);
    case Part::kFragment:
      return !absl::StrContains("$&+,/:;=?@!()*", c);
  }
  return true;
}

std::string Escape(absl::string_view text, Part part) {
  std::string out;
  for (const char c : text) {
    if (MustEscape(c, part)) {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]});
    } else {
      out += c;
    }
  }
  return out;
}

// Returns whether a byte may be written with an escape: in hosts only those beyond ASCII, and the
// percent sign of a zone.
bool MayBeEscaped(char byte, Part part) {
  if (part == Part::kHost) return byte == '%' || static_cast<unsigned char>(byte) >= 0x80;
  return part != Part::kZone || byte == '%' || byte == ' ' || !MustEscape(byte, Part::kHost);
}

// (Go: `unescape`)
absl::StatusOr<std::string> Unescape(absl::string_view text, Part part) {
  const bool strict = part == Part::kHost || part == Part::kZone;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (strict && static_cast<unsigned char>(text[i]) < 0x80 && MustEscape(text[i], part)) {
        return Wrong(
            absl::StrCat("invalid character ", text::Quoted(text.substr(i, 1)), " in host name"));
      }
      out += text[i];
      continue;
    }
    const absl::string_view escape = text.substr(i, 3);
    if (escape.size() < 3 || !IsHex(escape[1]) || !IsHex(escape[2]) ||
        !MayBeEscaped(static_cast<char>(HexDigit(escape[1]) << 4 | HexDigit(escape[2])), part)) {
      return Wrong(absl::StrCat("invalid URL escape ", text::Quoted(escape)));
    }
    out += static_cast<char>(HexDigit(escape[1]) << 4 | HexDigit(escape[2]));
    i += 2;
  }
  return out;
}

// Checks the escapes of a path or fragment; returns it in canonical escaping unless it is valid as
// it is. (Go: `URL.setPath`, `URL.EscapedPath`)
absl::StatusOr<std::string> Normalize(absl::string_view escaped, Part part) {
  KUBE_ASSIGN_OR_RETURN(const std::string plain, Unescape(escaped, part));
  const bool keep = absl::c_all_of(escaped, [part](char c) {
    return absl::StrContains("!$&'()*+,;=:@[]%", c) || !MustEscape(c, part);
  });
  return keep ? std::string(escaped) : Escape(plain, part);
}

bool IsPortOrNothing(absl::string_view text) {
  return text.empty() || (text[0] == ':' && absl::c_all_of(text.substr(1), IsDigit));
}

absl::Status InvalidPort(absl::string_view port) {
  return Wrong(absl::StrCat("invalid port ", text::Quoted(port), " after host"));
}

// Parses "[fe80::1%25en0]:80".
absl::StatusOr<std::string> ParseLiteralHost(absl::string_view host) {
  const size_t close = host.rfind(']');
  if (close == kNowhere) return Wrong("missing ']' in host");
  const absl::string_view port = host.substr(close + 1);
  if (!IsPortOrNothing(port)) return InvalidPort(port);
  const absl::string_view name = host.substr(1, close - 1);
  const size_t zone = std::min(name.find("%25"), name.size());
  KUBE_ASSIGN_OR_RETURN(std::string plain, Unescape(name.substr(0, zone), Part::kHost));
  KUBE_ASSIGN_OR_RETURN(const std::string plain_zone, Unescape(name.substr(zone), Part::kZone));
  absl::StrAppend(&plain, plain_zone);
  const absl::StatusOr<IpAddr> address = ParseIpAddr(plain);
  if (!address.ok()) return Wrong(absl::StrCat("invalid host: ", address.status().message()));
  if (address->is_v4) return Wrong("invalid IP-literal");
  return absl::StrCat("[", plain, "]", port);
}

// (Go: `parseHost`)
absl::StatusOr<std::string> ParseHost(absl::string_view scheme, absl::string_view host) {
  const size_t open = host.rfind('[');
  if (open == 0) return ParseLiteralHost(host);
  if (open != kNowhere) return Wrong("invalid IP-literal");
  const bool strict = scheme == "http" || scheme == "https";
  const size_t colon = strict ? host.find(':') : host.rfind(':');
  if (colon != kNowhere && !IsPortOrNothing(host.substr(colon))) {
    return InvalidPort(host.substr(colon));
  }
  return Unescape(host, Part::kHost);
}

// (Go: `parseAuthority`, `Userinfo.String`)
absl::StatusOr<std::string> ParseUser(absl::string_view user) {
  const bool valid = absl::c_all_of(
      user, [](char c) { return IsAlnum(c) || absl::StrContains("-._:~!$&'()*+,;=%@", c); });
  if (!valid) return Wrong("net/url: invalid userinfo");
  const size_t colon = user.find(':');
  KUBE_ASSIGN_OR_RETURN(const std::string name, Unescape(user.substr(0, colon), Part::kUser));
  if (colon == kNowhere) return Escape(name, Part::kUser);
  KUBE_ASSIGN_OR_RETURN(const std::string password, Unescape(user.substr(colon + 1), Part::kUser));
  return absl::StrCat(Escape(name, Part::kUser), ":", Escape(password, Part::kUser));
}

// Removes the scheme from the front of `rest`, if there is one. (Go: `getScheme`)
absl::Status TakeScheme(absl::string_view& rest, Url& url) {
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (absl::ascii_isalpha(static_cast<unsigned char>(c))) continue;
    if (c == ':') {
      if (i == 0) return Wrong("missing protocol scheme");
      url.scheme = absl::AsciiStrToLower(rest.substr(0, i));
      rest.remove_prefix(i + 1);
      return absl::OkStatus();
    }
    if (i == 0 || !(IsDigit(c) || c == '+' || c == '-' || c == '.')) break;
  }
  return absl::OkStatus();
}

void TakeQuery(absl::string_view& rest, Url& url) {
  const size_t mark = rest.find('?');
  if (mark == kNowhere) return;
  url.forces_query = mark + 1 == rest.size();
  url.query = std::string(rest.substr(mark + 1));
  rest = rest.substr(0, mark);
}

// Removes the user and the host from `rest`, which begins with "//".
absl::Status TakeAuthority(absl::string_view& rest, Url& url) {
  rest.remove_prefix(2);
  const absl::string_view authority = rest.substr(0, rest.find('/'));
  rest.remove_prefix(authority.size());
  const size_t at = authority.rfind('@');
  KUBE_ASSIGN_OR_RETURN(
      url.host, ParseHost(url.scheme, at == kNowhere ? authority : authority.substr(at + 1)));
  if (at == kNowhere) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(url.user, ParseUser(authority.substr(0, at)));
  return absl::OkStatus();
}

bool FirstElementHasColon(absl::string_view path) {
  return absl::StrContains(path.substr(0, path.find('/')), ':');
}

// Parses everything before the fragment. (Go: `parse`)
absl::StatusOr<Url> ParseParts(absl::string_view text, bool for_request) {
  if (absl::c_any_of(text,
                     [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); })) {
    return Wrong("net/url: invalid control character in URL");
  }
  if (text.empty() && for_request) return Wrong("empty url");
  Url url;
  absl::string_view rest = text;
  KUBE_RETURN_IF_ERROR(TakeScheme(rest, url));
  TakeQuery(rest, url);
  if (!absl::StartsWith(rest, "/") && text != "*") {
    if (!url.scheme.empty()) {
      url.opaque = std::string(rest);
      return url;
    }
    if (for_request) return Wrong("invalid URI for request");
    if (FirstElementHasColon(rest)) {
      return Wrong("first path segment in URL cannot contain colon");
    }
  }
  const bool may_have_host =
      !url.scheme.empty() || (!for_request && !absl::StartsWith(rest, "///"));
  if (may_have_host && absl::StartsWith(rest, "//")) {
    KUBE_RETURN_IF_ERROR(TakeAuthority(rest, url));
  } else {
    url.omits_host = !url.scheme.empty();
  }
  KUBE_ASSIGN_OR_RETURN(url.path, Normalize(rest, Part::kPath));
  return url;
}

// Adds the text to an error. (Go: `url.Error`)
template <typename T>
absl::StatusOr<T> WithText(absl::StatusOr<T> result, absl::string_view text) {
  if (result.ok()) return result;
  return Wrong(absl::StrCat("parse ", text::Quoted(text), ": ", result.status().message()));
}

// Returns the position of the colon before the port; the size if there is no port.
size_t PortColon(absl::string_view host) {
  const size_t colon = host.rfind(':');
  return colon != kNowhere && IsPortOrNothing(host.substr(colon)) ? colon : host.size();
}

}  // namespace

absl::StatusOr<Url> ParseUrl(absl::string_view text) {
  const size_t hash = text.find('#');
  const absl::string_view before = text.substr(0, hash);
  KUBE_ASSIGN_OR_RETURN(Url url, WithText(ParseParts(before, /*for_request=*/false), before));
  if (hash != kNowhere) {
    KUBE_ASSIGN_OR_RETURN(url.fragment,
                          WithText(Normalize(text.substr(hash + 1), Part::kFragment), text));
  }
  return url;
}

absl::StatusOr<Url> ParseRequestUri(absl::string_view text) {
  return WithText(ParseParts(text, /*for_request=*/true), text);
}

absl::string_view Url::HostName() const {
  absl::string_view name = absl::string_view(host).substr(0, PortColon(host));
  if (absl::StartsWith(name, "[") && absl::EndsWith(name, "]")) {
    name.remove_prefix(1);
    name.remove_suffix(1);
  }
  return name;
}

absl::string_view Url::Port() const {
  return absl::string_view(host).substr(std::min(PortColon(host) + 1, host.size()));
}

std::string Url::ToString() const {
  std::string out;
  if (!scheme.empty()) absl::StrAppend(&out, scheme, ":");
  if (!opaque.empty()) {
    out += opaque;
  } else {
    const bool has_authority = !host.empty() || user.has_value();
    if (has_authority || (!scheme.empty() && !omits_host && !path.empty())) out += "//";
    if (user.has_value()) absl::StrAppend(&out, *user, "@");
    out += Escape(host, Part::kHost);
    if (!path.empty() && path[0] != '/' && !host.empty()) out += '/';
    // "./this:that", because "this:" would be a scheme.
    if (out.empty() && FirstElementHasColon(path)) out += "./";
    out += path;
  }
  if (forces_query || !query.empty()) absl::StrAppend(&out, "?", query);
  if (!fragment.empty()) absl::StrAppend(&out, "#", fragment);
  return out;
}

}  // namespace kube::cel::internal
