#include "clientset/rest/internal/redaction.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"
#include "net/httpclient/proxy_address.h"
#include "net/url/path.h"
#include "net/url/url.h"

namespace kube::rest::internal {

namespace {

constexpr absl::string_view kMasked = "<masked>";

// Parts of the names of headers and query parameters whose values are credentials.
constexpr std::array<absl::string_view, 10> kTellingNames = {
    "authorization", "cookie",  "token",   "secret",     "password",
    "passwd",        "api-key", "api_key", "credential", "authenticate"};

// The continue token of a list is not a credential.
constexpr absl::string_view kContinue = "continue";

bool IsTelling(absl::string_view name) {
  const std::string lower = absl::AsciiStrToLower(name);
  if (lower == kContinue) return false;
  // WebSocket clients send their bearer token in this header.
  if (lower == "sec-websocket-protocol") return true;
  return absl::c_any_of(kTellingNames, [&lower](absl::string_view telling) {
    return absl::StrContains(lower, telling);
  });
}

bool IsKnownScheme(absl::string_view scheme) {
  return absl::EqualsIgnoreCase(scheme, "bearer") || absl::EqualsIgnoreCase(scheme, "basic") ||
         absl::EqualsIgnoreCase(scheme, "negotiate");
}

bool IsSecretSegment(absl::string_view segment) {
  return segment == "secrets" || segment == "token" || segment == "tokenreviews" ||
         segment == "proxy";
}

}  // namespace

std::string ShownHeaderValue(absl::string_view name, absl::string_view value) {
  if (absl::EqualsIgnoreCase(name, "location")) return ShownUrl(value);
  if (!IsTelling(name) || value.empty()) return std::string(value);
  const size_t blank = value.find(' ');
  const absl::string_view scheme = value.substr(0, blank);
  if (!absl::EndsWithIgnoreCase(name, "authorization") || !IsKnownScheme(scheme)) {
    return std::string(kMasked);
  }
  if (blank == absl::string_view::npos) return std::string(scheme);
  return absl::StrCat(scheme, " ", kMasked);
}

std::string ShownHeaders(const http::Headers& headers) {
  std::vector<std::string> lines;
  for (const http::Header& header : headers) {
    lines.push_back(
        absl::StrCat(header.name, ": ", ShownHeaderValue(header.name, header.value), "\n"));
  }
  absl::c_sort(lines);
  return absl::StrJoin(lines, "");
}

std::string ShownUrl(absl::string_view url) {
  // The user ends at the last "@" before the next slash. If the text is not a URL, perhaps because
  // the password contains a slash, or if it has no scheme, the user ends at the last "@" of the
  // text.
  const size_t slashes = url.find("//");
  const size_t start = slashes == absl::string_view::npos ? 0 : slashes + 2;
  const bool anywhere =
      slashes == absl::string_view::npos ? !absl::StartsWith(url, "/") : !url::Parse(url).ok();
  const size_t end = anywhere ? url.size() : std::min(url.find_first_of("/?#", start), url.size());
  const size_t at = url.substr(0, end).rfind('@');
  const bool has_user = at != absl::string_view::npos && at >= start;
  const std::string whole =
      has_user ? absl::StrCat(url.substr(0, start), url.substr(at + 1)) : std::string(url);
  url = whole;
  const size_t mark = url.find('?');
  std::string shown(url.substr(0, mark));
  if (mark == absl::string_view::npos) return shown;
  std::vector<std::string> parameters;
  for (const absl::string_view parameter : absl::StrSplit(url.substr(mark + 1), '&')) {
    const absl::string_view name = parameter.substr(0, parameter.find('='));
    parameters.push_back(IsTelling(name) ? absl::StrCat(name, "=", kMasked)
                                         : std::string(parameter));
  }
  return absl::StrCat(shown, "?", absl::StrJoin(parameters, "&"));
}

std::string ShownProxyUrl(absl::string_view url) {
  if (httpclient::ParseProxyAddress(url).ok()) return ShownUrl(url);
  // Not the URL of a proxy: everything before the last "@" may be a password.
  const size_t at = url.rfind('@');
  if (at == absl::string_view::npos) return ShownUrl(url);
  const size_t slashes = url.substr(0, at).find("://");
  const bool has_scheme = slashes != absl::string_view::npos &&
                          absl::c_all_of(url.substr(0, slashes), absl::ascii_isalnum);
  const size_t start = has_scheme ? slashes + 3 : 0;
  return ShownUrl(absl::StrCat(url.substr(0, start), url.substr(at + 1)));
}

bool HasSecretBodies(const Request& request) {
  if (IsSecretSegment(absl::AsciiStrToLower(request.resource.resource))) return true;
  if (absl::c_any_of(request.subresource,
                     [](const std::string& element) { return IsSecretSegment(element); })) {
    return true;
  }
  if (request.absolute_path.empty()) return false;
  // The path is unescaped first, as the server does it: "%73ecrets" means "secrets".
  const absl::string_view path = absl::string_view(request.absolute_path);
  const absl::StatusOr<std::string> plain = url::UnescapePath(path.substr(0, path.find('?')));
  if (!plain.ok()) return true;
  const std::vector<absl::string_view> segments = absl::StrSplit(*plain, '/');
  return absl::c_any_of(segments, IsSecretSegment);
}

std::string ShownBody(absl::string_view body, int verbosity) {
  const bool is_text = absl::c_none_of(
      body, [](char c) { return static_cast<unsigned char>(c) < '\n' && c != '\t'; });
  if (!is_text) return absl::StrCat("<", body.size(), " bytes>");
  const size_t limit = verbosity >= 10 ? body.size() : verbosity >= 9 ? 10240 : 1024;
  if (body.size() <= limit) return std::string(body);
  return absl::StrCat(body.substr(0, limit), " [truncated ", body.size() - limit, " chars]");
}

}  // namespace kube::rest::internal
