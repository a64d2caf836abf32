#include "clientset/rest/internal/redirect.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "net/httpclient/http_message.h"
#include "net/url/url.h"

namespace kube::rest::internal {

namespace {

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::string HostPort(const url::Url& url) {
  const absl::string_view port = url::Port(url.host);
  return absl::StrCat(absl::AsciiStrToLower(url::HostName(url.host)), " ",
                      !port.empty()          ? port
                      : url.scheme == "http" ? "80"
                                             : "443");
}

}  // namespace

absl::StatusOr<std::optional<std::string>> RedirectTarget(
    absl::string_view method, absl::string_view url, const httpclient::HttpResponse& response) {
  if (!IsRedirect(response.status)) return std::nullopt;
  const absl::string_view location = response.headers.Get("location").value_or("");
  if (location.empty()) return std::nullopt;
  if (method != "GET" && method != "HEAD") {
    return absl::FailedPreconditionError(
        absl::StrCat("redirect of a ", method, " request is not followed"));
  }
  KUBE_ASSIGN_OR_RETURN(const url::Url from, url::Parse(url));
  const absl::StatusOr<url::Url> reference = url::Parse(location);
  if (!reference.ok()) {
    return absl::FailedPreconditionError("invalid redirect URL in Location header");
  }
  url::Url to = url::Resolve(from, *reference);
  if (to.scheme != from.scheme || HostPort(to) != HostPort(from) || to.user.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat("redirect to another server is not followed: ",
                     url::Url{.scheme = to.scheme, .host = to.host}.ToString()));
  }
  // Keep our spelling of the host, whatever the server's is.
  to.host = from.host;
  to.fragment.clear();
  return to.ToString();
}

}  // namespace kube::rest::internal
