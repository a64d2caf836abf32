#include "apiserver/validation/webhook_url.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "net/url/url.h"

namespace kube::apiserver::internal {

namespace field = validation::field;
using field::ErrorList;
using field::Path;

ErrorList ValidateWebhookUrl(absl::string_view text, const Path& path) {
  ErrorList wrong;
  constexpr absl::string_view kForm = "; desired format: https://host[/path]";
  const absl::StatusOr<url::Url> parsed = url::Parse(text);
  if (!parsed.ok()) {
    wrong.push_back(field::Required(
        path, absl::StrCat("url must be a valid URL: ", parsed.status().message(), kForm)));
    return wrong;
  }
  if (parsed->scheme != "https") {
    wrong.push_back(field::Invalid(path, parsed->scheme,
                                   absl::StrCat("'https' is the only allowed URL scheme", kForm)));
  }
  if (parsed->host.empty()) {
    wrong.push_back(
        field::Invalid(path, parsed->host, absl::StrCat("host must be specified", kForm)));
  }
  if (parsed->user.has_value()) {
    // Without the password.
    wrong.push_back(field::Invalid(path, parsed->user->substr(0, parsed->user->find(':')),
                                   "user information is not permitted in the URL"));
  }
  if (!parsed->fragment.empty()) {
    wrong.push_back(
        field::Invalid(path, parsed->fragment, "fragments are not permitted in the URL"));
  }
  if (!parsed->query.empty()) {
    wrong.push_back(
        field::Invalid(path, parsed->query, "query parameters are not permitted in the URL"));
  }
  return wrong;
}

}  // namespace kube::apiserver::internal
