#include "apimachinery/errors/http_response.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/retry_after.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"

namespace kube::errors {

namespace metav1 = api::meta::v1;

namespace {

// Returns "application/json" for "Application/JSON; charset=utf-8". Ignores the parameters, also
// malformed ones.
std::string MediaType(absl::string_view content_type) {
  return absl::AsciiStrToLower(
      absl::StripAsciiWhitespace(content_type.substr(0, content_type.find(';'))));
}

// The rule of Go's serializer: a missing apiVersion is that of the core group; one without a
// version is invalid.
bool IsApiVersion(absl::string_view text) {
  const absl::StatusOr<schema::GroupVersion> version = schema::ParseGroupVersion(text);
  return version.ok() && (version->empty() || !version->version.empty());
}

// Accepts "Status" of any group, as client-go's scheme does, in which Status is unversioned.
std::optional<metav1::Status> StatusIn(absl::string_view media_type, absl::string_view body) {
  absl::StatusOr<metav1::Status> status = absl::UnknownError("");
  if (media_type == "application/vnd.kubernetes.protobuf") {
    status = codec::DecodeKubernetesProtobuf<metav1::Status>(body);
  } else if (media_type == "application/json") {
    status = codec::DecodeJson<metav1::Status>(body);
  } else if (media_type == "application/yaml") {
    status = codec::DecodeYaml<metav1::Status>(body);
  }
  if (!status.ok() || status->kind != "Status") return std::nullopt;
  if (media_type != "application/vnd.kubernetes.protobuf" &&
      !IsApiVersion(status->api_version.view())) {
    return std::nullopt;
  }
  if (status->status != metav1::kStatusFailure) return std::nullopt;
  // client-go's decoders also clear these, because the type is known.
  status->kind = String();
  status->api_version = String();
  return *std::move(status);
}

std::string ServerMessage(const ErrorResponse& response) {
  const bool is_text =
      response.content_type.empty() || absl::StartsWith(MediaType(response.content_type), "text/");
  if (!is_text) return "unknown";
  return std::string(kube::text::TrimGoSpace(response.body.substr(0, kMaxErrorTextBytes)));
}

}  // namespace

absl::Status FromHttpResponse(const FailedRequest& request, const ErrorResponse& response) {
  const std::string media_type =
      MediaType(response.content_type.empty() ? request.content_type : response.content_type);
  if (!response.body.empty() && response.body.size() <= kMaxErrorBodyBytes) {
    if (const std::optional<metav1::Status> status = StatusIn(media_type, response.body)) {
      return FromStatus(*status);
    }
  }
  const std::optional<absl::Duration> retry_after =
      ParseRetryAfter(response.retry_after, base::WallNow());
  return GenericServerResponse({.code = response.code,
                                .method = request.method,
                                .resource = request.resource,
                                .name = request.name,
                                .server_message = ServerMessage(response),
                                .retry_after = retry_after.value_or(absl::ZeroDuration()),
                                .is_unexpected = true});
}

}  // namespace kube::errors
