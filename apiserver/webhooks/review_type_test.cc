#include "apiserver/webhooks/review_type.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::HasSubstr;

constexpr ReviewType kReview = {
    .group = "admission.k8s.io", .version = "v1", .kind = "AdmissionReview"};

TEST(ReviewType, ApiVersionHasGroupAndVersion) {
  EXPECT_EQ(kReview.ApiVersion(), "admission.k8s.io/v1");
}

TEST(ReviewType, AnAnswerMayLeaveOutItsTypeButNotHaveAnother) {
  struct Row {
    std::string name;
    absl::string_view body;
    absl::string_view error;  // empty: the type is accepted
  };
  const std::vector<Row> rows = {
      {"the same type", R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"})", ""},
      {"no type", "{}", ""},
      {"another version", R"({"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"})",
       "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion"},
      {"a Status", R"({"apiVersion":"v1","kind":"Status"})",
       "converting (v1.Status) to (v1.AdmissionReview): unknown conversion"},
      {"another kind", R"({"apiVersion":"v1","kind":"Pod"})",
       R"(no kind "Pod" is registered for version "v1")"},
      {"no JSON", "oh", "couldn't get version/kind; json parse error"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const absl::Status checked = CheckReviewType(kReview, row.body);
    if (row.error.empty()) {
      EXPECT_THAT(checked, base::IsOk());
    } else {
      EXPECT_THAT(checked,
                  base::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.error)));
    }
  }
}

TEST(ReviewType, AKindOfTheCoreGroupBeginsWithASlash) {
  EXPECT_EQ(GvkText("apps/v1", "Deployment"), "apps/v1, Kind=Deployment");
  EXPECT_EQ(GvkText("v1", "Pod"), "/v1, Kind=Pod");
}

}  // namespace
}  // namespace kube::apiserver::internal
