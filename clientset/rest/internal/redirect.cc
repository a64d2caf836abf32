#include "clientset/rest/internal/redirect.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/http_message.h"
#include "clientset/rest/internal/url.h"

namespace kube::rest::internal {

namespace {

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::string HostPort(const Url& url) {
  const std::string port = PortOf(url.host);
  return absl::StrCat(absl::AsciiStrToLower(HostName(url.host)), " ",
                      !port.empty()          ? port
                      : url.scheme == "http" ? "80"
                                             : "443");
}

// (URL.ResolveReference)
std::string Resolve(const Url& base, const Url& reference) {
  std::string path = reference.path;
  std::string query = reference.query;
  if (path.empty()) {
    path = base.path;
    if (!reference.has_query) query = base.query;
  } else if (!absl::StartsWith(path, "/")) {
    path = absl::StrCat(base.path.substr(0, base.path.rfind('/') + 1), path);
  }
  const bool keeps_slash = absl::EndsWith(path, "/") && path.size() > 1;
  return absl::StrCat(base.scheme, "://", base.host, CleanPath(path), keeps_slash ? "/" : "",
                      query.empty() ? "" : "?", query);
}

}  // namespace

absl::StatusOr<std::optional<std::string>> RedirectTarget(absl::string_view method,
                                                          absl::string_view url,
                                                          const HttpResponse& response) {
  if (!IsRedirect(response.status)) return std::nullopt;
  const absl::string_view location = response.headers.Get("location").value_or("");
  if (location.empty()) return std::nullopt;
  if (method != "GET" && method != "HEAD") {
    return absl::FailedPreconditionError("the server redirects a request that changes something");
  }
  KUBE_ASSIGN_OR_RETURN(const Url from, ParseUrl(url));
  const absl::StatusOr<Url> to = ParseUrl(location);
  if (!to.ok()) return absl::FailedPreconditionError("the server redirects to what is no URL");
  if (to->host.empty() && to->scheme.empty()) return Resolve(from, *to);
  const std::string scheme = to->scheme.empty() ? from.scheme : to->scheme;
  if (scheme != from.scheme || HostPort(*to) != HostPort(from) || to->has_user) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the server redirects to another one, which is not followed: ", scheme, "://", to->host));
  }
  return Resolve(from, *to);
}

}  // namespace kube::rest::internal
