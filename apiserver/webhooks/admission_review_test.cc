#include "apiserver/webhooks/admission_review.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/box.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admission::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

TEST(AdmissionReview, IsWhatWebhooksExpect) {
  admissionv1::AdmissionRequest request;
  request.uid = "u";
  request.operation = "CREATE";
  request.object = R"({"kind":"Pod"})";
  const auto json = EncodeReview("v1beta1", request);
  ASSERT_THAT(json, IsOk());
  EXPECT_THAT(*json, HasSubstr(R"("apiVersion":"admission.k8s.io/v1beta1")"));
  EXPECT_THAT(*json, HasSubstr(R"("object":{"kind":"Pod"})"));
  request.object = "{";
  EXPECT_THAT(EncodeReview("v1", request).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

std::string V1(const std::string& response) {
  return absl::StrCat(R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1")", response,
                      "}");
}

TEST(AdmissionReview, AnswersThatCannotBeUsed) {
  struct Row {
    std::string name;
    std::string body;
    bool mutating;
    std::string error;
  };
  const std::string invalid = "received invalid webhook response: ";
  const std::string undecodable = "failed to call webhook: ";
  const std::vector<Row> rows = {
      {"no JSON", "x", true, undecodable + "couldn't get version/kind; json parse error: "},
      {"another kind", R"({"kind":"Pod","apiVersion":"v1"})", true,
       undecodable + "no kind \"Pod\" is registered for version \"v1\""},
      {"another version", R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"})",
       true,
       undecodable +
           "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion"},
      {"a status", R"({"kind":"Status","apiVersion":"v1"})", true,
       undecodable + "converting (v1.Status) to (v1.AdmissionReview): unknown conversion"},
      {"a wrong type", V1(R"(,"response":{"allowed":"yes"})"), true, undecodable},
      {"no response", V1(""), true, invalid + "webhook response was absent"},
      {"an empty object", "{}", true, invalid + "webhook response was absent"},
      {"another UID", V1(R"(,"response":{"uid":"v","allowed":true})"), true,
       invalid + "expected response.uid=\"u\", got \"v\""},
      {"no type", R"({"response":{"uid":"u","allowed":true}})", true,
       invalid +
           "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind="},
      {"a patch without type", V1(R"(,"response":{"uid":"u","patch":"W10="})"), true,
       invalid + "webhook returned response.patch but not response.patchType"},
      {"a type without patch", V1(R"(,"response":{"uid":"u","patchType":"JSONPatch"})"), true,
       invalid + "webhook returned response.patchType but not response.patch"},
      {"an empty type", V1(R"(,"response":{"uid":"u","patch":"W10=","patchType":""})"), true,
       invalid + "webhook returned invalid response.patchType of \"\""},
      {"a patch of a validating one", V1(R"(,"response":{"uid":"u","patch":"W10="})"), false,
       invalid + "validating webhook may not return response.patch"},
      {"a type of a validating one", V1(R"(,"response":{"uid":"u","patchType":"x"})"), false,
       invalid + "validating webhook may not return response.patchType"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(
        ReadReview({.version = "v1", .uid = "u", .mutating = row.mutating}, row.body).status(),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.error)))
        << row.name;
  }
}

TEST(AdmissionReview, Answers) {
  const auto v1 = ReadReview(
      {.version = "v1", .uid = "u", .mutating = true},
      V1(R"(,"response":{"uid":"u","allowed":true,"patch":"W10=","patchType":"JSONPatch",)"
         R"("warnings":["w"],"unknown":1})"));
  ASSERT_THAT(v1, IsOk());
  EXPECT_TRUE(v1->allowed);
  EXPECT_EQ(v1->patch, "[]");
  EXPECT_EQ(v1->warnings.size(), 1u);
  // The older version says neither its UID nor the type of the patch.
  const std::string old = R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1",)"
                          R"("response":{"allowed":true,"patch":"W10="}})";
  const auto beta = ReadReview({.version = "v1beta1", .uid = "u", .mutating = true}, old);
  ASSERT_THAT(beta, IsOk());
  EXPECT_EQ(beta->patch_type, "JSONPatch");
  const auto validating = ReadReview({.version = "v1beta1", .uid = "u", .mutating = false}, old);
  ASSERT_THAT(validating, IsOk());
  EXPECT_TRUE(validating->patch.empty());
}

TEST(AdmissionReview, Refusals) {
  struct Row {
    std::string name;
    int32_t code;
    std::string reason, message, status, want;
    int32_t want_code;
  };
  const std::string denied = "admission webhook \"a.b.c\" denied the request";
  const std::vector<Row> rows = {
      {"nothing is said", 0, "", "", "", denied + " without explanation", 400},
      {"a message", 0, "Forbidden", "no", "", denied + ": no", 400},
      {"a reason", 403, "Forbidden", "", "", denied + ": Forbidden", 403},
      {"a success", 200, "", "no", "Success", denied + ": no", 400},
      {"a server's error", 503, "", "no", "Failure", denied + ": no", 503},
      {"no code of HTTP", 99999, "", "no", "", denied + ": no", 500},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    metav1::Status result;
    result.code = row.code;
    result.reason = row.reason;
    result.message = row.message;
    result.status = row.status;
    const auto status = errors::StatusOf(Refusal("a.b.c", Box<metav1::Status>(result)));
    ASSERT_TRUE(status.has_value());
    EXPECT_EQ(status->message, row.want);
    EXPECT_EQ(status->code, row.want_code);
    EXPECT_EQ(status->status, "Failure");
    EXPECT_EQ(status->reason, row.reason);
  }
  EXPECT_THAT(Refusal("a.b.c", {}),
              StatusIs(absl::StatusCode::kInvalidArgument, denied + " without explanation"));
}

}  // namespace
}  // namespace kube::apiserver::internal
