// The code in docs/webhooks.md, which //docs:snippets_test compares.

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "docs/snippets/widget.client.kube.h"
#include "docs/snippets/widget.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission.h"
#include "webhook/admission_review.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

namespace corev1 = api::core::v1;
namespace field = validation::field;
using ::example::widgets::v1::Widget;
using testing::ElementsAre;
using testing::HasSubstr;

absl::Status Complete(const AdmissionRequest<Widget>& request, Widget& widget) {
  if (!widget.spec.replicas.has_value()) widget.spec.replicas = 2;
  if (widget.spec.size.empty()) {
    widget.spec.size = "medium";
    request.Warn("spec.size is empty: it will have to be set one day");
  }
  return absl::OkStatus();
}

field::ErrorList Validate(const AdmissionRequest<Widget>& request) {
  field::ErrorList wrong;
  const field::Path spec("spec");
  const Widget& widget = *request.object;
  const int64_t replicas = widget.spec.replicas.value_or(0);
  if (replicas > 100) {
    wrong.push_back(field::Invalid(spec.Child("replicas"), replicas, "must be at most 100"));
  }
  if (request.operation == Operation::kUpdate &&
      request.old_object->spec.size != widget.spec.size) {
    wrong.push_back(field::Forbidden(spec.Child("size"), "may not be changed"));
  }
  return wrong;
}

absl::Status Admit(const AdmissionRequest<Widget>& request) {
  if (request.operation != Operation::kDelete) return absl::OkStatus();
  if (request.user.username == "system:serviceaccount:prod:janitor") return absl::OkStatus();
  return errors::Forbidden({.group = "example.com", .resource = "widgets"}, request.name.name,
                           "only the janitor deletes widgets");
}

TEST(WebhooksGuide, TheHandlersOfOneKind) {
  const AdmissionHandler defaulter = Defaulter<Widget>(Complete);
  const AdmissionHandler validator = Validator<Widget>(Validate);
  const AdmissionHandler admitter = Admitter<Widget>(Admit);

  RawAdmissionRequest request;
  request.kind = {.group = "example.com", .version = "v1", .kind = "Widget"};
  request.operation = "CREATE";
  request.name = "w";
  request.object = R"({"spec":{"replicas":101,"shape":"round"}})";
  const AdmissionResponse defaulted = defaulter(Context(), request);
  EXPECT_TRUE(defaulted.allowed);
  EXPECT_EQ(defaulted.json_patch, R"([{"op":"add","path":"/spec/size","value":"medium"}])");
  EXPECT_EQ(defaulted.warnings.size(), 1u);
  const AdmissionResponse refused = validator(Context(), request);
  EXPECT_EQ(refused.result.code, 422);
  EXPECT_EQ(refused.result.message,
            "Widget.example.com \"w\" is invalid: spec.replicas: Invalid value: 101: must be at "
            "most 100");
  EXPECT_TRUE(admitter(Context(), request).allowed);
  request.operation = "DELETE";
  request.old_object = R"({"spec":{}})";
  EXPECT_EQ(admitter(Context(), request).result.code, 403);
}

// Kinds of Kubernetes, and any kind.
AdmissionHandler NoHostNetwork() {
  return Validator<corev1::Pod>([](const AdmissionRequest<corev1::Pod>& request) {
    field::ErrorList wrong;
    if (request.object->spec.host_network) {
      wrong.push_back(field::Forbidden(field::Path("spec").Child("hostNetwork"), "not here"));
    }
    return wrong;
  });
}

AdmissionHandler NeedsTeam() {
  using unstructured::Unstructured;
  return Admitter<Unstructured>([](const AdmissionRequest<Unstructured>& request) {
    if (request.object == nullptr || request.object->labels().contains("team")) {
      return absl::OkStatus();
    }
    return absl::PermissionDeniedError("which team is it of?");
  });
}

// What has no type here.
AdmissionHandler NoExec() {
  return [](const Context&, const RawAdmissionRequest& request) {
    if (request.sub_resource == "exec") return Denied("nobody runs commands here");
    return Allowed();
  };
}

TEST(WebhooksGuide, OtherKinds) {
  RawAdmissionRequest request;
  request.operation = "CREATE";
  request.object = R"({"metadata":{"labels":{"team":"a"}},"spec":{"hostNetwork":true}})";
  EXPECT_EQ(NoHostNetwork()(Context(), request).result.code, 422);
  EXPECT_TRUE(NeedsTeam()(Context(), request).allowed);
  request.object = R"({})";
  EXPECT_TRUE(NoHostNetwork()(Context(), request).allowed);
  EXPECT_EQ(NeedsTeam()(Context(), request).result.message, "which team is it of?");
  EXPECT_TRUE(NoExec()(Context(), request).allowed);
  request.sub_resource = "exec";
  EXPECT_EQ(NoExec()(Context(), request).result.code, 403);
}

TEST(Widgets, KeepTheirSize) {
  Widget before, after;
  before.spec.size = "small";
  after.spec.size = "large";
  const AdmissionRequest<Widget> request = {.operation = Operation::kUpdate,
                                            .object = std::make_shared<const Widget>(after),
                                            .old_object = std::make_shared<const Widget>(before)};
  EXPECT_THAT(Validate(request), ElementsAre(field::Forbidden(field::Path("spec").Child("size"),
                                                              "may not be changed")));
}

// For an HTTP server of one's own.
std::string Serve(const Context& ctx, absl::string_view content_type, absl::string_view body) {
  static const AdmissionHandler handler = Validator<Widget>(Validate);
  return AnswerAdmissionReview(ctx, handler, content_type, body).body;
}

TEST(WebhooksGuide, AReviewIsAnswered) {
  const std::string answer =
      Serve(Context(), "application/json",
            R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{)"
            R"("uid":"u","operation":"CREATE","object":{"spec":{"replicas":1}}}})");
  const auto review = codec::DecodeJson<api::admission::v1::AdmissionReview>(answer);
  ASSERT_THAT(review, base::IsOk());
  EXPECT_TRUE(review->response->allowed);
  EXPECT_EQ(review->response->uid, "u");
  EXPECT_THAT(Serve(Context(), "text/plain", "{}"), HasSubstr("expected application/json"));
}

}  // namespace
}  // namespace kube::webhook
