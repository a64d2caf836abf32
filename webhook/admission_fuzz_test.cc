// Any review, given to webhooks of each sort: each answers, the answer is a review with the UID of
// the question, and a patch is one that an API server can apply.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "webhook/admission.h"
#include "webhook/admission_review.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

using api::apps::v1::Deployment;
using unstructured::Unstructured;
namespace field = validation::field;

absl::Status Complete(const AdmissionRequest<Deployment>& request, Deployment& object) {
  request.Warn("completed");
  object.spec.replicas = 3;
  object.metadata.annotations["a"] = "b";
  for (auto& container : object.spec.template_.spec.containers) container.image = "nginx";
  object.spec.template_.spec.containers.push_back({.name = "sidecar"});
  return absl::OkStatus();
}

absl::Status CompleteAny(const AdmissionRequest<Unstructured>&, Unstructured& object) {
  return unstructured::SetNestedField(object.object, "b", {"spec", "a"});
}

field::ErrorList Validate(const AdmissionRequest<Deployment>& request) {
  if (request.object->spec.replicas.value_or(0) < 100) return {};
  return {field::Invalid(field::Path("spec").Child("replicas"),
                         int64_t{*request.object->spec.replicas}, "must be less than 100")};
}

absl::Status Admit(const AdmissionRequest<Unstructured>& request) {
  return absl::InternalError(request.name.ToString());
}

std::vector<AdmissionHandler> Handlers() {
  return {Defaulter<Deployment>(Complete), Defaulter<Unstructured>(CompleteAny),
          Validator<Deployment>(Validate), Admitter<Unstructured>(Admit)};
}

// What an API server does with a patch. The question may have members twice, and then the patch is
// of the last ones.
void CheckPatch(absl::string_view body, absl::string_view patch) {
  const absl::StatusOr<patch::JsonPatch> operations = patch::ParseJsonPatch(patch);
  KUBE_CHECK_OK(operations.status());
  const auto question = codec::DecodeJson<api::admission::v1::AdmissionReview>(body);
  KUBE_CHECK_OK(question.status());
  const auto object = unstructured::ParseJson(question->request->object.view());
  KUBE_CHECK_OK(object.status());
  KUBE_CHECK_OK(patch::ApplyJsonPatch(*object, *operations, {.max_operations = 0}).status());
}

void Ask(absl::string_view body) {
  const log::LogCapture quiet;
  static const std::vector<AdmissionHandler> handlers = Handlers();
  for (const AdmissionHandler& handler : handlers) {
    const HttpAnswer answer = AnswerAdmissionReview(Context(), handler, "application/json", body);
    KUBE_CHECK_EQ(answer.code, 200);
    const auto review = codec::DecodeJson<api::admission::v1::AdmissionReview>(answer.body);
    KUBE_CHECK_OK(review.status());
    KUBE_CHECK(review->response.has_value() && !review->kind.empty());
    const auto question = codec::DecodeJson<api::admission::v1::AdmissionReview>(body);
    if (question.ok() && question->request) {
      KUBE_CHECK(review->response->uid == question->request->uid ||
                 review->response->status->code == 400);
    }
    if (!review->response->patch.empty()) CheckPatch(body, review->response->patch.view());
  }
}

}  // namespace
}  // namespace kube::webhook

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::webhook::Ask(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
