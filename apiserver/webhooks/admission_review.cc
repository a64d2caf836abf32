#include "apiserver/webhooks/admission_review.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/box.h"
#include "apiserver/webhooks/review_type.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admission::v1;
namespace metav1 = api::meta::v1;
using text::Quoted;

constexpr absl::string_view kKind = "AdmissionReview";

ReviewType TypeOf(absl::string_view version) {
  return {.group = "admission.k8s.io", .version = version, .kind = kKind};
}

// The answer is not what a client can decode.
absl::Status Undecodable(absl::string_view cause) {
  return absl::InvalidArgumentError(absl::StrCat("failed to call webhook: ", cause));
}

absl::Status Unusable(absl::string_view cause) {
  return absl::InvalidArgumentError(absl::StrCat("received invalid webhook response: ", cause));
}

// Checks that a patch and its type come together, and only from those that may change objects.
absl::Status CheckPatch(const admissionv1::AdmissionResponse& response, bool mutating) {
  const bool has_patch = !response.patch.empty();
  const bool has_type = response.patch_type.has_value();
  if (!mutating) {
    if (has_patch) return Unusable("validating webhook may not return response.patch");
    if (has_type) return Unusable("validating webhook may not return response.patchType");
    return absl::OkStatus();
  }
  if (has_patch && !has_type) {
    return Unusable("webhook returned response.patch but not response.patchType");
  }
  if (!has_patch && has_type) {
    return Unusable("webhook returned response.patchType but not response.patch");
  }
  if (has_type && response.patch_type->empty()) {
    return Unusable("webhook returned invalid response.patchType of \"\"");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> EncodeReview(absl::string_view version,
                                         const admissionv1::AdmissionRequest& request) {
  admissionv1::AdmissionReview review;
  review.kind = kKind;
  review.api_version = TypeOf(version).ApiVersion();
  review.request = request;
  return codec::EncodeJson(review);
}

absl::StatusOr<admissionv1::AdmissionResponse> ReadReview(const AskedReview& asked,
                                                          absl::string_view body) {
  if (const absl::Status type = CheckReviewType(TypeOf(asked.version), body); !type.ok()) {
    return Undecodable(type.message());
  }
  absl::StatusOr<admissionv1::AdmissionReview> review =
      codec::DecodeJson<admissionv1::AdmissionReview>(body);
  if (!review.ok()) return Undecodable(review.status().message());
  if (!review->response) return Unusable("webhook response was absent");
  admissionv1::AdmissionResponse response = std::move(*review->response);
  if (asked.version != "v1") {
    // The older version has fewer rules.
    if (!asked.mutating) response.patch.reset();
    response.patch_type.reset();
    if (!response.patch.empty()) response.patch_type = "JSONPatch";
    return response;
  }
  if (response.uid != asked.uid) {
    return Unusable(absl::StrCat("expected response.uid=", Quoted(asked.uid), ", got ",
                                 Quoted(response.uid.view())));
  }
  const std::string wanted = TypeOf(asked.version).ApiVersion();
  if (review->kind != kKind || review->api_version != wanted) {
    return Unusable(absl::StrCat("expected webhook response of ", GvkText(wanted, kKind), ", got ",
                                 GvkText(review->api_version.view(), review->kind.view())));
  }
  KUBE_RETURN_IF_ERROR(CheckPatch(response, asked.mutating));
  return response;
}

absl::Status Refusal(absl::string_view webhook, const Box<metav1::Status>& result) {
  metav1::Status status;
  if (result) status = *result;
  if (status.code < 400) status.code = 400;
  // HTTP has no such code.
  if (status.code > 599) status.code = 500;
  if (status.status.empty() || status.status == "Success") status.status = "Failure";
  const absl::string_view cause =
      status.message.empty() ? status.reason.view() : status.message.view();
  status.message = absl::StrCat("admission webhook ", Quoted(webhook), " denied the request",
                                cause.empty() ? " without explanation" : ": ", cause);
  return errors::FromStatus(status);
}

}  // namespace kube::apiserver::internal
