#include "webhook/admission_review.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

namespace admissionv1 = api::admission::v1;
using base::IsOk;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kJson[] = "application/json";
constexpr char kV1[] = "admission.k8s.io/v1";

std::string Review(absl::string_view request, absl::string_view version = kV1) {
  return absl::StrCat(R"({"kind":"AdmissionReview","apiVersion":")", version, R"(","request":)",
                      request, "}");
}

std::string Repeated(absl::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all.append(text.data(), text.size());
  return all;
}

// Counts its calls.
class Webhook {
 public:
  HttpAnswer Ask(absl::string_view content_type, absl::string_view body) {
    return AnswerAdmissionReview(
        Context(),
        [this](const Context&, const RawAdmissionRequest& request) {
          ++calls_;
          return request.operation == "DELETE" ? Denied("no") : Allowed("fine");
        },
        content_type, body);
  }
  int calls() const { return calls_; }

 private:
  int calls_ = 0;
};

struct Row {
  std::string name;
  std::string content_type;
  std::string body;
  // Of the answer.
  bool allowed;
  int32_t code;
  std::string message;  // how it begins
  std::string uid;
  std::string api_version;
  std::string kind;
  // Whether the handler was called.
  bool is_called;
};

void Check(const Row& row) {
  SCOPED_TRACE(row.name);
  Webhook webhook;
  const HttpAnswer answer = webhook.Ask(row.content_type, row.body);
  EXPECT_EQ(answer.code, 200);
  const auto review = codec::DecodeJson<admissionv1::AdmissionReview>(answer.body);
  ASSERT_THAT(review, IsOk()) << answer.body;
  EXPECT_EQ(review->api_version, row.api_version);
  EXPECT_EQ(review->kind, row.kind);
  EXPECT_FALSE(review->request.has_value());
  ASSERT_TRUE(review->response.has_value());
  EXPECT_EQ(review->response->uid, row.uid);
  EXPECT_EQ(review->response->allowed, row.allowed);
  ASSERT_TRUE(review->response->status.has_value());
  EXPECT_EQ(review->response->status->code, row.code);
  EXPECT_THAT(std::string(review->response->status->message.view()), StartsWith(row.message));
  EXPECT_EQ(webhook.calls(), row.is_called ? 1 : 0);
}

// behaviour.md: WH-22, WH-24
TEST(AnswerAdmissionReview, Reviews_AreAnsweredInTheirVersion) {
  const std::string review = "AdmissionReview";
  const std::vector<Row> rows = {
      {"v1", kJson, Review(R"({"uid":"u","operation":"CREATE"})"), true, 200, "fine", "u", kV1,
       review, true},
      {"v1beta1", kJson, Review(R"({"uid":"u"})", "admission.k8s.io/v1beta1"), true, 200, "fine",
       "u", "admission.k8s.io/v1beta1", review, true},
      {"a refusal", kJson, Review(R"({"uid":"u","operation":"DELETE"})"), false, 403, "no", "u",
       kV1, review, true},
      {"neither kind nor version", kJson, R"({"request":{"uid":"u"}})", true, 200, "fine", "u", kV1,
       review, true},
      {"another group", kJson, R"({"kind":"Other","apiVersion":"b/v1","request":{"uid":"u"}})",
       true, 200, "fine", "u", "b/v1", "Other", true},
      {"no UID", kJson, Review("{}"), true, 200, "fine", "", kV1, review, true},
      {"no request", kJson, Review("null"), true, 200, "fine", "", kV1, review, true},
      {"members that are not known", kJson, Review(R"({"uid":"u","later":{"a":[1]}})"), true, 200,
       "fine", "u", kV1, review, true},
      {"a UID twice: the last one counts", kJson, Review(R"({"uid":"t","uid":"u"})"), true, 200,
       "fine", "u", kV1, review, true},
      {"a large object", kJson,
       Review(absl::StrCat(R"({"uid":"u","object":{"a":")", std::string(3 << 20, 'x'), "\"}}")),
       true, 200, "fine", "u", kV1, review, true},
  };
  for (const Row& row : rows) Check(row);
}

// behaviour.md: WH-20, WH-21
TEST(AnswerAdmissionReview, WhatIsNoReview_IsRefusedWithWhatCanBeRead) {
  const std::string review = "AdmissionReview";
  const std::string good = Review(R"({"uid":"u"})");
  const std::string content_type = ", expected application/json";
  const std::string too_large = absl::StrCat(good, std::string(kMaxReviewBytes - good.size(), ' '));
  const std::string too_deep = absl::StrCat(R"({"uid":"u","object":)", Repeated(R"({"a":)", 20000),
                                            "1", Repeated("}", 20000), "}");
  const std::vector<Row> rows = {
      {"no body", kJson, "", false, 400, "request body is empty", "", kV1, review, false},
      {"no body, no type", "", "", false, 400, "request body is empty", "", kV1, review, false},
      {"too large", kJson, too_large, false, 413,
       "request entity is too large; limit is 7340032 bytes", "", kV1, review, false},
      {"as large as can be", kJson, too_large.substr(1), false, 400, "", "", kV1, review, false},
      {"no type", "", good, false, 400, "contentType=" + content_type, "u", kV1, review, false},
      {"a type with a parameter", "application/json; charset=utf-8", good, false, 400,
       "contentType=application/json; charset=utf-8" + content_type, "u", kV1, review, false},
      {"another type", "application/yaml", good, false, 400,
       "contentType=application/yaml" + content_type, "u", kV1, review, false},
      {"another type, v1beta1", "", Review(R"({"uid":"u"})", "admission.k8s.io/v1beta1"), false,
       400, "contentType=" + content_type, "u", "admission.k8s.io/v1beta1", review, false},
      {"no JSON", kJson, "kind: AdmissionReview", false, 400, "", "", kV1, review, false},
      {"cut off", kJson, good.substr(0, good.size() - 1), false, 400, "", "", kV1, review, false},
      {"a list", kJson, "[]", false, 400, "", "", kV1, review, false},
      {"a wrong type", kJson, Review(R"({"uid":"u","dryRun":"yes"})"), false, 400,
       "decode AdmissionReview: request.dryRun", "u", kV1, review, false},
      {"a UID that is no text", kJson, Review(R"({"uid":7})"), false, 400,
       "decode AdmissionReview: request.uid", "", kV1, review, false},
      {"a version that is none", kJson, Review(R"({"uid":"u"})", "a/b/c"), false, 400,
       "unexpected GroupVersion string", "u", kV1, review, false},
      {"too deep", kJson, Review(too_deep), false, 400, "", "", kV1, review, false},
  };
  for (const Row& row : rows) Check(row);
}

// behaviour.md: WH-24
TEST(AnswerAdmissionReview, Answers_AreCompleted) {
  AdmissionResponse response;
  const AdmissionHandler handler = [&](const Context&, const RawAdmissionRequest&) {
    return response;
  };
  const auto answer = [&] {
    return AnswerAdmissionReview(Context(), handler, kJson, Review(R"({"uid":"u"})")).body;
  };
  const std::string begin =
      R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u",)";
  EXPECT_EQ(answer(), begin + "\"allowed\":false,\"status\":{\"metadata\":{},\"code\":200}}}\n");
  response = Patched(R"([{"op":"remove","path":"/a"}])");
  EXPECT_EQ(answer(), begin + R"("allowed":true,"status":{"metadata":{},"code":200},)"
                              R"("patch":"W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL2EifV0=",)"
                              R"("patchType":"JSONPatch"}})"
                              "\n");
  response = Denied("no");
  response.warnings = {"a", "b"};
  response.audit_annotations = {{"k", "v"}};
  EXPECT_EQ(answer(),
            begin +
                R"("allowed":false,"status":{"metadata":{},"message":"no","reason":"Forbidden",)"
                R"("code":403},"auditAnnotations":{"k":"v"},"warnings":["a","b"]}})"
                "\n");
}

// behaviour.md: WH-27
TEST(AnswerAdmissionReview, TheContext_HasTheLogFieldsOfTheRequest) {
  const log::LogCapture capture;
  const AdmissionHandler handler = [](const Context& ctx, const RawAdmissionRequest&) {
    log::Info(ctx, "judged");
    return Allowed();
  };
  AnswerAdmissionReview(
      WithLogFields(Context(), {{"path", "/validate"}}), handler, kJson,
      Review(R"({"uid":"u","namespace":"prod","name":"m","resource":{"resource":"configmaps"},)"
             R"("userInfo":{"username":"eve"}})"));
  EXPECT_THAT(capture.Lines(),
              ElementsAre(R"(I "judged" path="/validate" object="prod/m" namespace="prod" )"
                          R"(name="m" resource="configmaps" user="eve" requestID="u")"));
}

TEST(AnswerAdmissionReview, WhatIsNoReview_IsLoggedWithoutItsBody) {
  const log::LogCapture capture;
  Webhook webhook;
  webhook.Ask("text/plain", R"({"request":{"uid":"u","object":{"data":"secret"}}})");
  EXPECT_THAT(capture.Lines(),
              ElementsAre(AllOf(StartsWith(R"(E "unable to read admission review")"),
                                HasSubstr("contentType=text/plain, expected application/json"),
                                HasSubstr(R"(requestID="u")"), Not(HasSubstr("secret")))));
}

}  // namespace
}  // namespace kube::webhook
