#include "net/url/url.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "net/url/internal/authority.h"
#include "net/url/internal/escape.h"

namespace kube::url {
namespace {

using internal::Part;

constexpr size_t kNowhere = absl::string_view::npos;

bool FirstElementHasColon(absl::string_view path) {
  return absl::StrContains(path.substr(0, path.find('/')), ':');
}

// Removes the scheme from the front of `rest`, if there is one. (Go: `getScheme`)
absl::Status TakeScheme(absl::string_view& rest, Url& url) {
  for (size_t i = 0; i < rest.size(); ++i) {
    const auto c = static_cast<unsigned char>(rest[i]);
    if (absl::ascii_isalpha(c)) continue;
    if (c == ':') {
      if (i == 0) return absl::InvalidArgumentError("missing protocol scheme");
      url.scheme = absl::AsciiStrToLower(rest.substr(0, i));
      rest.remove_prefix(i + 1);
      return absl::OkStatus();
    }
    if (i == 0 || !(absl::ascii_isdigit(c) || c == '+' || c == '-' || c == '.')) break;
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

// Removes the user and the host from `rest`, which begins with "//". (Go: `parseAuthority`)
absl::Status TakeAuthority(absl::string_view& rest, Url& url) {
  rest.remove_prefix(2);
  const absl::string_view authority = rest.substr(0, rest.find('/'));
  rest.remove_prefix(authority.size());
  const size_t at = authority.rfind('@');
  const absl::string_view host = at == kNowhere ? authority : authority.substr(at + 1);
  KUBE_ASSIGN_OR_RETURN(url.host, internal::ParseHost(url.scheme, host));
  if (at == kNowhere) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(url.user, internal::ParseUser(authority.substr(0, at)));
  return absl::OkStatus();
}

// Parses everything before the fragment. (Go: `parse`)
absl::StatusOr<Url> ParseParts(absl::string_view text, bool for_request) {
  if (std::any_of(text.begin(), text.end(),
                  [](unsigned char c) { return absl::ascii_iscntrl(c); })) {
    return absl::InvalidArgumentError("invalid control character in URL");
  }
  if (text.empty() && for_request) return absl::InvalidArgumentError("empty url");
  Url url;
  absl::string_view rest = text;
  KUBE_RETURN_IF_ERROR(TakeScheme(rest, url));
  TakeQuery(rest, url);
  if (!absl::StartsWith(rest, "/") && text != "*") {
    if (!url.scheme.empty()) {
      url.opaque = std::string(rest);
      return url;
    }
    if (for_request) return absl::InvalidArgumentError("invalid URI for request");
    // "host:80" has no scheme, and is not a relative path either.
    if (FirstElementHasColon(rest)) {
      return absl::InvalidArgumentError("first path segment in URL cannot contain colon");
    }
  }
  const bool may_have_host =
      !url.scheme.empty() || (!for_request && !absl::StartsWith(rest, "///"));
  if (may_have_host && absl::StartsWith(rest, "//")) {
    KUBE_RETURN_IF_ERROR(TakeAuthority(rest, url));
  } else {
    url.omits_host = !url.scheme.empty();
  }
  KUBE_ASSIGN_OR_RETURN(url.path, internal::Normalize(rest, Part::kPath));
  return url;
}

// (Go: `resolvePath`)
std::string ResolvePath(absl::string_view base, absl::string_view reference) {
  std::string full(reference);
  if (reference.empty()) {
    full = std::string(base);
  } else if (reference[0] != '/') {
    full = absl::StrCat(base.substr(0, base.rfind('/') + 1), reference);
  }
  if (full.empty()) return full;
  std::string out = "/";
  bool first = true;
  absl::string_view rest = full;
  for (bool more = true; more;) {
    const size_t slash = rest.find('/');
    const absl::string_view element = rest.substr(0, slash);
    more = slash != kNowhere;
    rest = more ? rest.substr(slash + 1) : absl::string_view();
    if (element == "..") {
      // The leading "/" stays.
      const size_t last = out.rfind('/');
      out.resize(std::max<size_t>(last, 1));
      first = out.size() == 1;
    } else if (element == ".") {
      first = false;
    } else {
      absl::StrAppend(&out, first ? "" : "/", element);
      first = false;
    }
    if (!more && (element == "." || element == "..")) out += '/';
  }
  return absl::StartsWith(out, "//") ? out.substr(1) : out;
}

// Returns the position of the colon before the port; the size if there is no port.
size_t PortColon(absl::string_view host) {
  const size_t colon = host.rfind(':');
  const bool is_port = colon != kNowhere && internal::IsPortOrNothing(host.substr(colon));
  return is_port ? colon : host.size();
}

}  // namespace

absl::StatusOr<Url> Parse(absl::string_view text) {
  const size_t hash = text.find('#');
  KUBE_ASSIGN_OR_RETURN(Url url, ParseParts(text.substr(0, hash), /*for_request=*/false));
  if (hash != kNowhere) {
    KUBE_ASSIGN_OR_RETURN(url.fragment,
                          internal::Normalize(text.substr(hash + 1), Part::kFragment));
  }
  return url;
}

absl::StatusOr<Url> ParseRequestUri(absl::string_view text) {
  return ParseParts(text, /*for_request=*/true);
}

std::string Url::ToString() const {
  std::string out;
  out.reserve(scheme.size() + host.size() + path.size() + query.size() + 8);
  if (!scheme.empty()) absl::StrAppend(&out, scheme, ":");
  if (!opaque.empty()) {
    out += opaque;
  } else {
    const bool has_authority = !host.empty() || user.has_value();
    if (has_authority || (!scheme.empty() && !omits_host && !path.empty())) out += "//";
    if (user.has_value()) absl::StrAppend(&out, *user, "@");
    out += internal::Escape(host, Part::kHost);
    if (!path.empty() && path[0] != '/' && !host.empty()) out += '/';
    // "./this:that", because "this:" would be a scheme (RFC 3986, section 4.2).
    if (out.empty() && FirstElementHasColon(path)) out += "./";
    out += path;
  }
  if (has_query()) absl::StrAppend(&out, "?", query);
  if (!fragment.empty()) absl::StrAppend(&out, "#", fragment);
  return out;
}

Url Resolve(const Url& base, const Url& reference) {
  Url url = reference;
  if (reference.scheme.empty()) url.scheme = base.scheme;
  if (!reference.scheme.empty() || !reference.host.empty() || reference.user.has_value()) {
    url.path = ResolvePath(reference.path, "");
    return url;
  }
  // A reference without a scheme is not opaque.
  if (reference.path.empty() && !reference.has_query()) {
    url.query = base.query;
    if (reference.fragment.empty()) url.fragment = base.fragment;
  }
  if (reference.path.empty() && !base.opaque.empty()) {
    url.opaque = base.opaque;
    return url;
  }
  url.host = base.host;
  url.user = base.user;
  url.path = ResolvePath(base.path, reference.path);
  return url;
}

absl::string_view HostName(absl::string_view host) {
  absl::string_view name = host.substr(0, PortColon(host));
  if (absl::StartsWith(name, "[") && absl::EndsWith(name, "]")) {
    name.remove_prefix(1);
    name.remove_suffix(1);
  }
  return name;
}

absl::string_view Port(absl::string_view host) {
  return host.substr(std::min(PortColon(host) + 1, host.size()));
}

}  // namespace kube::url
