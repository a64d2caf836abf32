#include "webhook/admission_review.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

namespace admissionv1 = api::admission::v1;
using unstructured::Value;

constexpr absl::string_view kVersion = "admission.k8s.io/v1";
constexpr absl::string_view kOldVersion = "admission.k8s.io/v1beta1";
constexpr absl::string_view kKind = "AdmissionReview";
constexpr size_t kMaxLoggedText = 200;
constexpr int32_t kOk = 200;
constexpr int32_t kBadRequest = 400;
constexpr int32_t kTooLarge = 413;
constexpr int kHttpInternalError = 500;

// What an answer repeats of the question.
struct Question {
  std::string api_version = std::string(kVersion);
  std::string kind = std::string(kKind);
  std::string uid = {};
};

HttpAnswer Answer(const Question& question, AdmissionResponse response) {
  admissionv1::AdmissionReview review;
  review.api_version = question.api_version;
  review.kind = question.kind;
  admissionv1::AdmissionResponse& sent = review.response.emplace();
  sent.uid = question.uid;
  sent.allowed = response.allowed;
  if (response.result.code == 0) response.result.code = kOk;
  sent.status = std::move(response.result);
  if (!response.json_patch.empty()) {
    sent.patch = response.json_patch;
    sent.patch_type = admissionv1::kPatchTypeJSONPatch;
  }
  sent.audit_annotations = Map<String>(response.audit_annotations);
  sent.warnings = List<String>(response.warnings);
  absl::StatusOr<std::string> body = codec::EncodeJson(review, {.final_newline = true});
  // Only what is not JSON cannot be encoded, and no part of an answer is JSON.
  if (!body.ok()) return {.code = kHttpInternalError};
  return {.body = *std::move(body)};
}

// Returns what can be read of a body that is no review.
Question QuestionIn(absl::string_view body) {
  Question question;
  const absl::StatusOr<Value> review = unstructured::ParseJson(body);
  if (!review.ok()) return question;
  const std::optional<absl::string_view> version = (*review)["apiVersion"].text();
  if (version == kOldVersion) question.api_version = std::string(kOldVersion);
  const std::optional<absl::string_view> uid = (*review)["request"]["uid"].text();
  if (uid.has_value()) question.uid = std::string(*uid);
  return question;
}

absl::StatusOr<admissionv1::AdmissionReview> ReadReview(absl::string_view body) {
  KUBE_ASSIGN_OR_RETURN(admissionv1::AdmissionReview review,
                        codec::DecodeJson<admissionv1::AdmissionReview>(body));
  const absl::StatusOr<schema::GroupVersion> version =
      schema::ParseGroupVersion(review.api_version.view());
  if (!version.ok()) return version.status();
  return review;
}

// Refuses what is no review, and leaves a trace of it in the log: the API server says nothing
// there. The body may have secrets, so the log has only its size.
HttpAnswer Refuse(const Context& ctx, const Question& question, int32_t code, absl::string_view why,
                  absl::string_view body) {
  // Strangers may send what they like, but not fill the log with it.
  log::Error(ctx, absl::InvalidArgumentError(why.substr(0, kMaxLoggedText)),
             "unable to read admission review",
             {{"requestID", absl::string_view(question.uid).substr(0, kMaxLoggedText)},
              {"code", code},
              {"bytes", body.size()}});
  return Answer(question, Errored(code, why));
}

// Returns a context with the log fields that controller-runtime's loggers have.
Context WithFieldsOf(const RawAdmissionRequest& request, const Context& ctx) {
  const absl::string_view namespace_name = request.namespace_.view();
  const absl::string_view name = request.name.view();
  return WithLogFields(ctx, {{"object", log::KRef(namespace_name, name)},
                             {"namespace", namespace_name},
                             {"name", name},
                             {"resource", request.resource.resource.view()},
                             {"user", request.user_info.username.view()},
                             {"requestID", request.uid.view()}});
}

}  // namespace

HttpAnswer AnswerAdmissionReview(const Context& ctx, const AdmissionHandler& handler,
                                 absl::string_view content_type, absl::string_view body) {
  if (body.empty()) return Refuse(ctx, {}, kBadRequest, "request body is empty", body);
  if (body.size() >= kMaxReviewBytes) {
    return Refuse(ctx, {}, kTooLarge,
                  absl::StrCat("request entity is too large; limit is ", kMaxReviewBytes, " bytes"),
                  body);
  }
  if (content_type != "application/json") {
    return Refuse(ctx, QuestionIn(body), kBadRequest,
                  absl::StrCat("contentType=", content_type, ", expected application/json"), body);
  }
  const absl::StatusOr<admissionv1::AdmissionReview> review = ReadReview(body);
  if (!review.ok()) {
    return Refuse(ctx, QuestionIn(body), kBadRequest, review.status().message(), body);
  }
  // As upstream, a review that asks nothing is a request without members.
  const admissionv1::AdmissionRequest nothing;
  const admissionv1::AdmissionRequest& request = review->request ? *review->request : nothing;
  // A review may be of any kind, as upstream, and may leave it out.
  Question question;
  if (!review->api_version.empty()) question.api_version = std::string(review->api_version.view());
  if (!review->kind.empty()) question.kind = std::string(review->kind.view());
  question.uid = std::string(request.uid.view());
  return Answer(question, handler(WithFieldsOf(request, ctx), request));
}

}  // namespace kube::webhook
