#include "clientset/clientcmd/internal/addresses.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/go_text.h"
#include "net/url/path.h"
#include "net/url/url.h"

namespace kube::clientcmd::internal {
namespace {

using text::Quoted;

// Returns where the scheme and the slashes at the beginning of an address end: 7 for "http://h", 2
// for "//h", and zero if the address does not begin like that. The text before a colon without
// slashes may be a user, as in "TOKEN:@proxy", and so may the text before slashes without a host,
// as in "TOKEN:///x@proxy".
size_t SchemeEnd(absl::string_view text) {
  size_t end = 0;
  while (end < text.size() && (absl::ascii_isalnum(text[end]) || text[end] == '+' ||
                               text[end] == '-' || text[end] == '.')) {
    ++end;
  }
  absl::string_view rest = text.substr(end);
  if (end > 0 && !absl::ConsumePrefix(&rest, ":")) return 0;
  if (!absl::ConsumePrefix(&rest, "//") || rest.empty() || rest[0] == '/') return 0;
  return text.size() - rest.size();
}

}  // namespace

std::string WithoutQuery(absl::string_view server) {
  absl::StatusOr<url::Url> url = url::ParseRequestUri(server);
  if (!url.ok() || !url->opaque.empty()) return std::string(server);
  const absl::StatusOr<std::string> path = url::UnescapePath(url->path);
  if (!path.ok() || path->size() <= 1) return std::string(server);
  url->query.clear();
  return url->ToString();
}

bool IsTls(absl::string_view server) {
  // The default host of client-go is used with plain http.
  if (server.empty()) return false;
  const absl::StatusOr<url::Url> url = url::Parse(server);
  return url.ok() && url->scheme == "https" && !url->host.empty();
}

std::string WithoutUser(absl::string_view text) {
  const size_t at = text.rfind('@');
  if (at == absl::string_view::npos) return std::string(text);
  return absl::StrCat(text.substr(0, std::min(SchemeEnd(text), at)), "<redacted>", text.substr(at));
}

absl::StatusOr<std::string> ParseProxyUrl(absl::string_view text) {
  const absl::StatusOr<url::Url> url = url::Parse(text);
  if (!url.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("could not parse: ", WithoutUser(text)));
  }
  if (url->scheme != "http" && url->scheme != "https" && url->scheme != "socks5") {
    const bool shown = url->scheme.empty() || SchemeEnd(text) > 0;
    return absl::InvalidArgumentError(absl::StrCat("unsupported scheme", shown ? " " : "",
                                                   shown ? Quoted(url->scheme) : "",
                                                   ", must be http, https, or socks5"));
  }
  return url->ToString();
}

}  // namespace kube::clientcmd::internal
