#include "apiserver/webhooks/review_type.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/type_meta.h"

namespace kube::apiserver::internal {

std::string ReviewType::ApiVersion() const { return absl::StrCat(group, "/", version); }

absl::Status CheckReviewType(const ReviewType& wanted, absl::string_view body) {
  const absl::StatusOr<codec::TypeMeta> sent = codec::TypeMetaOfJson(body);
  if (!sent.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("couldn't get version/kind; json parse error: ", sent.status().message()));
  }
  const std::string wanted_version = wanted.ApiVersion();
  const absl::string_view api_version = sent->api_version.empty()
                                            ? absl::string_view(wanted_version)
                                            : absl::string_view(sent->api_version);
  const absl::string_view kind = sent->kind.empty() ? wanted.kind : absl::string_view(sent->kind);
  if (api_version == wanted_version && kind == wanted.kind) return absl::OkStatus();
  const bool is_other =
      kind == wanted.kind && (api_version == absl::StrCat(wanted.group, "/v1") ||
                              api_version == absl::StrCat(wanted.group, "/v1beta1"));
  const bool is_status = kind == "Status" && api_version == "v1";
  if (is_other || is_status) {
    const size_t slash = api_version.find('/');
    return absl::InvalidArgumentError(absl::StrCat(
        "converting (",
        slash == absl::string_view::npos ? api_version : api_version.substr(slash + 1), ".", kind,
        ") to (", wanted.version, ".", wanted.kind, "): unknown conversion"));
  }
  return absl::InvalidArgumentError(absl::StrCat("no kind \"", kind,
                                                 "\" is registered for version \"", api_version,
                                                 "\" in scheme \"pkg/runtime/scheme.go:111\""));
}

std::string GvkText(absl::string_view api_version, absl::string_view kind) {
  const bool has_group = api_version.find('/') != absl::string_view::npos;
  return absl::StrCat(has_group ? "" : "/", api_version, ", Kind=", kind);
}

}  // namespace kube::apiserver::internal
